import { ListingError } from './listing-error.js';

const FIRST_BYTES = 16_384;

/**
 * Reads a body into one buffer that doubles as it fills: a list of chunks would cost a hostile server one byte for each
 * hundred of ours, and nothing in Node reads a stream up to a limit.
 *
 * @throws {@link ListingError} of kind `too-large`; what the stream throws.
 */
export async function readBytes(body: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Uint8Array> {
  let bytes = new Uint8Array(FIRST_BYTES);
  let length = 0;
  for await (const chunk of body ?? []) {
    const needed = length + chunk.byteLength;
    if (needed > maxBytes) throw new ListingError('too-large', `the body is longer than ${String(maxBytes)} bytes`);
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
