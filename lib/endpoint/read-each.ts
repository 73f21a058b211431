/**
 * Reads endpoints one by one, so that the refusal names every bad one at once.
 *
 * @param label What is being read, for the message: `createEndpointRouter: option endpoints`.
 * @param read One of `parseEndpoint`, `coordinatorEndpoint`, `serverEndpoint`.
 * @throws `TypeError` with a line for each bad endpoint; its cause is an `AggregateError` of `EndpointSyntaxError`s.
 */
export function readEach<T>(label: string, texts: readonly string[], read: (text: string) => T): T[] {
  const refusals: Error[] = [];
  const values: T[] = [];
  for (const text of texts) {
    try {
      values.push(read(text));
    } catch (refusal) {
      refusals.push(refusal as Error);
    }
  }
  if (refusals.length === 0) return values;
  throw new TypeError(`${label}: ${refusals.map(({ message }) => message).join('\n')}`, {
    cause: new AggregateError(refusals),
  });
}
