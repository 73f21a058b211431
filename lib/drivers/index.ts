export { askedDrivers } from './asked-drivers.js';
export { brokenBy } from './broken-by.js';
export { driverChecks } from './driver-checks.js';
