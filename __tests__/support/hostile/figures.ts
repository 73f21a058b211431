/** What a host process tells about itself. */
export interface Figures {
  /** What keeps the process alive, counted by kind: sockets, timers. */
  readonly resources: Readonly<Record<string, number>>;
  /** Calls of the providers so far, and those among them for a database other than `_system`. */
  readonly asked: number;
  readonly askedForeign: number;
  /** Calls that the host still works on. */
  readonly running: number;
  /** Signals that have aborted so far, by the name of their reason. */
  readonly aborted: Readonly<Record<string, number>>;
  /** The ports in the plans of those calls, since the figures were last asked for, that really took as long as the timeout. */
  readonly overdue: readonly number[];
  /** `close` listeners found on responses after their end. */
  readonly listenersLeft: number;
}

/** What a host process is asked: its figures, or the bytes in use on its heap once all garbage has been collected. */
export type Question = 'figures' | 'heap';

/** The first message of a host process. */
export interface Greeting {
  readonly port: number;
  readonly expressMajor: number;
}

/** What the provider of the host is to do for one request, written into its query string; host-provider.mjs reads it. */
export interface Plan {
  /** `hang`: never settles. `late`: the delay begins when the signal aborts. `big`: a list of 10,000 endpoints. */
  readonly outcome: 'ok' | 'fail' | 'hang' | 'late' | 'big';
  readonly delayMs: number;
  /** The port of the one endpoint in the list, so that answers can be told apart. */
  readonly port: number;
}

export function planInQuery({ outcome, delayMs, port }: Plan): string {
  return `?plan=${outcome}.${String(delayMs)}.${String(port)}`;
}
