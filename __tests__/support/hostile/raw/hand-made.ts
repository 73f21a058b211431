import type { HandMadeCase } from './case.js';
import { DATABASE_CASES } from './database-cases.js';
import { FRAMING_CASES } from './framing-cases.js';
import { HEADER_CASES } from './header-cases.js';
import { METHOD_CASES } from './method-cases.js';
import { SPLIT_CASES } from './split-cases.js';
import { TARGET_CASES } from './target-cases.js';

export const HAND_MADE_CASES: readonly HandMadeCase[] = [
  ...TARGET_CASES,
  ...DATABASE_CASES,
  ...METHOD_CASES,
  ...HEADER_CASES,
  ...FRAMING_CASES,
  ...SPLIT_CASES,
];
