import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runCommand } from '../support/process/command.js';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';
import { unpackPackage, type Project } from '../support/package/unpacked.js';

const BIN = 'node_modules/express-endpoint-listing/dist/esm/cli.js';
const MODULES = join(PACKAGE_FOLDER, 'node_modules');
const TOOLS = join(PACKAGE_FOLDER, 'tools/node_modules');

/** Starts a cluster, breaks it, and prints what it answers. */
const SCRIPT = `
startTestCluster({ coordinators: 2, auth: { password: 'secret' }, database: 'shop' }).then(async (cluster) => {
  const ask = async (path, authorization) => (await fetch(cluster.urls[0] + path, { headers: { authorization } })).status;
  const right = 'Basic ' + btoa('root:secret');
  const path = '/_db/_system/_api/cluster/endpoints';
  const seen = [await ask(path, ''), await ask(path, right), await ask('/_db/shop/_api/version', right), await ask('/_db/%zz/x', right)];
  cluster.trouble({ kind: 'gzip', times: 1 });
  cluster.trouble({ kind: 'status', status: 503 });
  seen.push(await ask(path, right), await ask(path, right));
  console.log(seen.join(' '));
  await cluster.close();
});`;

describe('express-endpoint-listing/testing, in a project of a user,', () => {
  let project: Project;
  beforeAll(async () => {
    project = await unpackPackage();
    await symlink(join(TOOLS, 'vitest'), join(project.folder, 'node_modules/vitest'), 'junction');
  });
  afterAll(() => project.remove());

  describe.each([
    ['Express 5', 'express'],
    ['Express 4', 'express4'],
  ])('beside %s', (_, express) => {
    beforeAll(async () => {
      const target = join(project.folder, 'node_modules/express');
      await rm(target);
      await symlink(join(MODULES, express), target, 'junction');
    });

    it.each([
      ['module', "import { startTestCluster } from 'express-endpoint-listing/testing';"],
      ['commonjs', "const { startTestCluster } = require('express-endpoint-listing/testing');"],
    ])('starts a cluster from a %s', async (type, load) => {
      const args = [`--input-type=${type}`, '--eval', load + SCRIPT];
      await expect(runCommand('node', args, { cwd: project.folder })).resolves.toBe('401 200 200 400 200 503\n');
    });
  });

  const JEST = [
    join(MODULES, 'jest/bin/jest.js'),
    '--rootDir',
    '.',
    '--testMatch',
    '**/*.example.cjs',
    '--maxWorkers=2',
  ];
  const VITEST = [join(TOOLS, 'vitest/vitest.mjs'), 'run', '--config', 'vitest.config.mjs'];

  it.each([
    ['jest', 'jest.example.cjs', JEST, 'jest'],
    ['vitest', 'vitest.example.mjs', VITEST, 'vi'],
  ])('runs the example for %s with fake timers too, both in workers side by side', async (_, example, args, timers) => {
    const text = await readFile(join(PACKAGE_FOLDER, 'example/testing', example), 'utf8');
    const withFakeTimers = text
      .replace('expect, test }', 'beforeEach, expect, test, vi }')
      .replace('beforeAll(async', `beforeEach(() => { ${timers}.useFakeTimers(); });\nbeforeAll(async`);
    expect(withFakeTimers).toContain('useFakeTimers');
    await writeFile(join(project.folder, example), text);
    await writeFile(join(project.folder, `fake-timers.${example}`), withFakeTimers);
    await writeFile(
      join(project.folder, 'vitest.config.mjs'),
      "export default { test: { include: ['*.example.mjs'] }, cacheDir: '.vitest' };\n",
    );
    await runCommand('node', args, { cwd: project.folder });
  });

  it('runs as a command, which ends with its stdin', async () => {
    const args = [BIN, 'test-cluster', '--coordinators', '1', '--until-stdin-closes'];
    const child = spawn(process.execPath, args, { cwd: project.folder, stdio: ['pipe', 'pipe', 'inherit'] });
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const { control, urls } = JSON.parse(line) as { control: string; urls: string[] };
    await fetch(`${control}/trouble`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: '{"kind":"status","status":503}',
    });
    expect((await fetch(`${String(urls[0])}/_api/cluster/endpoints`)).status).toBe(503);
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
