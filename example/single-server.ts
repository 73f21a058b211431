import express, { type Express } from 'express';
import { createEndpointRouter } from 'express-endpoint-listing';

/** A single server with a fixed list: what it listens on is known when it starts. */
export function createSingleServer(): Express {
  const app = express();
  app.use(createEndpointRouter({ endpoints: ['tcp://127.0.0.1:8529', 'ssl://db.example:8530'] }));
  app.get('/', (_req, res) => {
    res.send('the rest of the application');
  });
  return app;
}

if (process.argv[1] === import.meta.filename) createSingleServer().listen(8529, '127.0.0.1');
