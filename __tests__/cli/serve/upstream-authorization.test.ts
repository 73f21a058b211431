import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { logDirectory } from '../../../lib/cli/log.js';
import { upstreamAuthorization } from '../../../lib/cli/serve/upstream-coordinators.js';
import { gateways, listed } from '../../support/gateway/gateways.js';
import { upstreamDirectories } from '../../support/upstream/upstream-directories.js';
import { until } from '../../support/until.js';
import { FORBIDDEN, STARTING, UNAUTHORIZED } from '../../support/upstream/coordinator.js';

const VARIABLE = 'ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION';
const ROLE = ['--cluster.my-role', 'COORDINATOR'];
const SECRET = 'Bearer openSesame';
const EXAMPLE = `as "Basic $(printf %s 'root:PASSWORD' | base64)"`;
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

const { serve, run, refusal } = gateways();
const { list } = upstreamDirectories();

describe('Credentials of the upstream', () => {
  it('come from the environment, and go to the upstream alone', async () => {
    const a = await serve([]);
    const upstream = await serve([a.endpoint]);
    await run(
      [...ROLE, '--cluster.upstream', upstream.url, '--cluster.health-check=true'],
      async (url) => {
        expect(await listed(url)).toEqual([a.endpoint]);
      },
      { [VARIABLE]: SECRET },
    );
    expect(upstream.headers[0]).toMatchObject({ authorization: SECRET });
    expect(a.headers[0]).not.toHaveProperty('authorization');
  });

  it.each(['README.md', 'docs/gateway.md', 'docs/deploy.md', 'example/README.md'])(
    'are set by the line that %s shows',
    (page) => {
      const [line = ''] = /^export ENDPOINT_LISTING_UPSTREAM_AUTHORIZATION=.*$/m.exec(readFileSync(page, 'utf8')) ?? [];
      const value = execFileSync('sh', ['-c', `${line}\nprintf %s "$${VARIABLE}"`], { encoding: 'utf8' });
      expect(value).toBe('Basic cm9vdDpQQVNTV09SRA==');
    },
  );

  it.each([
    ['of a user without a password', basic('root:')],
    ['of a user with any password', basic('root:p\u00e4ss:w%rd\u{1f511}')],
    ['whose scheme is in another letter case', 'bearer abc.def-ghi_jkl'],
    ['without padding', 'basic cm9vdDpvcGVu'],
    ['with padding that is left out', 'Basic cm9vdDpvcA'],
  ])('%s are sent as they are', async (_what, value) => {
    const upstream = await serve(['tcp://a.example']);
    await run([...ROLE, '--cluster.upstream', upstream.url], async () => Promise.resolve(), { [VARIABLE]: value });
    expect(upstream.headers[0]).toMatchObject({ authorization: value });
  });

  it.each([
    ['have no scheme', 'openSesame', `must be a scheme and its credentials, ${EXAMPLE}`],
    ['are a user and a password', 'root:openSesame', `must be a scheme and its credentials, ${EXAMPLE}`],
    ['are a scheme alone', 'Basic ', `must be a scheme and its credentials, ${EXAMPLE}`],
    ['are no base64', 'Basic root:openSesame', `must have base64 of user:password behind Basic, ${EXAMPLE}`],
    ['are base64 of no user', basic('openSesame'), `must have base64 of user:password behind Basic, ${EXAMPLE}`],
    [
      'were written by echo',
      basic('root:openSesame\n'),
      `holds a password that ends in a line break, as echo writes it: use printf, ${EXAMPLE}`,
    ],
    [
      'have a line break',
      'Bearer openSesame\nx',
      "has a line break in it: base64 and files add one, tr -d '\\n' removes it",
    ],
    ['cannot be sent', 'Bearer openSesame\u{1f511}', 'cannot be the value of a header'],
  ])('are refused at the start, and not shown, when they %s', async (_how, value, message) => {
    const upstream = await serve(['tcp://a.example']);
    const log = await refusal([...ROLE, '--cluster.upstream', upstream.url], { [VARIABLE]: value });
    expect(log).toEqual([`${VARIABLE} ${message}`]);
    expect(log[0]).not.toContain('openSesame');
    expect(upstream.requests).toEqual([]);
  });

  it('are refused in a URL, where every user of the machine could read them', async () => {
    const log = await refusal([...ROLE, '--cluster.upstream', 'http://root:openSesame@10.0.0.11:8529']);
    expect(log.join()).toContain(`a user belongs into ${VARIABLE}`);
    expect(log.join()).not.toContain('openSesame');
  });
});

describe('An upstream that refuses the user', () => {
  const SENT = `; the Authorization in ${VARIABLE} was refused`;
  const NOT_SENT = `; no Authorization was sent: set ${VARIABLE}, ${EXAMPLE}`;

  it.each([
    ['has no user', {}, UNAUTHORIZED, `401 / 11: "not authorized to execute this request"${NOT_SENT}`],
    ['has an empty one', { [VARIABLE]: '' }, FORBIDDEN, `403 / 11: "forbidden"${NOT_SENT}`],
    [
      'has a wrong one',
      { [VARIABLE]: SECRET },
      UNAUTHORIZED,
      `401 / 11: "not authorized to execute this request"${SENT}`,
    ],
    [
      'gets its credentials back',
      { [VARIABLE]: SECRET },
      { ...UNAUTHORIZED, errorMessage: `no user has ${SECRET}` },
      `401 / 11: "no user has ***"${SENT}`,
    ],
  ])('ends a gateway that %s, which says what to do', async (_what, env, reply, end) => {
    const upstream = await serve(reply);
    expect(await refusal([...ROLE, '--cluster.upstream', upstream.url], env)).toEqual([
      `no list from the upstream: GET ${upstream.url}/_api/cluster/endpoints: the server refused with ${end}`,
    ]);
  });

  it('is not waited for: another attempt would get the same answer', async () => {
    const upstream = await serve(UNAUTHORIZED);
    const log = await refusal([...ROLE, '--cluster.upstream', upstream.url, '--cluster.wait=60']);
    expect(log).toEqual([expect.stringContaining(NOT_SENT)]);
    expect(upstream.requests).toHaveLength(1);
  });

  it('is said to do so when it begins later, also when another one fails for another reason', async () => {
    const [first, second] = [await serve(['tcp://a.example']), await serve(STARTING)];
    const lines: string[] = [];
    const { headers = new Headers(), remedyFor } = upstreamAuthorization({ [VARIABLE]: SECRET });
    const directory = await list([first, second], { headers });
    logDirectory(directory, (_level, _event, message) => lines.push(message), remedyFor);
    first.reply(UNAUTHORIZED);
    await until('the line', () => lines.length > 0);
    expect(lines[0]).toMatch(/^coordinator list is stale: GET .* refused with 401 .*; GET .* refused with 503 /);
    expect(lines[0]?.endsWith(SENT)).toBe(true);
  });
});
