import { configure } from './jest.config.mjs';

/** The long run: every test. */
export default configure({ isLongRun: true });
