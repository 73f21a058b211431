import { get, type HandMadeCase } from './case.js';

const WHOLE: readonly HandMadeCase[] = [
  { bytes: get('/_api/endpoint'), answers: ['200'] },
  { bytes: get('/_db/%5Fsystem/_api/cluster/endpoints'), answers: ['200'] },
  { bytes: get('/_db/other/_api/endpoint', 'Content-Length: 2') + '{}', answers: ['400 / 1230'] },
  { bytes: `${get('/_api/endpoint', 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`, answers: ['200'] },
  { bytes: get('/_db/other/_api/endpoint') + get('/_api/endpoint'), answers: ['400 / 1230', '200'] },
];

/** Requests that arrive in two packets, cut at every byte, and in as many packets as they have bytes. */
export const SPLIT_CASES: readonly HandMadeCase[] = WHOLE.flatMap(({ bytes, answers }) => [
  ...Array.from({ length: bytes.length - 1 }, (_, index): HandMadeCase => ({
    bytes,
    packets: [bytes.slice(0, index + 1), bytes.slice(index + 1)],
    answers,
  })),
  { bytes, packets: bytes.split(''), answers },
]);
