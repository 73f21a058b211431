import supertest from 'supertest';
import type { EndpointRouterOptions } from '../../lib/index.js';
import { serverOf } from '../support/router/host.js';

const coordinator: EndpointRouterOptions = { role: 'coordinator', endpoints: ['tcp://a'] };

describe('Link to the successor, on the single route of a coordinator', () => {
  it.each([
    ['/_api/endpoint', 'http://h/_api/cluster/endpoints'],
    ['/_api/endpoint/', 'http://h/_api/cluster/endpoints'],
    ['/_db/_system/_api/endpoint', 'http://h/_db/_system/_api/cluster/endpoints'],
    ['/_db/_system/_api/endpoint/?x=1', 'http://h/_db/_system/_api/cluster/endpoints'],
  ])('from %s leads to %s', async (path, target) => {
    const { headers } = await supertest(serverOf(coordinator)).get(path);
    const [, reference = ''] = /^<([^>]+)>; rel="successor-version"$/.exec(headers['link'] ?? '') ?? [];
    expect(new URL(reference, `http://h${path}`).href).toBe(target);
  });
});
