import { readFileSync } from 'node:fs';
import { SERVER_OPTIONS } from '../../lib/config/index.js';

describe('The table of options in docs/server.md', () => {
  const rows = readFileSync('docs/server.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `--'));

  it.each(SERVER_OPTIONS.map(({ name, field, repeatable }) => [name, field, repeatable] as const))(
    'has --%s',
    (name, field, repeatable) => {
      const [row = ''] = rows.filter((line) => line.includes(`\`--${name}\``));
      const [, option = '', result = ''] = row.split('|');
      expect(option.includes('repeatable')).toBe(repeatable);
      // `ssl` is an object of one file.
      expect(result).toContain(field === undefined ? '' : `\`${field === 'ssl' ? 'ssl.keyfile' : field}\``);
      expect(row).not.toBe('');
    },
  );
});
