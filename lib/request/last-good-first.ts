/** Servers that give the same answer: asked in the order given, but the one that answered last comes first. */
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
