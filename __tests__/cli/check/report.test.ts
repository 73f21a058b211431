import { reportText } from '../../../lib/cli/check/report.js';
import type { EndpointCheck, EndpointResult, ListingCheck, ListingWarning } from '../../../lib/client/index.js';

const endpoint = (endpoint: string, result: EndpointResult, ms: number, detail: string): EndpointCheck => ({
  endpoint,
  result,
  reachable: result === 'ok',
  usable: result === 'ok',
  ms,
  detail,
});

const ENDPOINTS = [
  endpoint('tcp://10.0.0.11:8529', 'ok', 3, 'lists the same 3'),
  endpoint('tcp://10.0.0.12:8529', 'timeout', 2003, 'no answer to the connection: not reachable from here'),
  endpoint('ssl://10.0.0.13:8529', 'tls', 8, 'certificate is for db.example, not 10.0.0.13'),
];
const WARNING: ListingWarning = {
  kind: 'mixed-schemes',
  breaksDrivers: true,
  message: 'some endpoints with TLS, some without: the Java driver uses one of the two for all',
  endpoints: ['ssl://10.0.0.13:8529'],
};

function check(endpoints: readonly EndpointCheck[], warnings: readonly ListingWarning[] = []): ListingCheck {
  const usable = endpoints.filter((endpoint) => endpoint.usable).length;
  const ok = usable === endpoints.length && warnings.length === 0;
  return { ok, url: 'http://db.example:8529', listing: 'cluster', ms: 12, usable, endpoints, warnings };
}

const plain = { width: Infinity, colors: false };
const lines = (given: ListingCheck, width: number): string[] => reportText(given, { width, colors: false }).split('\n');

