export { ConfigError, type ConfigProblem } from './config-error.js';
export type { Environment } from './given-value.js';
export { loadServerOptions, type LoadOptions } from './load-server-options.js';
export { SERVER_OPTIONS } from './option-table.js';
export type {
  Horizon,
  HorizonOptionName,
  OptionDescription,
  OptionField,
  OptionName,
  ServerOptionName,
  ServerOptions,
  SwitchName,
  ValueOptionName,
} from './server-options.js';
