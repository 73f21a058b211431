export { askedDrivers } from './asked-drivers.js';
export { brokenBy, driverChecks } from './driver-checks.js';
