import { planInQuery } from './figures.js';
import { HostProcess, type HostOptions } from './host-process.js';
import { KeepAliveClient } from './keep-alive-client.js';
import { remainsOf } from './remains.js';

export interface HangingProviderReport {
  /** Calls of the provider for all these clients: where each request has its own, and where they share one. */
  readonly calls: { readonly own: number; readonly shared: number };
  readonly faults: readonly string[];
}

/** Long enough for all requests to arrive before the first has waited in vain. */
const TIMEOUT_MS = 2_000;
const NEVER_MS = 600_000;
const TOO_SLOW = '{"code":503,"error":true,"errorMessage":"service unavailable","errorNum":503}';
const OWN_CALL = `/_api/endpoint${planInQuery({ outcome: 'hang', delayMs: 0, port: 1 })}`;
const SHARED_CALL = '/shared/_api/endpoint';

/** A provider that never answers, asked by so many clients at once. */
export async function hangProvider(
  expressMajor: HostOptions['expressMajor'],
  clients: number,
): Promise<HangingProviderReport> {
  const start = (timeoutMs: number): Promise<HostProcess> => HostProcess.start({ expressMajor, timeoutMs });
  const patient = await start(NEVER_MS);
  const served = await serveOthers(patient, clients);
  await patient.stop();

  const strict = await start(TIMEOUT_MS);
  const own = await waitInVain(strict, clients, OWN_CALL);
  await strict.stop();

  const sharing = await start(TIMEOUT_MS);
  const shared = await waitInVain(sharing, clients, SHARED_CALL);
  await sharing.stop();
  // A new call begins only when one has been waited for in vain: on a busy machine the requests may arrive in several lots.
  const lots = Math.max(1, Math.floor(shared.ms / TIMEOUT_MS));

  return {
    calls: { own: own.calls, shared: shared.calls },
    faults: [
      ...served,
      ...own.faults,
      ...shared.faults,
      ...(own.calls === clients ? [] : [`${String(own.calls)} calls for ${String(clients)} requests`]),
      ...(shared.calls <= lots ? [] : [`${String(shared.calls)} shared calls in ${String(shared.ms)} ms`]),
    ],
  };
}

interface Wait {
  readonly calls: number;
  readonly ms: number;
  readonly faults: readonly string[];
}

/** Whoever asks for something else is answered while all those wait, and all those calls end when the clients leave. */
async function serveOthers(host: HostProcess, clients: number): Promise<string[]> {
  const before = await host.figures();
  const waiting = await openClients(host, clients);
  const lost = waiting.map((client) => client.ask(OWN_CALL).catch(() => undefined));
  await host.figuresWhen(({ running }) => running === clients);

  const other = await KeepAliveClient.open(host.port);
  const faults: string[] = [];
  for (const target of ['/alive', '/_api/endpoint', '/_api/cluster/endpoints', '/alive']) {
    const { status } = await other.ask(target);
    if (status !== 200) faults.push(`${target} was answered ${String(status)}`);
  }
  const { running } = await host.figures();
  if (running !== clients) faults.push(`${String(running)} of ${String(clients)} calls still ran`);

  for (const client of [...waiting, other]) client.close();
  await Promise.all(lost);
  return [...faults, ...(await remainsOf(host, before))];
}

/** All are answered 503, and no call goes on that nobody waits for. */
async function waitInVain(host: HostProcess, clients: number, target: string): Promise<Wait> {
  const before = await host.figures();
  const waiting = await openClients(host, clients);
  const start = performance.now();
  const answers = await Promise.all(waiting.map((client) => client.ask(target)));
  const ms = performance.now() - start;
  const misfits = answers.filter(({ status, body }) => status !== 503 || body !== TOO_SLOW);

  for (const client of waiting) client.close();
  const remains = await remainsOf(host, before);
  const { asked, aborted } = await host.figures();
  const faults = [...misfits.map((answer) => `answered ${JSON.stringify(answer)}`), ...remains];
  if (aborted['TimeoutError'] !== asked) faults.push('a call that nobody waits for was not told so');
  return { calls: asked, ms, faults };
}

function openClients(host: HostProcess, count: number): Promise<KeepAliveClient[]> {
  return Promise.all(Array.from({ length: count }, () => KeepAliveClient.open(host.port)));
}