describe('the report', () => {
  it('is a table with what it comes to, one line for each endpoint where nothing has to be wrapped', () =>
    expect(reportText(check(ENDPOINTS), plain)).toBe(`http://db.example:8529 lists 3 coordinators (12 ms)

ENDPOINT               RESULT    TIME    DETAIL
tcp://10.0.0.11:8529   ok         3 ms   lists the same 3
tcp://10.0.0.12:8529   timeout   2.0 s   no answer to the connection: not reachable from here
ssl://10.0.0.13:8529   tls        8 ms   certificate is for db.example, not 10.0.0.13

1 of 3 can be used from here. A driver that takes this list will fail on the others.`));

  it('wraps the details on a terminal of 80 columns', () =>
    expect(lines(check(ENDPOINTS, [WARNING]), 80)).toEqual([
      'http://db.example:8529 lists 3 coordinators (12 ms)',
      '',
      'ENDPOINT               RESULT    TIME    DETAIL',
      'tcp://10.0.0.11:8529   ok         3 ms   lists the same 3',
      'tcp://10.0.0.12:8529   timeout   2.0 s   no answer to the connection: not',
      '                                         reachable from here',
      'ssl://10.0.0.13:8529   tls        8 ms   certificate is for db.example, not',
      '                                         10.0.0.13',
      '',
      'warning, breaks drivers: some endpoints with TLS, some without: the Java',
      '  driver uses one of the two for all: ssl://10.0.0.13:8529',
      '',
      '1 of 3 can be used from here. A driver that takes this list will fail on the',
      'others.',
    ]));

  it('gives each endpoint lines of its own on a terminal of 40 columns', () => {
    const report = lines(check(ENDPOINTS, [WARNING]), 40);
    expect(report).toEqual([
      'http://db.example:8529 lists 3',
      'coordinators (12 ms)',
      '',
      'tcp://10.0.0.11:8529',
      '  ok, 3 ms: lists the same 3',
      'tcp://10.0.0.12:8529',
      '  timeout, 2.0 s: no answer to the',
      '  connection: not reachable from here',
      'ssl://10.0.0.13:8529',
      '  tls, 8 ms: certificate is for',
      '  db.example, not 10.0.0.13',
      '',
      'warning, breaks drivers: some',
      '  endpoints with TLS, some without: the',
      '  Java driver uses one of the two for',
      '  all: ssl://10.0.0.13:8529',
      '',
      '1 of 3 can be used from here. A driver',
      'that takes this list will fail on the',
      'others.',
    ]);
    expect(Math.max(...report.map(({ length }) => length))).toBeLessThanOrEqual(40);
  });

  it('breaks a word that is longer than a line', () => {
    const long = endpoint(`tcp://${'a'.repeat(50)}:1`, 'dns', 3, 'x');
    expect(lines(check([long]), 40).slice(3, 5)).toEqual([`tcp://${'a'.repeat(34)}`, `${'a'.repeat(16)}:1`]);
    expect(lines({ ...check([long]), url: `http://${'b'.repeat(60)}` }, 40).slice(0, 2)).toEqual([
      `http://${'b'.repeat(33)}`,
      'bbbbbbbbbbbbbbbbbbbbbbbbbbb lists 1',
    ]);
  });

  it('colours the results and the warnings where it may', () => {
    const differs = endpoint('tcp://a:1', 'differs', 1, 'also lists tcp://b:1');
    const order: ListingWarning = { kind: 'order', breaksDrivers: false, message: 'm', endpoints: [] };
    const report = reportText(check([...ENDPOINTS, differs], [WARNING, order]), { width: 80, colors: true });
    expect(report).toContain('\u001b[1mENDPOINT');
    expect(report).toContain('\u001b[32mok        \u001b[0m');
    expect(report).toContain('\u001b[31mtls       \u001b[0m');
    expect(report).toContain('\u001b[33mdiffers   \u001b[0m');
    expect(report).toContain('\u001b[31mwarning, breaks drivers\u001b[0m: some');
    expect(report).toContain('\u001b[33mwarning\u001b[0m: m');
    const narrow = reportText(check([...ENDPOINTS, differs]), { width: 40, colors: true });
    expect(narrow).toContain('  \u001b[32mok\u001b[0m, 3 ms');
    expect(narrow).toContain('  \u001b[31mtls\u001b[0m, 8 ms');
  });

  it('names three endpoints behind a warning at most', () => {
    const endpoints = ['tcp://a:1', 'tcp://b:1', 'tcp://c:1', 'tcp://d:1'];
    expect(reportText(check([], [{ ...WARNING, endpoints }]), plain)).toContain(
      'for all: tcp://a:1, tcp://b:1, tcp://c:1 and 1 more',
    );
  });

  it('puts no control character of an endpoint on the terminal', () => {
    const report = reportText(check([endpoint('tcp://\u001b[2J\u202e:1', 'syntax', 0, 'x')]), plain);
    expect(report).toContain('tcp://\\u001b[2J\\u202e:1');
  });
});

describe('the last line', () => {
  const last = (given: ListingCheck): string | undefined => reportText(given, plain).split('\n').at(-1);
  const [good, bad] = ENDPOINTS as [EndpointCheck, EndpointCheck];

  it.each<[string, ListingCheck]>([
    ['All 3 can be used from here.', check([good, good, good])],
    ['Both can be used from here.', check([good, good])],
    ['The one endpoint can be used from here.', check([good])],
    [
      'The one endpoint can be used from here. A driver may still break on the list: see above.',
      check([good], [WARNING]),
    ],
    ['1 of 3 can be used from here. A driver that takes this list will fail on the others.', check([good, bad, bad])],
    ['1 of 2 can be used from here. A driver that takes this list will fail on the other.', check([good, bad])],
    ['0 of 2 can be used from here. A driver that takes this list will fail on all of them.', check([bad, bad])],
    ['Nothing on this list can be used.', check([])],
  ])('%s', (text, given) => expect(last(given)).toBe(text));

  it('comes behind a first line that counts what is listed', () => {
    expect(lines({ ...check([]), listing: 'server' }, 80)[0]).toBe('http://db.example:8529 lists no endpoints (12 ms)');
    expect(lines(check([good]), 80)[0]).toBe('http://db.example:8529 lists 1 coordinator (12 ms)');
  });
});
