import type { Request } from 'express';

const LISTING = /^[^?]*(\/_api\/(?:cluster\/endpoints|endpoint))\/?(?:\?|$)/;

/** The route of a request, as a label for your metrics: below every mount path and in every database, one for each listing. */
export function routeLabel(req: Request): string {
  const route = req.route as { readonly path: string } | undefined;
  return route?.path ?? LISTING.exec(req.originalUrl)?.[1] ?? 'other';
}
