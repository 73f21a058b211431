export { appClasses, createAppServer, type AppClasses, type AppServerOptions } from './app-server.js';
export { ListenError } from './listen-error.js';
export { listenOn, type Listening } from './listen-on.js';
export type { ListenOptions, SslKeyAndCertificate, SslKeyfile, SslOptions } from './options.js';
