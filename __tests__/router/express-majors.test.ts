import express, { type NextFunction, type Request, type Response } from 'express';
import otherExpress from 'other-express';
import supertest from 'supertest';
import { createEndpointRouter } from '../../lib/index.js';
import { serve } from '../support/router/host.js';

declare const EXPRESS_MAJOR: 4 | 5;

/** Only the fourth major has `express.query`. */
const majorOf = (module: object): 4 | 5 => ('query' in module ? 4 : 5);

describe('This suite', () => {
  it('runs on the major of Express that it says it runs on', () => {
    expect(majorOf(express)).toBe(EXPRESS_MAJOR);
    expect(majorOf(otherExpress)).toBe(9 - EXPRESS_MAJOR);
  });
});

describe('A router made with one major of Express, in a host of the other', () => {
  it('answers, refuses, and passes on what is not ours', async () => {
    const app = otherExpress();
    app.use('/v1', createEndpointRouter({ endpoints: ['tcp://a'] }));
    app.use((req, res) => void res.status(299).send(req.url));
    expect((await supertest(serve(app)).get('/v1/_api/endpoint')).text).toBe('[{"endpoint":"http://a:8529"}]');
    expect((await supertest(serve(app)).post('/v1/_api/endpoint')).status).toBe(405);
    expect((await supertest(serve(app)).get('/v1/_db/other/_api/endpoint')).status).toBe(400);
    expect((await supertest(serve(app)).get('/v1/other')).text).toBe('/v1/other');
  });

  it('answers 500 when the provider rejects, and tells the host once', async () => {
    const onError = jest.fn();
    const app = otherExpress();
    app.use(createEndpointRouter({ endpoints: () => Promise.reject(new Error('x')), onError }));
    expect((await supertest(serve(app)).get('/_api/endpoint')).body).toMatchObject({ code: 500, errorNum: 4 });
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it('hands its errors to the error handler of the host', async () => {
    const app = otherExpress();
    app.use(createEndpointRouter({ endpoints: () => Promise.reject(new Error('x')), errors: 'forward' }));
    app.use((error: { status: number }, _req: Request, res: Response, next: NextFunction) => {
      if (res.headersSent) next(error);
      else res.status(299).send(String(error.status));
    });
    expect((await supertest(serve(app)).get('/_api/endpoint')).text).toBe('500');
  });
});
