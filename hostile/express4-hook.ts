import type { ResolveHook } from 'node:module';

export const resolve: ResolveHook = (specifier, context, next) =>
  next(specifier === 'express' ? 'express4' : specifier, context);
