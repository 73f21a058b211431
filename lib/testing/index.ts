export type { ActiveTrouble } from './active-troubles.js';
export type { Credentials } from './authentication.js';
export type { TestClusterOptions } from './options.js';
export type { ReceivedRequest } from './request-log.js';
export { startTestCluster, type TestCluster, type TestCoordinator } from './start-test-cluster.js';
export type {
  AnswerTrouble,
  DelayTrouble,
  EntriesTrouble,
  GzipTrouble,
  KeepAliveTrouble,
  NotJsonTrouble,
  ProxyPageTrouble,
  RedirectTrouble,
  ResetTrouble,
  ShapeTrouble,
  SilenceTrouble,
  SlowDripTrouble,
  StatusTrouble,
  TlsTrouble,
  Trouble,
  TroubleKind,
  TroubleScope,
  TruncatedBodyTrouble,
  WrongContentLengthTrouble,
} from './trouble.js';
