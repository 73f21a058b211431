import type { EndpointRouterOptions } from '../../lib/index.js';
import { countConstructions, type Constructions } from '../support/router/constructions.js';
import { serverOf } from '../support/router/host.js';
import { rawAnswer, request } from '../support/router/raw.js';

const CLUSTER = '/_api/cluster/endpoints';
const SERVER = '/_api/endpoint';

let errors: Constructions;
let captures: jest.SpyInstance;

beforeEach(() => {
  errors = countConstructions('Error');
  captures = jest.spyOn(Error, 'captureStackTrace');
});

afterEach(() => {
  jest.restoreAllMocks();
  errors.stop();
});

const options: EndpointRouterOptions = { endpoints: ['tcp://a'], onError: () => undefined };

describe('A refusal costs no stack trace', () => {
  it.each<[number, string, EndpointRouterOptions, string, string]>([
    [405, 'for another method', options, 'DELETE', SERVER],
    [405, 'for another method of the cluster route', options, 'DELETE', CLUSTER],
    [400, 'for a database whose name cannot be decoded', options, 'GET', `/_db/%zz${SERVER}`],
    [400, 'for another database', options, 'GET', `/_db/other${SERVER}`],
    [403, 'for another database of the cluster route', options, 'GET', `/_db/other${CLUSTER}`],
    [501, 'on a server that is not a coordinator', options, 'GET', CLUSTER],
    [403, 'on such a server for old clients', { ...options, notCoordinatorStatus: 403 }, 'GET', CLUSTER],
  ])('%d %s', async (status, _what, refusing, method, path) => {
    expect(await rawAnswer(serverOf(refusing), request(method, path))).toMatch(`HTTP/1.1 ${String(status)} `);
    expect(errors.count).toBe(0);
    expect(captures).not.toHaveBeenCalled();
  });

  it('while an error of the provider has one', async () => {
    const endpoints = (): never => {
      throw new Error('down');
    };
    expect(await rawAnswer(serverOf({ ...options, endpoints }), request('GET', SERVER))).toMatch('HTTP/1.1 500 ');
    expect(errors.count).toBe(2);
    expect(captures).toHaveBeenCalled();
  });
});
