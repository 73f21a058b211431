import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { builtPackage } from '../support/package/built-package.js';
import { start } from '../support/process/child.js';

/** What the page, the check and the status are in the package. */
const EXTRAS = ['check.js', 'drivers.js', 'run-check.js', 'page.js', 'status.js'];

/** The files of the package that a process has loaded by the end of its life, as V8 itself counts them. */
async function loadedBy(args: readonly string[], whenItSays?: RegExp): Promise<string[]> {
  const { folder } = await builtPackage();
  const coverage = mkdtempSync(join(tmpdir(), 'loaded-'));
  const { child, stdout, stderr } = start(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, NODE_V8_COVERAGE: coverage },
  });
  const dist = pathToFileURL(join(folder, 'dist/')).href;
  child.stdout?.on('data', () => {
    if (whenItSays?.test(stdout()) === true && !child.killed) child.kill('SIGTERM');
  });
  const [exitCode] = (await once(child, 'close')) as [number];
  if (exitCode !== 0) throw new Error(stdout() + stderr());
  const loaded = readdirSync(coverage).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(coverage, file), 'utf8')) as { result: { url: string }[] };
    return result.filter(({ url }) => url.startsWith(dist)).map(({ url }) => url.slice(dist.length));
  });
  rmSync(coverage, { recursive: true });
  return loaded.sort();
}

const extrasIn = (files: readonly string[]): string[] =>
  files.map((file) => file.replace(/^.*\//, '')).filter((name) => EXTRAS.includes(name));

/** A host with the router, which answers a request of each kind and ends. */
const HOST = `
  const router = createEndpointRouter({ role: 'coordinator', endpoints: ['tcp://127.0.0.1:8529'] });
  const server = express().use(router).listen(0, async () => {
    const url = 'http://127.0.0.1:' + server.address().port;
    for (const route of ['/_api/cluster/endpoints', '/_api/endpoint', '/']) await (await fetch(url + route)).text();
    server.close();
    server.closeAllConnections();
  });`;

describe('A host that does not ask for the page, the check or the metrics', () => {
  it('loads not a byte of them: as ES modules', async () => {
    const imports = `import express from 'express';
      import { createEndpointRouter } from 'express-endpoint-listing';`;
    const files = await loadedBy(['--input-type=module', '--eval', imports + HOST]);
    expect(files).toEqual(['esm/index.js', 'esm/shared/core.js']);
  });

  it('loads no check, and nothing that only the check needs, with fetchEndpoints', async () => {
    const script = `
      const { fetchEndpoints } = require('express-endpoint-listing/client');
      const tls = process.moduleLoadList.filter((name) => /^NativeModule (?:tls|https|dns)$/.test(name));
      if (tls.length > 0) throw new Error(tls.join());
      const server = require('node:http').createServer((req, res) => {
        res.setHeader('content-type', 'application/json').end('[]');
      }).listen(0, async () => {
        await fetchEndpoints('http://127.0.0.1:' + server.address().port);
        server.close();
        server.closeAllConnections();
      });`;
    expect(extrasIn(await loadedBy(['--input-type=commonjs', '--eval', script]))).toEqual([]);
  });
});

describe('The command', () => {
  const serve = ['dist/esm/cli.js', '--server.endpoint', 'tcp://127.0.0.1:0'];

  it('loads none of them for a server that has no use for them', async () => {
    expect(extrasIn(await loadedBy(serve, /try: curl/))).toEqual([]);
  });

  it('loads what it is asked for', async () => {
    const args = [...serve, '--page', 'true', '--status.endpoint', 'tcp://127.0.0.1:0'];
    expect(extrasIn(await loadedBy(args, /try: curl/))).toEqual(expect.arrayContaining(['page.js', 'status.js']));
    expect(extrasIn(await loadedBy(['dist/esm/cli.js', 'check', '--help']))).toEqual(['run-check.js']);
  });
});
