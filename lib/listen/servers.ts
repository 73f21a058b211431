import * as http from 'node:http';
import * as https from 'node:https';
import type { TlsOptions } from 'node:tls';
import type { Endpoint } from '../endpoint/endpoint.js';
import { appClasses, isExpressApp } from './app-server.js';

/** Makes the servers of one handler. They keep Node's time limits. */
export function serverFactory(
  handler: http.RequestListener,
  tls: TlsOptions | undefined,
): (scheme: Endpoint['scheme']) => http.Server {
  const classes = isExpressApp(handler) ? appClasses(handler) : {};
  return (scheme) =>
    scheme === 'ssl' ? https.createServer({ ...tls, ...classes }, handler) : http.createServer(classes, handler);
}
