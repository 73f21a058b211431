/** What a server does with its port. */
export type LifeState = 'running' | 'frozen' | 'stopped';

/** The life of one server, which ends in the state that was asked for last, in whatever order that happened. */
export interface Life {
  readonly state: () => LifeState;
  /** Resolves when the server is in the state that has been asked for last by then. Rejects when it cannot be. */
  readonly become: (state: LifeState) => Promise<void>;
}

/** @param enter - Brings the server from one state into another; never called while it is under way. */
export function createLife(enter: (state: LifeState, from: LifeState) => Promise<void>): Life {
  let state: LifeState = 'stopped';
  let wanted: LifeState = state;
  let turn = Promise.resolve();

  const step = async (): Promise<void> => {
    const next = wanted;
    if (next === state) return;
    await enter(next, state);
    state = next;
  };
  return {
    state: () => state,
    become(asked) {
      wanted = asked;
      const done = turn.then(step);
      turn = done.catch(() => undefined);
      return done;
    },
  };
}
