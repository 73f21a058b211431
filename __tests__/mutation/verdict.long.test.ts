interface Mutant {
  readonly file: string;
  readonly line: string;
  readonly code: string;
  readonly replacement: string;
  readonly status: string;
}
type Survivor = Omit<Mutant, 'status'> & { readonly reason: string };

const { comparedWith, mutantsOf, scoreOf } = jest.requireActual<{
  comparedWith: (mutants: Mutant[], survivors: Survivor[]) => { unnamed: Mutant[]; outdated: Survivor[] };
  mutantsOf: (report: object) => Mutant[];
  scoreOf: (mutants: Mutant[]) => object;
}>('../../mutation/verdict.cjs');

const mutant = (status: string, rest: Partial<Mutant> = {}): Mutant => ({
  file: 'lib/a.ts',
  line: 'if (a < 0) return;',
  code: 'a < 0',
  replacement: 'a <= 0',
  status,
  ...rest,
});
const survivor = (rest: Partial<Survivor> = {}): Survivor => ({
  file: 'lib/a.ts',
  line: 'if (a < 0) return;',
  code: 'a < 0',
  replacement: 'a <= 0',
  reason: 'a is never 0',
  ...rest,
});

describe('The mutants of a report', () => {
  it('have the line that they stand in, and the code that they replace, over several lines too', () => {
    const source = 'const a = 1;\n  if (a < 0) {\n    b();\n  }\n';
    const at = (startLine: number, startColumn: number, endLine: number, endColumn: number): object => ({
      start: { line: startLine, column: startColumn },
      end: { line: endLine, column: endColumn },
    });
    const mutants = [
      { status: 'Killed', location: at(2, 7, 2, 12), replacement: 'a <= 0' },
      { status: 'Survived', location: at(2, 14, 4, 4), replacement: '{}' },
    ];
    expect(mutantsOf({ files: { 'lib/a.ts': { source, mutants } } })).toEqual([
      { file: 'lib/a.ts', line: 'if (a < 0) {', code: 'a < 0', replacement: 'a <= 0', status: 'Killed' },
      { file: 'lib/a.ts', line: 'if (a < 0) {', code: '{\n    b();\n  }', replacement: '{}', status: 'Survived' },
    ]);
  });
});

describe('The score', () => {
  it('counts what ran into the time limit as killed, what no test reaches as alive, and what could not run not at all', () => {
    const statuses = ['Killed', 'Killed', 'Timeout', 'Survived', 'NoCoverage', 'RuntimeError', 'CompileError'];
    expect(scoreOf(statuses.map((status) => mutant(status)))).toEqual({ killed: 3, alive: 2, score: 60 });
  });
});

describe('A survivor', () => {
  it('with a reason is no surprise', () => {
    expect(comparedWith([mutant('Survived'), mutant('Killed')], [survivor()])).toEqual({ unnamed: [], outdated: [] });
  });

  it.each([
    ['another module', { file: 'lib/b.ts' }],
    ['another line', { line: 'while (a < 0) a += 1;' }],
    ['another replacement', { replacement: 'true' }],
  ])('with a reason for %s has none', (_what, other) => {
    const { unnamed } = comparedWith([mutant('Survived')], [survivor(other)]);
    expect(unnamed).toEqual([mutant('Survived')]);
  });

  it('that is killed by now makes its reason outdated; one of a module that was not tried does not', () => {
    const survivors = [survivor(), survivor({ file: 'lib/other.ts' })];
    expect(comparedWith([mutant('Killed')], survivors).outdated).toEqual([survivor()]);
  });
});
