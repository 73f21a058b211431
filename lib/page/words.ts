import { domainToUnicode } from 'node:url';
import type { EntryCheck } from '../directory/directory.js';
import { firstOf, printable } from '../text/shown.js';
import type { ListingView, View } from './view.js';

/** How serious something is: the colour that goes with it. */
export type Kind = 'good' | 'warn' | 'bad' | 'idle';

/** The number of endpoints named in a sentence. */
const NAMED = 3;

/** What a reason comes to that may name an address behind this server, or hold the words of what answered there. */
const REASONS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^no answer within|ETIMEDOUT/, 'does not answer in time'],
  [/ECONNREFUSED/, 'refuses connections'],
  [/ENOTFOUND|EAI_AGAIN/, 'its name does not resolve'],
  [/EHOSTUNREACH|ENETUNREACH/, 'there is no route to it'],
  [/certificate|CERT_/i, 'its certificate is not trusted'],
  [/ECONNRESET|EPIPE|closed/, 'closes the connection'],
  [/not HTTP/, 'does not speak HTTP/1.1'],
  [/SSL|TLS/, 'TLS fails'],
];

/** The first line of the page: whether something is wrong, and what. */
export function firstLine(view: View): readonly [kind: Kind, words: string] {
  const { cluster, directory, role } = view;
  if (role === undefined) return ['bad', 'The role of this server cannot be told: the cluster route answers 500.'];
  if (cluster === undefined) return ['idle', 'This server is not a Coordinator: the cluster route answers 501.'];
  const age = duration(directory?.ageMs ?? 0);
  if (directory?.state === 'closed') return ['bad', 'The directory is closed: the cluster route answers 503.'];
  if (directory?.state === 'expired')
    return ['bad', `The list has expired: its source has not answered for ${age}. The cluster route answers 503.`];
  const [kind, words] = linesOf(cluster, view);
  if (directory?.state !== 'stale') return [kind, words];
  const isGood = kind === 'good' || kind === 'idle';
  return [isGood ? 'warn' : kind, `The list is ${age} old: its source does not answer. ${words}`];
}

function linesOf({ rows, problem, count }: ListingView, view: View): readonly [kind: Kind, words: string] {
  const members = rows.filter(({ state }) => state !== 'left');
  const down = members.filter(({ check }) => check?.state === 'down');
  const few = ['No coordinator', 'The only coordinator', 'Both coordinators'];
  const all = few[members.length] ?? `All ${String(members.length)} coordinators`;
  const are = members.length === 1 ? 'is' : 'are';
  if (view.areAllDown) {
    const what = down.length === 0 ? 'No coordinator has been checked yet.' : `${all} ${are} down.`;
    const served = { all: 'The whole list is served until one recovers.', none: 'An empty list is served.', fail: '' };
    return ['bad', `${what} ${problem ?? served[view.directory?.whenNoneHealthy ?? 'all']}`.trim()];
  }
  if (problem !== undefined) return ['bad', `The list could not be loaded: ${problem}`];
  if (down.length > 0) {
    const names = down.map(({ endpoint }) => endpoint);
    const these = `${down.length === 1 ? 'is' : 'are'} down: ${firstOf(names, ', ', NAMED)}.`;
    return ['bad', `${String(down.length)} of ${String(members.length)} coordinators ${these}`];
  }
  if (count === 0) {
    return ['warn', 'No endpoint is listed. Drivers that take this list keep the hosts they have, or fail.'];
  }
  if (members.every(({ check }) => check?.state === 'up')) return ['good', `${all} ${are} healthy.`];
  return ['idle', `${count === 1 ? '1 coordinator is' : `${String(count)} coordinators are`} listed.`];
}

/** Why a check fails. Its own words are for those who may see what is behind this server. */
export function whyDown({ reason }: EntryCheck, showSources: boolean): string | undefined {
  if (reason === undefined || showSources) return reason;
  const [, status] = /^the answer is (\d{3})$/.exec(reason) ?? [];
  if (status !== undefined) return `answers with status ${status}`;
  return REASONS.find(([pattern]) => pattern.test(reason))?.[1];
}

/** The Unicode form of a host name in punycode; nothing of any other endpoint. */
export function unicodeOf(endpoint: string): string | undefined {
  if (!endpoint.includes('xn--')) return undefined;
  return printable(domainToUnicode(endpoint.replaceAll(/^\w+:\/\/|:\d+$/g, '')));
}

/** `5 s`, `12 min`, `3 h`, `2 d` */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${String(seconds)} s`;
  if (seconds < 7200) return `${String(Math.round(seconds / 60))} min`;
  if (seconds < 172_800) return `${String(Math.round(seconds / 3600))} h`;
  return `${String(Math.round(seconds / 86_400))} d`;
}

/** The same as a time in the past. */
export function ago(ms: number): string {
  return ms < 500 ? 'just now' : `${duration(ms)} ago`;
}
