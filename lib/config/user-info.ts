/** `name = `, `--name=`, `--name ` or `@include `: what may stand before a value. */
const NAME = /^\s*(?:@include(?!\S)|[-\w.]+[ \t]*[= \t])\s*/;
const SCHEME = /^(?:http[+@])?(?:tcp|ssl|unix|https?):\/\//i;
/** Nothing but `@NAME@`, as a host or a port is made of, before the last `@`: no place for a password. */
const REFERENCES = /^(?:[:.]?@[A-Za-z_]\w*@)+[^@]*$/;

/** A line, an argument or a value with `***` in the place of the user and password that its address may carry. */
export function withoutUserInfo(written: string): string {
  const name = NAME.exec(written)?.[0] ?? '';
  const value = written.slice(name.length);
  const scheme = SCHEME.exec(value)?.[0] ?? '';
  const rest = value.slice(scheme.length);
  const at = rest.lastIndexOf('@');
  return at < 0 || REFERENCES.test(rest) ? written : `${name}${scheme}***${rest.slice(at)}`;
}
