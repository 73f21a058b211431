import { isDeepStrictEqual } from 'node:util';
import type { HostProcess } from '../host-process.js';
import { remainsOf } from '../remains.js';
import { get, type HandMadeCase } from './case.js';
import { exchangeBytes, type RawOutcome } from './connection.js';
import { DATABASE_CASES } from './database-cases.js';
import { generatedRequests } from './generated.js';
import { FRAMING_CASES } from './framing-cases.js';
import { HEADER_CASES } from './header-cases.js';
import { namesOfAnswers } from './known-answers.js';
import { METHOD_CASES } from './method-cases.js';
import { SPLIT_CASES } from './split-cases.js';
import { TARGET_CASES } from './target-cases.js';
import { faultsOf } from './verdict.js';

/** Connections at a time. */
const ATTACKERS = 64;
const SHOWN_CHARACTERS = 300;

/** What became of an attack; `faults` is empty if all is well. */
export interface AttackReport {
  readonly sent: number;
  /** How often each answer came. */
  readonly answers: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

/**
 * Sends the hand-made requests and so many generated ones to a host, each on a connection of its own, and after each an
 * ordinary one on a fresh connection.
 */
export async function attackWithRawRequests(host: HostProcess, generated: number, seed: number): Promise<AttackReport> {
  const before = await host.figures();
  const answers: Record<string, number> = {};
  const faults: string[] = [];
  const attacks = [
    ...[TARGET_CASES, DATABASE_CASES, METHOD_CASES, HEADER_CASES, FRAMING_CASES, SPLIT_CASES]
      .flat()
      .map((handMade) => () => sendHandMade(host.port, handMade)),
    ...generatedRequests(generated, seed).map((packets) => () => sendGenerated(host.port, packets)),
  ];

  const queue = attacks.values();
  const attackers = Array.from({ length: ATTACKERS }, async () => {
    for (const attack of queue) {
      const { sent, outcome, wrong } = await attack();
      for (const name of namesOfAnswers(outcome.bytes)) answers[name] = (answers[name] ?? 0) + 1;
      const next = await sendHandMade(host.port, { bytes: get('/_api/endpoint'), answers: ['200'] });
      wrong.push(...next.wrong.map((fault) => `the next request: ${fault}`));
      for (const fault of wrong) faults.push(`${JSON.stringify(sent.slice(0, SHOWN_CHARACTERS))}: ${fault}`);
    }
  });
  await Promise.all(attackers);

  faults.push(...(await remainsOf(host, before)));
  return { sent: attacks.length, answers, faults };
}

interface Attempt {
  readonly sent: string;
  readonly outcome: RawOutcome;
  readonly wrong: string[];
}

async function sendHandMade(port: number, { bytes, packets = [bytes], answers }: HandMadeCase): Promise<Attempt> {
  // A 400 of Node may be its answer to the end of a request that is not whole.
  const awaited = answers.length - (answers.at(-1) === '400 node' ? 1 : 0);
  const outcome = await exchangeBytes(port, {
    chunks: chunksOf(packets),
    isAnswered: (received) => namesOfAnswers(received).length >= awaited,
    graceMs: 10_000,
  });
  const wrong = faultsOf(bytes, outcome);
  const names = namesOfAnswers(outcome.bytes);
  if (!isDeepStrictEqual(names, answers))
    wrong.push(`answered ${JSON.stringify(names)}, not ${JSON.stringify(answers)}`);
  return { sent: bytes, outcome, wrong };
}

async function sendGenerated(port: number, packets: readonly string[]): Promise<Attempt> {
  const sent = packets.join('');
  // Nobody knows how many answers there will be: a client that leaves too early gets fewer.
  const outcome = await exchangeBytes(port, { chunks: chunksOf(packets), isAnswered: () => false, graceMs: 20 });
  return { sent, outcome, wrong: faultsOf(sent, outcome) };
}

function chunksOf(packets: readonly string[]): Buffer[] {
  return packets.map((packet) => Buffer.from(packet, 'latin1'));
}
