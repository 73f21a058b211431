/** Equivalent servers, tried in the given order, but first the one that answered last. */
export class LastGoodFirst<Server> {
  readonly #servers: readonly Server[];
  #lastGood: Server | undefined;

  constructor(servers: readonly Server[]) {
    this.#servers = servers;
  }

  /** Whether any has ever answered. */
  get hasAnswered(): boolean {
    return this.#lastGood !== undefined;
  }

  inOrder(): readonly Server[] {
    const lastGood = this.#lastGood;
    return lastGood === undefined
      ? this.#servers
      : [lastGood, ...this.#servers.filter((server) => server !== lastGood)];
  }

  answered(server: Server): void {
    this.#lastGood = server;
  }
}
