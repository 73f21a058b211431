/** The environment variables for secrets: every user of the machine can read a command line. */
export const SECRET_VARIABLES = [
  'ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION',
  'ENDPOINT_LISTING_AGENCY_PASSWORD',
  'ENDPOINT_LISTING_PASSWORD',
] as const;

export type SecretVariable = (typeof SECRET_VARIABLES)[number];

/**
 * The value of a variable for a secret; `undefined` if it is not set.
 *
 * @throws Error for a value with a line break, as files and `echo` leave. It does not show the value.
 */
export function secretFrom(
  env: Readonly<Record<string, string | undefined>>,
  variable: SecretVariable,
): string | undefined {
  const value = env[variable];
  if (value === undefined || !/[\r\n]/.test(value)) return value;
  throw new Error(`${variable} has a line break in it: base64 and files add one, tr -d '\\n' removes it`);
}
