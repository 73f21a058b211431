import express from 'express';
import request from 'supertest';
import { createEndpointRouter, type EndpointRouterOptions } from '../../lib/index.js';
import { coordinatorEndpoint, readEachEndpoint } from '../../lib/endpoint/listable.js';
import { thrownBy } from '../support/thrown.js';

const SCHEMES = 'tcp, ssl, http, https, http+tcp, http+ssl, http@tcp, http@ssl, unix, http+unix, http@unix';

async function listingOf(path: string, options: EndpointRouterOptions): Promise<string> {
  const app = express().use(createEndpointRouter(options));
  const response = await request(app).get(path).expect(200);
  return response.text;
}

const clusterListing = (endpoints: readonly string[]): Promise<string> =>
  listingOf('/_api/cluster/endpoints', { role: 'coordinator', endpoints });
const serverListing = (endpoints: readonly string[]): Promise<string> => listingOf('/_api/endpoint', { endpoints });

describe('The cluster listing', () => {
  it('shows tcp and ssl, however the schemes were written', async () => {
    const endpoints = ['http://a', 'HTTPS://b', 'http+tcp://c', 'http@ssl://d', 'tcp://[2001:DB8::1]/', 'ssl://f:1'];
    await expect(clusterListing(endpoints)).resolves.toBe(
      '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://a:8529"},{"endpoint":"ssl://b:8529"},' +
        '{"endpoint":"tcp://c:8529"},{"endpoint":"ssl://d:8529"},{"endpoint":"tcp://[2001:db8::1]:8529"},{"endpoint":"ssl://f:1"}]}',
    );
  });

  it.each([
    ['tcp://0.0.0.0:8529', 'clients cannot connect to a wildcard address'],
    ['https://0.0.0.0', 'clients cannot connect to a wildcard address'],
    ['tcp://[::]:8529', 'clients cannot connect to a wildcard address'],
    ['ssl://[0:0:0:0:0:0:0:0]:8529', 'clients cannot connect to a wildcard address'],
    ['tcp://[::0.0.0.0]:8529', 'clients cannot connect to a wildcard address'],
    ['tcp://[::ffff:0.0.0.0]:8529', 'clients cannot connect to a wildcard address'],
    ['tcp://[::FFFF:0:0]:8529', 'clients cannot connect to a wildcard address'],
    ['unix:///run/a.sock', 'a cluster listing has no place for a unix socket'],
    ['http+unix:///run/a.sock', 'a cluster listing has no place for a unix socket'],
    ['http@unix:///run/a.sock', 'a cluster listing has no place for a unix socket'],
    ['tcp://h:0', 'the port is outside 1 to 65535'],
  ])('has no place for %s: %s', (endpoint, reason) => {
    const create = (): unknown => createEndpointRouter({ role: 'coordinator', endpoints: ['tcp://good', endpoint] });
    expect(thrownBy(create)).toMatchObject({
      name: 'TypeError',
      message: `createEndpointRouter: option endpoints: "${endpoint}" is not an endpoint: ${reason}; allowed schemes: ${SCHEMES}`,
    });
  });

  it.each([
    ['tcp://0.0.0.1', 'tcp://0.0.0.1:8529'],
    ['tcp://[::1]', 'tcp://[::1]:8529'],
    ['tcp://127.0.0.1', 'tcp://127.0.0.1:8529'],
  ])('has a place for %s', async (endpoint, canonical) => {
    await expect(clusterListing([endpoint])).resolves.toBe(
      `{"error":false,"code":200,"endpoints":[{"endpoint":"${canonical}"}]}`,
    );
  });
});

describe('The listing of a single server', () => {
  it('shows http for tcp, https for ssl, and unix as it is', async () => {
    const endpoints = [
      'tcp://a',
      'SSL://b',
      'http://c',
      'https://d:443',
      'http@ssl://[::1]',
      'http+unix:///Run/A.sock',
    ];
    await expect(serverListing(endpoints)).resolves.toBe(
      '[{"endpoint":"http://a:8529"},{"endpoint":"https://b:8529"},{"endpoint":"http://c:8529"},' +
        '{"endpoint":"https://d:443"},{"endpoint":"https://[::1]:8529"},{"endpoint":"unix:///Run/A.sock"}]',
    );
  });

  it('shows wildcard addresses: they are what the server listens on', async () => {
    await expect(serverListing(['tcp://0.0.0.0', 'ssl://[0::0]:8530'])).resolves.toBe(
      '[{"endpoint":"http://0.0.0.0:8529"},{"endpoint":"https://[::]:8530"}]',
    );
  });
});

it('A list of endpoints that is read as a whole becomes their forms, in its order', () => {
  expect(readEachEndpoint('x', ['ssl://b', 'TCP://a:1'], coordinatorEndpoint)).toEqual(['ssl://b:8529', 'tcp://a:1']);
});
