import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile } from '../support/readme/compile.js';
import { createWorkspace, type Workspace } from '../support/readme/workspace.js';

/** A comment with an example, and the name of what it explains. */
const EXPLAINED =
  /\/\*\*((?:(?!\*\/)[^])*@example(?:(?!\*\/)[^])*)\*\/\s*(?:(?:export|declare|readonly|function) )*(\w+)/g;

describe('The declarations of the package', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await createWorkspace();
  });
  afterAll(() => workspace.remove());

  function examples(): Map<string, string> {
    const types = join(workspace.folder, 'node_modules/express-endpoint-listing/dist/esm');
    const files = readdirSync(types).filter((file) => file.endsWith('.d.ts'));
    const found = files.flatMap((file) => Array.from(readFileSync(join(types, file), 'utf8').matchAll(EXPLAINED)));
    return new Map(
      found.map(([, comment = '', name = '']) => {
        const [, code = ''] = /```ts\n([^]*?)```/.exec(comment.replace(/^ *\* ?/gm, '')) ?? [];
        return [name, code];
      }),
    );
  }

  it('have an example for each of these, and each compiles in a project', async () => {
    const sources = [...examples()];
    expect(sources.map(([name]) => name).sort()).toEqual([
      'checkEndpoints',
      'createEndpointRouter',
      'createEtcdDirectory',
      'createHealthDirectory',
      'createPolledDirectory',
      'createSrvDirectory',
      'createTranslatedDirectory',
      'createUpstreamDirectory',
      'databaseName',
      'startTestCluster',
    ]);
    expect(sources.filter(([, code]) => !code.includes('import '))).toEqual([]);
    const files = sources.map(([name]) => join(workspace.folder, `${name}.ts`));
    for (const [name, code] of sources) await writeFile(join(workspace.folder, `${name}.ts`), code);
    expect(compile(workspace.folder, files)).toEqual([]);
  });
});
