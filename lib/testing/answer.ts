import type { Response } from 'express';

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
