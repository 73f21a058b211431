import type { NextFunction, Request, Response } from 'express';
import createHttpError from 'http-errors';
import { isIP } from 'node:net';

/**
 * Lets no page in a browser drive the control API, which has no password: neither one whose own name leads here (DNS rebinding), nor one
 * from elsewhere, nor a form.
 *
 * @param advertisedHost - A name by which clients may reach this server, beside `localhost` and every IP address.
 */
export function refuseBrowsers(advertisedHost: string | undefined) {
  const names = new Set(['localhost', advertisedHost?.toLowerCase()]);
  return (req: Request, _res: Response, next: NextFunction): void => {
    const { host, origin } = req.headers;
    const name = String(host)
      .toLowerCase()
      .replace(/:\d+$/, '')
      .replace(/^\[(.*)\]$/, '$1');
    if (!names.has(name) && isIP(name) === 0) {
      throw createHttpError(403, 'the Host header must be an IP address, localhost or the advertised host');
    }
    if (origin !== undefined && origin !== `http://${String(host)}`) {
      throw createHttpError(403, 'a request with the Origin header of another server is refused');
    }
    if (hasBody(req) && req.is(['json', '+json']) === false) {
      throw createHttpError(415, 'the body must be JSON, and say so: Content-Type: application/json');
    }
    next();
  };
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
