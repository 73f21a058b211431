/** Equivalent servers, tried in the given order, but first the one that answered last. */
export class LastGoodFirst<Server> {
  #lastGood: Server | undefined;

  constructor(private readonly servers: readonly Server[]) {}

  /** Whether any has ever answered. */
  get hasAnswered(): boolean {
    return this.#lastGood !== undefined;
  }

  inOrder(): readonly Server[] {
    const lastGood = this.#lastGood;
    return lastGood === undefined ? this.servers : [lastGood, ...this.servers.filter((server) => server !== lastGood)];
  }

  answered(server: Server): void {
    this.#lastGood = server;
  }
}
