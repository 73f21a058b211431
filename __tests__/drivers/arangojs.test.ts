import { expectColumnOfArangojs } from '../support/drivers/observe-arangojs.js';
import { useScratchFolder } from '../support/process/scratch-folder.js';

const scratchFile = useScratchFolder();

describe('with an answer of each kind, arangojs does what the rules say of it', () =>
  it.each([
    ['8.0', 'arangojs8'],
    ['10.1', 'arangojs'],
  ])('from %s on', async (first, driver) => {
    await expectColumnOfArangojs(first, driver, scratchFile('socket'));
  }));
