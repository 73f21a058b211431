import { Secrets } from '../../lib/text/secrets.js';

function secretsOf(...headers: (readonly [name: string, value: string])[]): Secrets {
  const secrets = new Secrets();
  for (const [name, value] of headers) secrets.addHeader(name, value);
  return secrets;
}

describe('What a server may send back of a request', () => {
  it('has nothing to hide before a header is known', () => expect(new Secrets().isEmpty).toBe(true));

  it('has nothing to hide where nobody is named', () => {
    const secrets = new Secrets();
    secrets.addAuthorization(undefined);
    expect(secrets.isEmpty).toBe(true);
  });

  it.each([
    ['accept', 'application/json'],
    ['accept-encoding', 'gzip, deflate'],
    ['accept-language', 'en-GB'],
    ['cache-control', 'no-cache'],
    ['connection', 'close'],
    ['content-type', 'text/plain'],
    ['host', 'db.svc'],
    ['user-agent', 'curl/8.5.0'],
  ])('may show %s, which says nothing of who asks', (name, value) => {
    const secrets = secretsOf([name, value]);
    expect([secrets.isEmpty, secrets.hide(`got ${value}`)]).toEqual([true, `got ${value}`]);
  });

  it.each([
    ['x-api-key', 'Key opensesame', 'no Key opensesame, no opensesame', 'no ***, no ***'],
    ['authorization', 'Bearer token-1', 'bad token-1', 'bad ***'],
    ['proxy-authorization', 'Bearer  token-1 ', 'bad token-1 here', 'bad *** here'],
    ['x-api-key', 'Key open sesame', 'no open sesame', 'no ***'],
    ['cookie', 's=x"sesame"', 'no x"sesame"', 'no ***'],
    ['cookie', 's="sesame"x', 'no "sesame"x', 'no ***'],
    ['authorization', 'Digest username="admin", response="6629fae4"', 'bad 6629fae4 of admin', 'bad *** of ***'],
    ['cookie', 'lang=en; session=opensesame', 'no session "opensesame" (en)', 'no session "***" (en)'],
    ['x-tokens', 'first-one, second-one', 'got second-one', 'got ***'],
    ['x-tokens', 'first-one;second-one', 'got second-one', 'got ***'],
  ])('shows no value of %s, and no part of %s', (name, value, said, shown) =>
    expect(secretsOf([name, value]).hide(said)).toBe(shown),
  );

  // root:openSesame
  it('shows neither the user nor the password of Basic, nor both of them', () => {
    const secrets = secretsOf(['authorization', 'basic cm9vdDpvcGVuU2VzYW1l']);
    expect(secrets.hide('bad cm9vdDpvcGVuU2VzYW1l')).toBe('bad ***');
    expect(secrets.hide('bad root:openSesame')).toBe('bad ***');
    expect(secrets.hide('bad openSesame of root')).toBe('bad *** of ***');
  });

  it.each(['utf8', 'latin1'] as const)('knows a password that Basic carries in %s', (encoding) => {
    const basic = `Basic ${Buffer.from('me:pässwörd', encoding).toString('base64')}`;
    const secrets = secretsOf(['authorization', basic]);
    expect(secrets.hide('pässwörd')).toBe('***');
    expect(secrets.hide(Buffer.from('pässwörd', encoding).toString('latin1'))).toBe('***');
    expect(secrets.hide(Buffer.from('pässwörd', encoding).toString())).toBe('***');
  });

  it('takes what has no colon in it for a password', () =>
    expect(secretsOf(['authorization', `Basic ${btoa('opensesame')}`]).hide('opensesame')).toBe('***'));

  it('decodes no other scheme', () => {
    const secrets = secretsOf(['authorization', 'Bearer cm9vdDpvcGVuU2VzYW1l']);
    expect(secrets.hide('bad openSesame')).toBe('bad openSesame');
  });

  it.each([
    ['in another letter case', 'OPEN"SÉSAME/ 1'],
    ['in a URL', encodeURIComponent('open"sésame/ 1')],
    ['in a form', new URLSearchParams({ p: 'open"sésame/ 1' }).toString().slice(2)],
    ['in a URL of latin1', 'open%22s%e9same/%201'],
    ['with each of its characters as a URL may have it', '%6fpen"s%C3%A9same%2F 1'],
    ['as UTF-8 that is read as latin1', 'open"sÃ©same/ 1'],
    ['as latin1 that is read as UTF-8', 'open"s\ufffdsame/ 1'],
    ['in JSON', String.raw`open\"sésame/ 1`],
    ['in JSON of ASCII', String.raw`open\u0022s\u00E9same\/ 1`],
    ['in HTML', 'open&quot;s&#xe9;same&#47; 1'],
    ['in base64', Buffer.from('open"sésame/ 1').toString('base64')],
    ['in base64 for URLs', Buffer.from('open"sésame/ 1').toString('base64url')],
    ['in base64 of latin1', Buffer.from('open"sésame/ 1', 'latin1').toString('base64').replace(/=+$/, '')],
  ])('hides a secret %s', (_how, said) => {
    const secrets = new Secrets();
    secrets.add('open"sésame/ 1');
    expect(secrets.hide(`got <${said}>, twice: ${said}`).replace(/=/g, '')).toBe('got <***>, twice: ***');
  });

  it.each([
    ['line\nbreak', 'line\\nbreak'],
    ['tab\tstop', 'tab\\tstop'],
    ['back\\slash', 'back\\\\slash'],
    ['back\\slash', 'back\\slash'],
    ['100%25', '100%25'],
    ['&amp;amp', '&amp;amp'],
    ['ΟΔΥΣΣΕΥΣ', 'ΟΔΥΣΣΕΥΣ'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['straße', 'STRASSE'],
    ['\u212aelvin', 'kelvin'],
    ['open???sesam', 'b3Blbj8/P3Nlc2Ft'],
    ["a\b\f\r&'><z", String.raw`a\b\f\r&amp;&apos;&gt;&lt;z`],
    ['\u{1f600}\u{1f600}', '&#128512;&#x1F600;'],
    ['\u{10ffff}\u{10ffff}', '&#1114111;&#9999999;'],
  ])('hides %j where a text has it as %s', (secret, said) => {
    const secrets = new Secrets();
    secrets.add(secret);
    expect(secrets.hide(`got ${said}`)).toBe('got ***');
  });

  it('hides secrets that overlap as one, and the longer one of two', () => {
    const secrets = secretsOf(['a', 'opensesame'], ['b', 'sesamestreet'], ['c', 'open']);
    expect(secrets.hide('at opensesamestreet, open')).toBe('at ***, ***');
  });

  it('hides texts from 4 characters on', () => {
    const secrets = secretsOf(['x-api-key', 'abcd']);
    expect([secrets.isEmpty, secrets.hide('an abcd')]).toEqual([false, 'an ***']);
    expect(secretsOf(['x-api-key', 'abc']).hide('an abc')).toBe('an abc');
  });

  it('cuts what a server says after 10,000 characters, and no secret in two', () => {
    const secrets = secretsOf(['x-api-key', 'opensesame']);
    expect(secrets.hide('x'.repeat(10_000))).toBe('x'.repeat(10_000));
    expect(secrets.hide('x'.repeat(10_001))).toBe(`${'x'.repeat(10_000)}...`);
    expect(secrets.hide(`${'x'.repeat(9_995)}opensesame opensesame`)).toBe(`${'x'.repeat(9_995)}***...`);
    expect(secrets.hide(`${'x'.repeat(10_000)}opensesame`)).toBe(`${'x'.repeat(10_000)}...`);
  });
});
