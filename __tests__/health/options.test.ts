import { createHealthDirectory, type HealthDirectoryOptions } from '../../lib/health/index.js';
import { refusalOf } from '../support/upstream/upstream-directories.js';

const ENDPOINTS = 'option endpoints must be an array of endpoints, or a directory, got';
const CHECK = "option check must be 'tcp', an object with a path, as { path: '/status' }, or a function, got";
const ALLOW = 'option allow must be an array of one or more IP addresses or CIDR ranges, or a function, got';
const RANGE = 'must be an IP address or a CIDR range, as 10.0.0.0/8, got';
const HEADERS =
  'option headers must be a Headers object or an object of valid header names and values, or a function that gives one, got';

describe('an option that is refused is named with its value and what is allowed', () => {
  it.each<[string, unknown, string]>([
    ['endpoints', 'tcp://a', `${ENDPOINTS} "tcp://a"`],
    ['endpoints', undefined, `${ENDPOINTS} undefined`],
    ['endpoints', null, `${ENDPOINTS} null`],
    // The order of the two is wrong: a translated list has no states and no changes.
    ['endpoints', () => ['tcp://a'], `${ENDPOINTS} function`],
    ['endpoints', { provider: () => [] }, `${ENDPOINTS} object`],
    ['check', 'http', `${CHECK} "http"`],
    ['check', {}, `${CHECK} object`],
    ['check', null, `${CHECK} null`],
    ['check', undefined, `${CHECK} undefined`],
    ['check', { path: 'db/status' }, `${CHECK} { path: "db/status" }`],
    ['check', { path: ['/status'] }, `${CHECK} { path: an array }`],
    ['check', { path: '/a b' }, `${CHECK} { path: "/a b" }`],
    ['check', { path: '/a\r\nX: y' }, `${CHECK} { path: "/a\\r\\nX: y" }`],
    ['check', { path: '/ä' }, `${CHECK} { path: "/ä" }`],
    ['check', { path: '/', method: 'POST' }, `${CHECK} object`],
    ['headers', 'openSesame', `${HEADERS} a string`],
    ['headers', { a: 'openSesame\nx' }, `${HEADERS} object`],
    ['allow', [], `${ALLOW} an array`],
    ['allow', '10.0.0.0/8', `${ALLOW} "10.0.0.0/8"`],
    ['allow', ['10.0.0.0/33'], `option allow[0] ${RANGE} "10.0.0.0/33"`],
    ['allow', ['::1', 'db.example'], `option allow[1] ${RANGE} "db.example"`],
    ['allow', ['fe80::1%eth0'], `option allow[0] ${RANGE} "fe80::1%eth0"`],
    ['allow', ['::/129'], `option allow[0] ${RANGE} "::/129"`],
    ['allow', ['10.0.0.0/'], `option allow[0] ${RANGE} "10.0.0.0/"`],
    ['allow', ['/10.0.0.0/8'], `option allow[0] ${RANGE} "/10.0.0.0/8"`],
    ['allow', [['10.0.0.0/8']], `option allow[0] ${RANGE} an array`],
    ['allow', [7], `option allow[0] ${RANGE} 7`],
    ['intervalMs', 0, 'option intervalMs must be milliseconds from 1 to 2147483647, got 0'],
    ['timeoutMs', Infinity, 'option timeoutMs must be milliseconds from 1 to 2147483647, got Infinity'],
    ['connectTimeoutMs', -1, 'option connectTimeoutMs must be milliseconds from 1 to 2147483647, got -1'],
    ['fall', 0, 'option fall must be an integer from 1 to 100, got 0'],
    ['rise', 1.5, 'option rise must be an integer from 1 to 100, got 1.5'],
    ['whenNoneHealthy', 'some', "option whenNoneHealthy must be 'all', 'none' or 'fail', got \"some\""],
    ['signal', {}, 'option signal must be an AbortSignal, got object'],
    ['maxConcurrent', '50', 'option maxConcurrent must be an integer from 1 to 10000, got "50"'],
    ['interval', 5, 'unknown option "interval", did you mean intervalMs?'],
  ])('%s: %p', async (option, value, message) => {
    const options = { endpoints: [], [option]: value } as HealthDirectoryOptions;
    const error = await refusalOf(createHealthDirectory(options));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe(`createHealthDirectory: ${message}`);
  });

  it('all bad endpoints of a fixed list at once', async () => {
    const endpoints = ['tcp://a', 'unix:///run/db.sock', 'tcp://0.0.0.0'];
    const error = await refusalOf(createHealthDirectory({ endpoints }));
    expect(error.message.replace(/; allowed schemes.*/g, '')).toBe(
      'createHealthDirectory: option endpoints:\n  "unix:///run/db.sock" is not an endpoint: a cluster listing has no place for a unix socket\n' +
        '  "tcp://0.0.0.0" is not an endpoint: clients cannot connect to a wildcard address',
    );
  });

  it('allow beside a check of your own, which connects by itself', async () => {
    const error = await refusalOf(
      createHealthDirectory({ endpoints: [], check: () => Promise.resolve(), allow: ['::1'] }),
    );
    expect(error.message).toBe(
      'createHealthDirectory: option allow must not be there with a check of your own, which connects by itself',
    );
  });
});
