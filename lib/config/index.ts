export { ConfigError, type ConfigProblem } from './config-error.js';
export type { Environment } from './given-value.js';
export { loadServerOptions, type LoadOptions } from './load-server-options.js';
export { SERVER_OPTIONS } from './options.js';
export type { OptionDescription, OptionName, ServerOptionName, SwitchName, ValueOptionName } from './options.js';
export type { OptionField, ServerOptions } from './server-options.js';
