export { askedDrivers } from './asked-drivers.js';
export { driverChecks } from './driver-checks.js';
