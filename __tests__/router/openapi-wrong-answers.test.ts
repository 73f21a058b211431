import { readFileSync } from 'node:fs';
import { createOpenApiValidator, type WireResponse } from '../support/router/openapi-validator.js';

const validator = createOpenApiValidator(JSON.parse(readFileSync('openapi.json', 'utf8')) as object);

const CLUSTER = '/_api/cluster/endpoints';
const SERVER = '/_api/endpoint';

describe('an answer that openapi.json does not describe is found out', () => {
  const cluster = (body: string): Partial<WireResponse> => ({ body });
  const server = (body: string): Partial<WireResponse> => ({ path: SERVER, body });
  const refused = (body: string): Partial<WireResponse> => ({ status: 501, body });
  const headers = (changed: WireResponse['headers']): Partial<WireResponse> => ({ headers: changed });
  const good: WireResponse = {
    path: CLUSTER,
    method: 'GET',
    status: 200,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-length': '75',
      'cache-control': 'no-store',
      deprecation: '@1544054400',
      allow: 'GET',
    },
    body: '{"error":false,"code":200,"endpoints":[{"endpoint":"tcp://10.0.0.1:8529"}]}',
  };

  it('and the one that it is made of is described', () => {
    expect(validator.problems(good)).toEqual([]);
    expect(validator.problems({ ...good, path: SERVER, body: '[{"endpoint":"http://127.0.0.1:8529"}]' })).toEqual([]);
  });

  const entry = (endpoint: string): Partial<WireResponse> =>
    cluster(`{"error":false,"code":200,"endpoints":[{"endpoint":"${endpoint}"}]}`);
  const SHAPE =
    'body: /endpoints/0/endpoint must match pattern "^(tcp|ssl)://([a-z0-9_.-]+|\\[[0-9a-f:]+\\]):[1-9][0-9]{0,4}$"';
  const SERVER_SHAPE =
    'body: /0/endpoint must match pattern "^(https?://([a-z0-9_.-]+|\\[[0-9a-f:]+\\]):[1-9][0-9]{0,4}|unix:///[^?#]*[^?#/])$"';
  const ORDER = 'body: must pass "x-member-order" keyword validation';
  const MORE = 'must NOT have additional properties';

  it.each<[Partial<WireResponse>, ...problems: string[]]>([
    [cluster('<html>'), 'body: is not JSON'],
    [cluster('[]'), 'body: must be object'],
    [cluster('{"error":false,"code":200}'), "body: must have required property 'endpoints'", ORDER],
    [cluster('{"code":200,"error":false,"endpoints":[]}'), ORDER],
    [cluster('{"error":true,"code":200,"endpoints":[]}'), 'body: /error must be equal to constant'],
    [cluster('{"error":false,"code":201,"endpoints":[]}'), 'body: /code must be equal to constant'],
    [cluster('{"error":false,"code":200,"endpoints":null}'), 'body: /endpoints must be array'],
    [cluster('{"error":false,"code":200,"endpoints":["tcp://a:1"]}'), 'body: /endpoints/0 must be object'],
    [
      cluster('{"error":false,"code":200,"endpoints":[{"entrypoint":"tcp://a:1"}]}'),
      "body: /endpoints/0 must have required property 'endpoint'",
      `body: /endpoints/0 ${MORE}`,
    ],
    [
      entry('tcp://a:1"},{"endpoint":"tcp://a:1'),
      'body: /endpoints must NOT have duplicate items (items ## 0 and 1 are identical)',
    ],
    ...[
      'http://a:1',
      'tcp://a',
      'tcp://a:0',
      'TCP://a:1',
      'tcp://A:1',
      'tcp://a:1/',
      'tcp://u@a:1',
      'tcp://::1:1',
      'unix:///a',
    ].map((endpoint): [Partial<WireResponse>, string] => [entry(endpoint), SHAPE]),
    [server('{"endpoints":[]}'), 'body: must be array'],
    [server('[{"endpoint":"tcp://a:1"}]'), SERVER_SHAPE],
    [refused('{"code":500,"error":true,"errorMessage":"x","errorNum":9}'), 'body: /code must be equal to constant'],
    [refused('{"error":true,"code":501,"errorMessage":"x","errorNum":9}'), ORDER],
    [refused('{"code":501,"error":true,"errorMessage":"x","errorNum":"9"}'), 'body: /errorNum must be integer'],
    [refused('{"code":501,"error":false,"errorMessage":"x","errorNum":9}'), 'body: /error must be equal to constant'],
    [refused('{"code":501,"error":true,"errorMessage":"x","errorNum":9,"stack":""}'), `body: ${MORE}`, ORDER],
    [
      { status: 405, method: 'POST', body: '{"code":405,"error":true,"errorMessage":"x","errorNum":405}' },
      'body: /errorMessage must be equal to constant',
    ],
    [{ status: 405, method: 'HEAD', body: '{}' }, 'body: there must be none'],
    [
      headers({}),
      'header X-Content-Type-Options: is missing',
      'header Content-Length: is missing',
      'header Cache-Control: is missing',
      'header Content-Type:  is not described',
    ],
    [headers({ ...good.headers, 'content-type': 'text/html' }), 'header Content-Type: text/html is not described'],
    [headers({ ...good.headers, 'content-length': 'many' }), 'header Content-Length: must be integer'],
    [headers({ ...good.headers, 'cache-control': 'no-cache' }), 'header Cache-Control: must be equal to constant'],
    [
      { ...server('[]'), ...headers({ ...good.headers, deprecation: 'true' }) },
      'header Deprecation: must be equal to constant',
    ],
    [
      { ...server('[]'), ...headers({ ...good.headers, link: '</>; rel="successor-version"' }) },
      'header Link: must match pattern "^<(\\.\\./){1,2}_api/cluster/endpoints>; rel="successor-version"$"',
    ],
    [
      { status: 405, method: 'HEAD', body: '', ...headers({ ...good.headers, allow: 'GET, HEAD' }) },
      'header Allow: must be equal to constant',
    ],
  ])('%j', (changed, ...problems) => expect(validator.problems({ ...good, ...changed })).toEqual(problems));

  it.each([
    [{ status: 302 }, 'GET /_api/cluster/endpoints has no status 302'],
    [{ status: 405, method: 'PROPFIND' }, 'PROPFIND /_api/cluster/endpoints has no status 405'],
    [{ path: '/_api/endpoints' }, 'GET /_api/endpoints has no status 200'],
  ])('%j', (changed, message) => expect(() => validator.problems({ ...good, ...changed })).toThrow(new Error(message)));
});
