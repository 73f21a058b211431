import { configure } from './jest.config.mjs';
import { installIn } from './tools/install.mjs';

installIn('tools');

/** The long run: every test. */
export default configure({ isLongRun: true });
