import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { builtPackage } from '../support/package/built-package.js';
import { removeFolder, temporaryFolder } from '../support/package/package-folder.js';
import { readDockerfile } from '../support/deploy/deploy-files.js';
import { end } from '../support/process/child.js';
import { runCommand } from '../support/process/command.js';
import { freePort } from '../support/process/free-port.js';
import { until } from '../support/until.js';

describe('The steps of the Dockerfile, one by one', () => {
  const { run, command, healthCheck } = readDockerfile();
  const ports = new Map<string, number>();
  let folder: string;
  let server: ChildProcess | undefined;

  beforeAll(async () => {
    folder = await temporaryFolder();
    for (const port of ['8529', '8530']) ports.set(port, await freePort());
  });
  afterAll(async () => {
    if (server !== undefined) await end(server);
    await removeFolder(folder);
  });

  /** With ports that are free on this machine, in the places of those that the container has for itself. */
  const onFreePorts = (words: readonly string[]): string[] =>
    words.map((word) => word.replace(/85(?:29|30)/g, (port) => String(ports.get(port))));

  it('install the package and what it needs to run, and nothing for development', async () => {
    const { tarball } = await builtPackage();
    const [install = ''] = run;
    const ours = install.replace('"express-endpoint-listing@${VERSION}"', tarball);
    expect(ours).not.toBe(install);
    await runCommand('sh', ['-ec', ours], { cwd: folder });
    const modules = readdirSync(`${folder}/node_modules`);
    expect(modules).toEqual(expect.arrayContaining(['express', 'express-endpoint-listing', 'http-errors']));
    expect(modules).not.toEqual(expect.arrayContaining(['typescript']));
    expect(modules).not.toEqual(expect.arrayContaining(['jest']));
  });

  it('start a server that is healthy, and no longer once it has stopped', async () => {
    const [program = '', ...args] = onFreePorts(command);
    const [shell = '', ...check] = onFreePorts(healthCheck);
    const isHealthy = (): Promise<boolean> =>
      runCommand(shell, check, { cwd: folder }).then(
        () => true,
        () => false,
      );

    await expect(isHealthy()).resolves.toBe(false);
    server = spawn(program, args, { cwd: folder, stdio: 'ignore' });
    await until('it is healthy', isHealthy);
    await end(server, 'SIGTERM');
    expect(server.exitCode).toBe(0);
    await expect(isHealthy()).resolves.toBe(false);
  });
});
