import { readFileSync } from 'node:fs';
import { scopeRules, TROUBLE_RULES } from '../../lib/testing/trouble-rules.js';
import type { OptionRule, OptionRules } from '../../lib/options/read-options.js';
import { tablesOf } from '../support/drivers/documented.js';

/** Defaults that are no value, in words. */
const IN_WORDS: Readonly<Record<string, string>> = {
  errorNum: 'the status',
  headers: 'JSON as the content type',
  location: 'the same path at the next coordinator',
  coordinator: 'all coordinators',
  times: 'no limit',
};

/** The cells of a row: the kind, the member, what it must be, and its default. */
function rows(kind: string, rules: OptionRules): string[][] {
  return Object.entries(rules).map(([member, rule]) => [kind, `\`${member}\``, rule.allowed, defaultOf(member, rule)]);
}

function defaultOf(member: string, rule: OptionRule<unknown>): string {
  if (!('fallback' in rule)) return 'required';
  const { fallback } = rule;
  return IN_WORDS[member] ?? (typeof fallback === 'string' ? `'${fallback}'` : String(fallback));
}

describe('docs/testing.md', () => {
  const page = readFileSync('docs/testing.md', 'utf8');
  const [, troubles = ''] = page.split('\n## Troubles\n');
  const [kinds = [], members = []] = tablesOf(String(troubles.split('\n## ')[0])).map(([, ...rows]) => rows);

  it('says of each member of a trouble what it must be, with its unit, and its default or that it is required', () => {
    const expected = Object.entries(TROUBLE_RULES).flatMap(([kind, rules]) => rows(`\`${kind}\``, rules));
    // The number of coordinators is that of the cluster.
    const scope = rows('all', scopeRules(3)).map((row) =>
      row.map((cell) => cell.replace('from 0 to 2', 'below the number of them')),
    );
    expect(members).toEqual([...expected, ...scope]);
  });

  it('says of each kind what a client meets', () =>
    expect(kinds.map(([kind]) => kind)).toEqual(Object.keys(TROUBLE_RULES).map((kind) => `\`${kind}\``)));
});

describe('testing.openapi.json', () => {
  interface Schema {
    readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
    readonly required: readonly string[];
  }
  const document = JSON.parse(readFileSync('testing.openapi.json', 'utf8')) as {
    components: {
      schemas: { Trouble: { discriminator: { mapping: Record<string, string> } } } & Record<string, Schema>;
    };
  };
  const { schemas } = document.components;
  const { mapping } = schemas.Trouble.discriminator;

  it.each(Object.entries(TROUBLE_RULES))(
    'says of %s the same defaults, and which members are required',
    (kind, own) => {
      const { properties, required } = (schemas[String(mapping[kind]?.split('/').at(-1))] ?? {}) as Schema;
      const rules: Record<string, OptionRule<unknown>> = { ...own, ...scopeRules(3) };
      const members = Object.entries(rules);
      expect(required).toEqual([
        'kind',
        ...members.filter(([, rule]) => !('fallback' in rule)).map(([member]) => member),
      ]);
      expect(members.map(([member]) => [member, properties[member]?.default])).toEqual(
        members.map(([member, { fallback }]) => [member, member in IN_WORDS ? undefined : fallback]),
      );
    },
  );
});
