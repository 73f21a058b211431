// Reads [file, text] pairs from stdin, and prints what the rules for imports say of each, had the file of lib that text.
import { ESLint } from 'eslint';
import { text } from 'node:stream/consumers';

const eslint = new ESLint({
  ruleFilter: ({ ruleId }) => /^import-x|^no-restricted-imports$/.test(ruleId),
  // These rules need no types, which take ten times as long.
  overrideConfig: { languageOptions: { parserOptions: { projectService: false } } },
});
const complaints = [];
for (const [file, code] of JSON.parse(await text(process.stdin))) {
  const [{ messages }] = await eslint.lintText(code, { filePath: `lib/${file}` });
  complaints.push(messages.map(({ message }) => message));
}
console.log(JSON.stringify(complaints));
