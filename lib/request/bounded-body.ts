const FIRST_BYTES = 16_384;

/**
 * Reads a body into one buffer that doubles as it fills. With a list of chunks, each byte of a hostile server would cost a hundred of
 * ours, and nothing in Node reads a stream up to a limit.
 *
 * @param signal - Also ends the reading of a body that ignores it.
 * @throws The error of `tooLarge`; what the stream throws; the reason of `signal`.
 */
export async function bytesOf(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge: () => Error,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  let bytes = new Uint8Array(FIRST_BYTES);
  let length = 0;
  for await (const chunk of body) {
    signal?.throwIfAborted();
    const needed = length + chunk.byteLength;
    if (needed > maxBytes) throw tooLarge();
    if (needed > bytes.byteLength) {
      const wider = new Uint8Array(Math.max(needed, 2 * bytes.byteLength));
      wider.set(bytes);
      bytes = wider;
    }
    bytes.set(chunk, length);
    length = needed;
  }
  return bytes.subarray(0, length);
}
