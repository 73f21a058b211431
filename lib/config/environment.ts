/** `@NAME@`, or `@@`. An `@` that is part of neither stays: `http@tcp://127.0.0.1` is an endpoint. */
const REFERENCE = /@([A-Za-z_]\w*)?@/g;

/** The variables that `@NAME@` stands for. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A value with everything filled in. */
export interface FilledValue {
  readonly text: string;
  /** The names that are not set, or empty: they became empty text. */
  readonly unset: readonly string[];
}

/** Puts variables in the place of `@NAME@`, and `@` in the place of `@@`. What a variable holds is not filled in again. */
export function fillIn(written: string, env: Environment): FilledValue {
  const unset = new Set<string>();
  const text = written.replace(REFERENCE, (_, name: string | undefined) => {
    if (name === undefined) return '@';
    // A variable that an object inherits, as `constructor`, was set by nobody.
    const value = Object.hasOwn(env, name) ? (env[name] ?? '') : '';
    if (value === '') unset.add(name);
    return value;
  });
  return { text, unset: [...unset] };
}
