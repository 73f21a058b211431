/**
 * The mutants that no test can kill, each with the reason. What is not in here and survives makes the run fail.
 *
 * `code` is what stands in the module, `replacement` what the mutant has in its place.
 */
export const SURVIVORS = [
  {
    file: 'lib/client/answer.ts',
    code: 'type === null',
    replacement: 'false',
    reason: 'a regular expression takes null for the text "null", which is no JSON type either',
  },
  {
    file: 'lib/client/body-bytes.ts',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'a text has no bytes to copy',
  },
  {
    file: 'lib/client/body-bytes.ts',
    code: 'needed > bytes.byteLength',
    replacement: 'needed >= bytes.byteLength',
    reason: 'the buffer grows one piece earlier, with the same bytes in it',
  },
  {
    file: 'lib/client/body-bytes.ts',
    code: '2 * bytes.byteLength',
    replacement: '2 / bytes.byteLength',
    reason: 'the buffer grows more often, with the same bytes in it',
  },
  {
    file: 'lib/client/deadline.ts',
    code: 'signal?.reason',
    replacement: 'signal.reason',
    reason: 'only that signal calls it, so there is one',
  },
  {
    file: 'lib/client/options.ts',
    code: 'value === null',
    replacement: 'false',
    reason: 'new Headers(null) throws, and the value is refused as well',
  },
  {
    file: 'lib/client/server-url.ts',
    code: 'authorization !== undefined',
    replacement: 'true',
    reason: 'a property that is undefined reads like none',
  },
  {
    file: 'lib/endpoint/parse.ts',
    code: 'close < 0',
    replacement: 'close <= 0',
    reason: 'the text begins with "[", so "]" is never its first character',
  },
  {
    file: 'lib/endpoint/parse.ts',
    code: 'colon < 0',
    replacement: 'colon <= 0',
    reason: 'a colon that comes first has no host before it, which is refused earlier',
  },
  {
    file: 'lib/server/config/command-line.ts',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'a text has no name of an option, so it is taken for no value of any',
  },
  {
    file: 'lib/server/config/config-file.ts',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'a text has no name of an option, so it is taken for no value of any',
  },
  {
    file: 'lib/server/config/config-line.ts',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'only what stands behind the first place is read, which is undefined either way',
  },
  {
    file: 'lib/server/config/config-line.ts',
    code: "{ kind: 'nothing' }",
    replacement: '{}',
    reason: 'nobody asks for this kind: it is what is none of the others',
  },
  {
    file: 'lib/server/config/config-line.ts',
    code: "'nothing'",
    replacement: '""',
    reason: 'nobody asks for this kind: it is what is none of the others',
  },
  {
    file: 'lib/server/config/file-text.ts',
    code: '{ bigint: true }',
    replacement: '{}',
    reason: 'a test cannot make a file whose number is above 2^53',
  },
  {
    file: 'lib/server/config/file-text.ts',
    code: 'true',
    replacement: 'false',
    reason: 'a test cannot make a file whose number is above 2^53',
  },
  {
    file: 'lib/server/config/nearest-name.ts',
    code: 'Math.abs(from.length - to.length) >= limit',
    replacement: 'Math.abs(from.length - to.length) > limit',
    reason: 'it spares work only: the distance is at least the difference of the lengths',
  },
  {
    file: 'lib/server/config/nearest-name.ts',
    code: 'Math.abs(from.length - to.length) >= limit',
    replacement: 'false',
    reason: 'it spares work only: the distance is at least the difference of the lengths',
  },
  {
    file: 'lib/server/config/server-options.ts',
    code: "''",
    replacement: '"Stryker was here!"',
    reason: 'neither is a role, so the default counts',
  },
  {
    file: 'lib/server/config/value-readers.ts',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'only what stands behind the first place is read, which is undefined either way',
  },
  {
    file: 'lib/server/listen/bind.ts',
    code: "'error'",
    replacement: '""',
    reason: 'the listener that stays can only reject a promise that is settled',
  },
  {
    file: 'lib/server/listen/endpoint-list.ts',
    code: '[]',
    replacement: '["Stryker was here"]',
    reason: 'only what stands behind the first place is read, which is undefined either way',
  },
  {
    file: 'lib/server/listen/endpoint-list.ts',
    code: 'address !== undefined',
    replacement: 'true',
    reason: 'no address is an error that is caught, and the text is read as a whole',
  },
  {
    file: 'lib/server/listen/socket-file.ts',
    code: '!(await isRefused(path))',
    replacement: 'false',
    reason: 'the first look spares the wait; the second comes to the same',
  },
  {
    file: 'lib/server/listen/socket-file.ts',
    code: 'found === undefined',
    replacement: 'true',
    reason: 'a file that is there has a folder',
  },
  {
    file: 'lib/server/listen/socket-file.ts',
    code: 'false',
    replacement: 'true',
    reason: 'where the file can be missing, the error is caught and means the same',
  },
  {
    file: 'lib/server/listen/socket-file.ts',
    code: "':'",
    replacement: '""',
    reason: 'numbers of so many digits do not run together to those of another file',
  },
  {
    file: 'lib/server/listen/socket-file.ts',
    code: 'there === undefined',
    replacement: 'false',
    reason: 'a file that is missing cannot be moved, and that error means the same',
  },
  {
    file: 'lib/server/listen/targets.ts',
    code: "host === '::'",
    replacement: 'true',
    reason: 'the flag says nothing for any other address',
  },
  {
    file: 'lib/server/listen/targets.ts',
    code: 'isIP(host) !== 0',
    replacement: 'false',
    reason: 'looking up an address gives that address',
  },
  {
    file: 'lib/server/listen/tls-options.ts',
    code: "'latin1'",
    replacement: '""',
    reason: 'the bytes are the same, and a regular expression takes them for text',
  },
];
