const FIRST_BYTES = 16_384;
const NO_BYTES = new Uint8Array();

/**
 * Reads a body into one buffer that doubles as it fills. With a list of chunks, each byte of a hostile server would cost a hundred of
 * ours, and nothing in Node reads a stream up to a limit.
 *
 * `signal` also ends the reading of a body that ignores it. `like` is what is probably read: of a body with the same bytes, none is
 * copied, and it is what is returned.
 *
 * @throws The error of `tooLarge`; what the stream throws; the reason of `signal`.
 */
export async function bytesOf(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  tooLarge: () => Error,
  { signal, like = NO_BYTES }: { readonly signal?: AbortSignal; readonly like?: Uint8Array | undefined } = {},
): Promise<Uint8Array> {
  let bytes: Uint8Array = like;
  let isLike = true;
  let length = 0;
  for await (const chunk of body) {
    signal?.throwIfAborted();
    const needed = length + chunk.byteLength;
    if (needed > maxBytes) throw tooLarge();
    isLike &&= Buffer.compare(like.subarray(length, needed), chunk) === 0;
    if (!isLike) {
      if (bytes === like || needed > bytes.byteLength) {
        const wider = new Uint8Array(Math.max(FIRST_BYTES, needed, 2 * length));
        wider.set(bytes.subarray(0, length));
        bytes = wider;
      }
      bytes.set(chunk, length);
    }
    length = needed;
  }
  return length === bytes.byteLength ? bytes : bytes.subarray(0, length);
}
