import type { Request, Response } from 'express';

/** An answer in one of the forms of the reference server. */
export interface Answer {
  readonly code: number;
  readonly body: object;
}

/** What answers a request; `database` is the one in whose name it was sent. */
export type Route = (req: Request, database: string) => Answer | Promise<Answer>;

/** Routes by method and path. */
export type Routes = Readonly<Record<string, Route>>;

export function ok(more: object, code = 200): Answer {
  return { code, body: { error: false, code, ...more } };
}

export function refusal(code: number, errorNum: number, errorMessage: string): Answer {
  return { code, body: { code, error: true, errorMessage, errorNum } };
}

export function send(res: Response, { code, body }: Answer): void {
  res.status(code).json(body);
}
