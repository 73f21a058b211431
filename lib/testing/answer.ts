import type { Request, Response } from 'express';
import createHttpError from 'http-errors';

/** An answer in one of the forms of the reference server. */
export interface Answer {
  readonly code: number;
  readonly body: object;
}

export function ok(more: object, code = 200): Answer {
  return { code, body: { error: false, code, ...more } };
}

export function refusal(code: number, errorNum: number, errorMessage: string): Answer {
  return { code, body: { code, error: true, errorMessage, errorNum } };
}

export function send(res: Response, { code, body }: Answer): void {
  res.status(code).json(body);
}

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
