import { withPart, withTable } from '../../bench/results.js';

const PAGE = '# Instructions\n\nold counts\n\n## A table\n\n# Timings\n\nold timings\n';

describe('A run of the bench', () => {
  it('replaces its own part of the page of results, and leaves the other as it is', () => {
    expect(withPart(PAGE, 'Instructions', 'new counts')).toBe(
      '# Instructions\n\nnew counts\n\n# Timings\n\nold timings\n',
    );
    expect(withPart(PAGE, 'Timings', 'new timings')).toBe(
      '# Instructions\n\nold counts\n\n## A table\n\n# Timings\n\nnew timings\n\n',
    );
  });

  it('can replace one table, and leaves the others as they are', () => {
    const page = '# Timings\n\nmachine\n\n## One\n\nold\n\n## Two\n\nold\n\n# Else\n';
    expect(withTable(page, 'One', 'new')).toBe('# Timings\n\nmachine\n\n## One\n\nnew\n\n## Two\n\nold\n\n# Else\n');
    expect(() => withTable(page, 'Three', 'new')).toThrow('the page of results has no table "Three"');
  });

  it('adds its part to a page that lacks it', () => {
    expect(withPart('# Timings\n\nold timings\n', 'Instructions', 'counts')).toBe(
      '# Instructions\n\ncounts\n\n# Timings\n\nold timings\n',
    );
  });
});
