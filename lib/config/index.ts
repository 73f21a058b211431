export { ConfigError, type ConfigProblem } from './config-error.js';
export type { Environment } from './environment.js';
export type { LoadOptions } from './load-options.js';
export { loadServerOptions } from './load-server-options.js';
export { SERVER_OPTIONS } from './option-table.js';
export type { OptionDescription, OptionName, ServerOptionName, SwitchName, ValueOptionName } from './option-table.js';
export type { ServerOptions } from './server-options.js';
