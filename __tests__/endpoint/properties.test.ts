import fc from 'fast-check';
import { EndpointSyntaxError, formatEndpoint, parseEndpoint } from '../../lib/index.js';
import { endpointText, hostileText } from '../support/endpoint-text.js';
import { PROPERTY_RUNS } from '../support/runner/long-run.js';

/** Holds a property for every text that is accepted; generated ones mostly are. */
function ofAccepted(check: (text: string) => void): void {
  let accepted = 0;
  fc.assert(
    fc.property(endpointText, (text) => {
      try {
        parseEndpoint(text);
      } catch {
        return;
      }
      accepted += 1;
      check(text);
    }),
    PROPERTY_RUNS,
  );
  expect(accepted).toBeGreaterThan(PROPERTY_RUNS.numRuns / 2);
}

describe('For every accepted endpoint description', () => {
  it('the canonical form is its own canonical form', () =>
    ofAccepted((text) => {
      const canonical = formatEndpoint(parseEndpoint(text));
      expect(formatEndpoint(parseEndpoint(canonical))).toBe(canonical);
    }));

  it('formatting and parsing give the same parts again', () =>
    ofAccepted((text) => {
      const parts = parseEndpoint(text);
      expect(parseEndpoint(formatEndpoint(parts))).toStrictEqual(parts);
    }));

  it('the canonical form is one scheme, one host and one port in ASCII, or the path of a socket file', () =>
    ofAccepted((text) =>
      expect(formatEndpoint(parseEndpoint(text))).toMatch(
        /^(?:(?:tcp|ssl):\/\/(?:[a-z0-9_.-]+|\[[0-9a-f:]+\]):[1-9][0-9]{0,4}|unix:\/\/\/[^?#]*[^?#/])$/,
      ),
    ));

  it('new URL() finds the same host and port in it, as drivers do who turn tcp into http and ssl into https', () =>
    ofAccepted((text) => {
      const { scheme, host, port } = parseEndpoint(text);
      if (scheme === 'unix') return;
      const httpScheme = scheme === 'tcp' ? 'http' : 'https';
      const url = new URL(formatEndpoint({ scheme, host, port }).replace(scheme, httpScheme));
      expect(url.hostname.replace(/^\[(.*)\]$/, '$1')).toBe(host);
      expect(url.port === '' ? { http: 80, https: 443 }[httpScheme] : Number(url.port)).toBe(port);
      expect([url.username, url.password, url.pathname, url.search, url.hash]).toEqual(['', '', '/', '', '']);
    }));
});

describe('Whatever is given, the parser throws nothing but an EndpointSyntaxError:', () => {
  const codeUnit = fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit));

  it.each<[string, fc.Arbitrary<unknown>]>([
    ['any text', fc.string({ unit: 'binary', maxLength: 300 })],
    ['any code units, broken surrogate pairs too', fc.string({ unit: codeUnit, maxLength: 300 })],
    ['texts that resemble an endpoint', hostileText],
    ['values of any type', fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true })],
  ])('%s', (_, values) =>
    fc.assert(
      fc.property(values, (given) => {
        try {
          parseEndpoint(given as string);
        } catch (error) {
          if (!(error instanceof EndpointSyntaxError)) throw error;
        }
      }),
      PROPERTY_RUNS,
    ),
  );
});
