import { get, type HandMadeCase } from './case.js';

/** What stands behind `/_db/`, and whether it is `_system` after one decoding. */
const DATABASE_NAMES: readonly (readonly [name: string, answer: 'system' | 'foreign' | 'invalid'])[] = [
  ['_system', 'system'],
  ['%5Fsystem', 'system'],
  ['%5F%73%79%73%74%65%6D', 'system'],
  ['other', 'foreign'],
  ['_SYSTEM', 'foreign'],
  ['_system_', 'foreign'],
  ['_system%20', 'foreign'],
  ['_system%0d%0a', 'foreign'],
  ['_system%00', 'foreign'],
  ['_system%2Fother', 'foreign'],
  ['other%2F..%2F_system', 'foreign'],
  ['_system%5c', 'foreign'],
  ['_system;x', 'foreign'],
  ['_system.', 'foreign'],
  ['.', 'foreign'],
  ['..', 'foreign'],
  ['%2e%2e', 'foreign'],
  ['*', 'foreign'],
  ['@_system', 'foreign'],
  ['_system:8529', 'foreign'],
  ['%255Fsystem', 'foreign'],
  ['_system%23', 'foreign'],
  ['%EF%BC%BFsystem', 'foreign'],
  ['%E2%80%8B_system', 'foreign'],
  ['_system%CC%81', 'foreign'],
  ['__proto__', 'foreign'],
  ['constructor', 'foreign'],
  ['x'.repeat(8000), 'foreign'],
  ['%', 'invalid'],
  ['%zz', 'invalid'],
  ['%u005Fsystem', 'invalid'],
  ['_system%', 'invalid'],
  ['%C1%9Fsystem', 'invalid'],
  ['%ff', 'invalid'],
  ['%ED%A0%80', 'invalid'],
  ['_system%c0%80', 'invalid'],
  ['%'.repeat(8000), 'invalid'],
];

/** Each name in every place in which a database can be written: below the mount path, in it, and in both. */
export const DATABASE_CASES: readonly HandMadeCase[] = DATABASE_NAMES.flatMap(([name, kind]): HandMadeCase[] => {
  const server = { system: '200', foreign: '400 / 1230', invalid: '400 / 1229' }[kind];
  const cluster = { system: '200', foreign: '403 / 1230', invalid: '400 / 1229' }[kind];
  // There the host decodes the name, and refuses by itself what cannot be decoded.
  const consumed = kind === 'invalid' ? '400 host' : server;
  return [
    { bytes: get(`/_db/${name}/_api/endpoint`), answers: [server] },
    { bytes: get(`/_db/${name}/_api/cluster/endpoints/?_system`), answers: [cluster] },
    { bytes: get(`http://a/v1/_db/${name}/_api/endpoint`), answers: [server] },
    { bytes: get(`/tenant/_db/${name}/_api/endpoint`), answers: [consumed] },
    { bytes: get(`/tenant/_db/_system/_db/${name}/_api/endpoint`), answers: [server] },
  ];
});
