import type { Request } from 'express';
import createHttpError from 'http-errors';

/**
 * The members of the JSON object that a request has sent, whatever its content type, on which drivers do not agree. None without a
 * body. A route of the test's own may have read it before.
 *
 * @throws HttpError with status 400 for what is not JSON.
 */
export async function jsonBody(req: Request): Promise<Readonly<Record<string, unknown>>> {
  if (req.body !== undefined) return Object(req.body) as Record<string, unknown>;
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  try {
    return Object(JSON.parse(Buffer.concat(chunks).toString() || '{}')) as Record<string, unknown>;
  } catch (error) {
    throw createHttpError(400, `the body is not JSON: ${(error as Error).message}`);
  }
}
