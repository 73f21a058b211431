/** What a ratio is held against. */
export type Limit = { readonly atMost: number } | { readonly atLeast: number };

export type Verdict = 'met' | 'within error' | 'missed';

/** Holds a ratio against its limit; beyond the limit by no more than `error` (a share), the instrument cannot tell. */
export function verdict(ratio: number, limit: Limit, error: number): Verdict {
  if ('atMost' in limit) {
    if (ratio <= limit.atMost) return 'met';
    return ratio <= limit.atMost * (1 + error) ? 'within error' : 'missed';
  }
  if (ratio >= limit.atLeast) return 'met';
  return ratio * (1 + error) >= limit.atLeast ? 'within error' : 'missed';
}

export function limitText(limit: Limit): string {
  return 'atMost' in limit ? `<= ${String(limit.atMost)}` : `>= ${String(limit.atLeast)}`;
}
