import { join } from 'node:path';
import { expectColumnOfArangojs } from '../support/drivers/observe-arangojs.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';

const scratchFile = useScratchFolder();
const TOOLS = join(__dirname, '../../tools/node_modules');

describe('with an answer of each kind, an older arangojs does what the rules say of it', () =>
  it.each([
    ['6.2', 'arangojs6'],
    ['6.2', 'arangojs7'],
    ['9.0', 'arangojs9'],
  ])('from %s on: %s', async (first, driver) => {
    await expectColumnOfArangojs(first, join(TOOLS, driver), scratchFile('socket'));
  }));
