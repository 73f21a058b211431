import { SERVER_OPTIONS, type OptionDescription } from '../config/index.js';

/** The text of `--help`, made from the table that the command line itself is read by. */
export function helpText(): string {
  const rows = SERVER_OPTIONS.map((option) => [usageOf(option), explanationOf(option)] as const);
  const width = Math.max(...rows.map(([usage]) => usage.length));
  return [
    'Usage: express-endpoint-listing [options]',
    '       express-endpoint-listing check [options] <URL>   tries every endpoint that a server lists; see check --help',
    '',
    'Listens on endpoints, and answers which they are:',
    '  GET /_api/endpoint           the endpoints of this server (deprecated)',
    '  GET /_api/cluster/endpoints  the endpoints of all Coordinators, on a coordinator',
    '',
    'Options:',
    ...rows.map(([usage, explanation]) => `  ${usage.padEnd(width)}  ${explanation}`),
    '',
    'Signals: SIGHUP reads the configuration again, SIGINT and SIGTERM stop the server.',
  ].join('\n');
}

function usageOf({ name, short, placeholder }: OptionDescription): string {
  return [
    short === undefined ? '' : `-${short}, `,
    `--${name}`,
    placeholder === undefined ? '' : ` ${placeholder}`,
  ].join('');
}

function explanationOf({ description, repeatable }: OptionDescription): string {
  return repeatable ? `${description}; may be repeated` : description;
}
