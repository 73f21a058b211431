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
];
