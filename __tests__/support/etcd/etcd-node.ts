import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { hasEnded } from '../process/child.js';
import { engineFile } from './engines.js';
import { until } from '../until.js';

const LOG_CHARACTERS = 4000;

/** How a member of an etcd cluster is started. */
export interface EtcdNodeSettings {
  readonly name: string;
  /** The folder of its data, which it makes. */
  readonly folder: string;
  /** Where clients ask, in a form for `hosts`. */
  readonly url: string;
  readonly peerUrl: string;
  /** Plain HTTP on 127.0.0.1: answers `/health` and `/metrics`, whatever `url` needs. */
  readonly metricsUrl: string;
  readonly flags: readonly string[];
  /** The user to run as; default: the one who runs the tests. */
  readonly uid: number | undefined;
}

/** One etcd process, on the same ports and data each time that it is started. */
export class EtcdNode {
  readonly #settings: EtcdNodeSettings;
  #child: ChildProcess | undefined;
  #log = '';

  constructor(settings: EtcdNodeSettings) {
    this.#settings = settings;
  }

  get url(): string {
    return this.#settings.url;
  }

  get peerPort(): string {
    return new URL(this.#settings.peerUrl).port;
  }

  get uid(): number | undefined {
    return this.#settings.uid;
  }

  /** Starts it, and waits until it takes part in a majority. */
  async start(): Promise<void> {
    await this.spawn();
    await this.healthy();
  }

  async spawn(): Promise<void> {
    const { name, folder, url, peerUrl, metricsUrl, flags, uid } = this.#settings;
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o700);
    if (uid !== undefined) await chown(folder, uid, uid);
    const clients = ['--listen-client-urls', url, '--advertise-client-urls', url, '--listen-metrics-urls', metricsUrl];
    const peers = ['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl];
    const child = spawn(engineFile('etcd'), ['--name', name, '--data-dir', folder, ...clients, ...peers, ...flags], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(uid !== undefined && { uid, gid: uid }),
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log = (this.#log + text).slice(-LOG_CHARACTERS);
    });
    this.#child = child;
    await once(child, 'spawn');
  }

  async healthy(): Promise<void> {
    await until(
      `etcd ${this.url} is healthy`,
      async () => {
        if (!this.#runs()) throw new Error(`etcd has ended:\n${this.#log}`);
        return (await this.metrics('/health').catch(() => '')).includes('"health":"true"');
      },
      30_000,
    );
  }

  /** What it says of itself. */
  async metrics(path: '/health' | '/metrics'): Promise<string> {
    const request = get(this.#settings.metricsUrl + path, { agent: false, timeout: 2000 });
    request.once('timeout', () => request.destroy(new Error('no answer')));
    const [response] = (await once(request, 'response')) as [AsyncIterable<Buffer>];
    let text = '';
    for await (const bytes of response) text += bytes.toString();
    return text;
  }

  /** Ends it by SIGTERM or SIGKILL; a frozen one as well. */
  async stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (!this.#child || !this.#runs()) return;
    const ended = once(this.#child, 'close');
    this.#child.kill(signal);
    await ended;
  }

  /** SIGSTOP: the sockets stay, nobody answers. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Removes its data; only while it is stopped. */
  async wipe(): Promise<void> {
    await rm(this.#settings.folder, { recursive: true, force: true });
  }

  #runs(): boolean {
    return this.#child !== undefined && !hasEnded(this.#child);
  }
}
