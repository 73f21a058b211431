import { builtPackage } from '../support/package/built-package.js';
import { runCommand } from '../support/process/command.js';

/** Replaces what sends requests, as libraries that mock or trace them do, and asks for three listings. */
const SCRIPT = `
  import http from 'node:http';
  import https from 'node:https';
  const seen = [];
  for (const module of [http, https]) {
    module.request = (url) => {
      seen.push(String(url));
      // Etcd's hosts are not tried again after it.
      throw Object.assign(new Error('mocked'), { code: 'EPROTO' });
    };
  }
  const { createUpstreamDirectory } = await import('express-endpoint-listing/upstream');
  const { checkEndpoints } = await import('express-endpoint-listing/client');
  const { createEtcdDirectory } = await import('express-endpoint-listing/etcd');
  for (const scheme of ['http', 'https']) {
    await createUpstreamDirectory({ servers: [scheme + '://upstream:1'] }).catch(() => {});
    await checkEndpoints(scheme + '://check:1').catch(() => {});
    await createEtcdDirectory({ hosts: [scheme + '://etcd:1'] }).catch(() => {});
  }
  console.log(JSON.stringify([...new Set(seen.map((url) => new URL(url).origin))]));`;

describe('whoever replaces the request function of node:http and node:https', () =>
  it.each([
    ['ES modules', 'module', SCRIPT],
    [
      'CommonJS',
      'commonjs',
      `(async () => {${SCRIPT.replace(/import (\w+) from ('[^']+')/g, 'const $1 = require($2)')}})();`,
    ],
  ])('sees the requests of /upstream, /client and /etcd: %s', async (_what, type, script) => {
    const { folder } = await builtPackage();
    const said = await runCommand(process.execPath, [`--input-type=${type}`, '--eval', script], { cwd: folder });
    expect(JSON.parse(said)).toEqual([
      'http://upstream:1',
      'http://check:1',
      'http://etcd:1',
      'https://upstream:1',
      'https://check:1',
      'https://etcd:1',
    ]);
  }));
