import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtPackage } from '../package/built-package.js';
import { PACKAGE_FOLDER, removeFolder, temporaryFolder } from '../package/package-folder.js';
import { runCommand } from '../process/command.js';
import { engineFile } from '../etcd/engines.js';
import type { Machine } from './network.js';

/** What a program printed, and how it ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Works as root without systemd, cgroups of version 2 or a network of its own. */
const EVERYWHERE = ['--storage-driver', 'vfs', '--cgroup-manager', 'cgroupfs', '--runtime', 'runc'];
const CONFIGURATION = '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1000:1000"]\n';
const BASE = 'docker.io/library/node:22-bookworm-slim';

/** podman with a store of its own, and the image that deploy/Dockerfile describes: `endpoint-listing`. */
export class Podman {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Builds the image on a base made of this machine's Node and npm, with the packed package in the place of a published one. */
  static async withImage(): Promise<Podman> {
    const folder = await temporaryFolder();
    const podman = new Podman(folder);
    await writeFile(join(folder, 'containers.conf'), CONFIGURATION);
    const { tarball } = await builtPackage();
    await podman.#importBase();
    const cafile = (await runCommand('npm', ['config', 'get', 'cafile'], { cwd: folder })).trim();
    const cache = (await runCommand('npm', ['config', 'get', 'cache'], { cwd: folder })).trim();
    const hasCafile = existsSync(cafile);
    await writeFile(
      join(folder, 'npmrc'),
      `cache=/npm-cache\nprefer-offline=true\n${hasCafile ? 'cafile=/ca.crt\n' : ''}`,
    );
    const mounts = [`${tarball}:/package.tgz:ro`, `${join(folder, 'npmrc')}:/root/.npmrc:ro`, `${cache}:/npm-cache`];
    if (hasCafile) mounts.push(`${cafile}:/ca.crt:ro`);
    const built = await podman.do(
      ['build', '--format', 'docker', '--layers=false', '--network', 'host'],
      mounts.flatMap((mount) => ['--volume', mount]),
      ['--build-arg', 'VERSION=file:/package.tgz', '--tag', 'endpoint-listing', join(PACKAGE_FOLDER, 'deploy')],
    );
    if (built.code !== 0) throw new Error(built.stdout + built.stderr);
    return podman;
  }

  /** Runs podman to its end. */
  do(...args: readonly (readonly string[])[]): Promise<Ended> {
    return this.#execute([], args.flat());
  }

  /**
   * `podman kube play` of a manifest, with a machine as the network of its pods; fails with what podman says.
   *
   * @param hosts - The lines of /etc/hosts.
   */
  async play(machine: Machine, manifest: string, hosts: string): Promise<void> {
    const [file, hostsFile] = [join(this.#folder, 'manifest.yaml'), join(this.#folder, 'hosts')];
    await writeFile(file, manifest);
    await writeFile(hostsFile, hosts);
    // Its network "host" and its /etc/hosts are those that podman itself has.
    const script = 'mount --bind "$0" /etc/hosts && exec "$@"';
    const within = ['nsenter', `--net=/run/netns/${machine.name}`, 'unshare', '--mount', 'sh', '-c', script, hostsFile];
    const { code, stdout, stderr } = await this.#execute(within, ['kube', 'play', '--network', 'host', file]);
    if (code !== 0) throw new Error(stdout + stderr);
  }

  #execute(before: readonly string[], args: readonly string[]): Promise<Ended> {
    const [program = '', ...all] = [...before, engineFile('podman'), ...EVERYWHERE, ...this.#store(), ...args];
    const env = { ...process.env, CONTAINERS_CONF: join(this.#folder, 'containers.conf') };
    return new Promise((resolve) => {
      execFile(program, all, { timeout: 300_000, env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });
  }

  /** `podman run` of the image to its end, on a machine of a network. */
  run(machine: Machine, options: readonly string[], args: readonly string[]): Promise<Ended> {
    return this.do(['run', '--rm', '--network', `ns:/run/netns/${machine.name}`], options, [
      'endpoint-listing',
      ...args,
    ]);
  }

  /** `podman run --detach`; fails with what podman says. */
  async start(name: string, machine: Machine, options: readonly string[], args: readonly string[]): Promise<void> {
    const { code, stderr } = await this.run(machine, ['--detach', '--name', name, ...options], args);
    if (code !== 0) throw new Error(stderr);
  }

  async isRunning(name: string): Promise<boolean> {
    return (await this.do(['inspect', '--format', '{{.State.Running}}', name])).stdout === 'true\n';
  }

  /** Whether HEALTHCHECK says that a container is healthy, asked once. */
  async isHealthy(name: string): Promise<boolean> {
    return (await this.do(['healthcheck', 'run', name])).code === 0;
  }

  async log(name: string): Promise<string> {
    const { stdout, stderr } = await this.do(['logs', name]);
    return stdout + stderr;
  }

  /** Ends all containers and pods. */
  async clear(): Promise<void> {
    await this.do(['pod', 'rm', '--all', '--force', '--time', '0']);
    await this.do(['rm', '--all', '--force', '--time', '0']);
  }

  /** Ends all containers, and removes everything that is stored. */
  async remove(): Promise<void> {
    await this.clear();
    await removeFolder(this.#folder);
  }

  #store(): readonly string[] {
    return ['--root', join(this.#folder, 'store'), '--runroot', join(this.#folder, 'run')];
  }

  async #importBase(): Promise<void> {
    const tar = join(this.#folder, 'base.tar');
    await mkdir(join(this.#folder, 'run'), { recursive: true });
    const script = join(PACKAGE_FOLDER, '__tests__/support/deploy/base-image.sh');
    await runCommand('bash', ['-c', '"$0" "$1" >"$2"', script, process.execPath, tar], { cwd: this.#folder });
    const { code, stderr } = await this.do(['import', tar, BASE]);
    if (code !== 0) throw new Error(stderr);
  }
}
