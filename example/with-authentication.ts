import cors from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import { createEndpointRouter } from 'express-endpoint-listing';
import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Lets requests through that carry this user and password (RFC 7617), and answers the others as ArangoDB does. */
function basicAuthentication(user: string, password: string): RequestHandler {
  const expected = digest(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`);
  return (req, res, next) => {
    if (timingSafeEqual(digest(req.get('authorization') ?? ''), expected)) {
      next();
      return;
    }
    res.set('WWW-Authenticate', 'Basic realm="endpoints"');
    res
      .status(401)
      .json({ code: 401, error: true, errorMessage: 'not authorized to execute this request', errorNum: 11 });
  };
}

/**
 * The router checks no password: what stands before it does. `cors()` comes first, because a browser asks for permission
 * (OPTIONS) without credentials, and because the router itself answers OPTIONS with 405.
 */
export function createGuardedHost(): Express {
  const app = express();
  app.use(cors({ origin: 'https://admin.example', credentials: true }));
  app.use(basicAuthentication('root', process.env['ROOT_PASSWORD'] ?? 'openSesame'));
  app.use(createEndpointRouter({ role: 'coordinator', endpoints: ['tcp://10.0.0.11:8529', 'tcp://10.0.0.12:8529'] }));
  return app;
}

if (process.argv[1] === import.meta.filename) createGuardedHost().listen(8529, '127.0.0.1');
