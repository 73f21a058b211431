import { Secrets } from '../../lib/text/secrets.js';

function secretsOf(...headers: (readonly [name: string, value: string])[]): Secrets {
  const secrets = new Secrets();
  for (const [name, value] of headers) secrets.addHeader(name, value);
  return secrets;
}

describe('What a server may send back of a request', () => {
  it('has nothing to hide before a header is known', () => {
    expect(new Secrets().isEmpty).toBe(true);
  });

  it('has nothing to hide where nobody is named', () => {
    const secrets = new Secrets();
    secrets.addAuthorization(undefined);
    expect(secrets.isEmpty).toBe(true);
  });

  it.each([
    ['accept', 'application/json'],
    ['accept-encoding', 'gzip, deflate'],
    ['accept-language', 'en-GB'],
    ['content-type', 'text/plain'],
    ['user-agent', 'curl/8.5.0'],
  ])('may show %s, which says nothing of who asks', (name, value) => {
    const secrets = secretsOf([name, value]);
    expect([secrets.isEmpty, secrets.hide(`got ${value}`)]).toEqual([true, `got ${value}`]);
  });

  it('shows no value of any other header, in whole', () => {
    const secrets = secretsOf(['x-api-key', 'Key opensesame']);
    expect(secrets.isEmpty).toBe(false);
    expect(secrets.hide('no Key opensesame, no opensesame')).toBe('no ***, no opensesame');
  });

  it.each(['authorization', 'proxy-authorization'])('shows no part of %s behind its scheme', (name) => {
    expect(secretsOf([name, 'Bearer token-1']).hide('bad token-1')).toBe('bad ***');
    expect(secretsOf([name, 'Bearer  token-1 ']).hide('bad token-1')).toBe('bad ***');
    expect(secretsOf([name, 'Digest one two']).hide('bad one two')).toBe('bad ***');
  });

  it('shows neither user and password nor the password of Basic', () => {
    // root:openSesame
    const secrets = secretsOf(['authorization', 'basic cm9vdDpvcGVuU2VzYW1l']);
    expect(secrets.hide('bad cm9vdDpvcGVuU2VzYW1l')).toBe('bad ***');
    expect(secrets.hide('bad root:openSesame')).toBe('bad ***');
    expect(secrets.hide('bad openSesame of root')).toBe('bad *** of root');
  });

  it('decodes no other scheme', () => {
    const secrets = secretsOf(['authorization', 'Bearer cm9vdDpvcGVuU2VzYW1l']);
    expect(secrets.hide('bad openSesame')).toBe('bad openSesame');
  });

  it('hides texts from 4 characters on', () => {
    expect(secretsOf(['x-api-key', 'abcd']).hide('an abcd')).toBe('an ***');
    expect(secretsOf(['x-api-key', 'abc']).hide('an abc')).toBe('an abc');
  });

  it('hides a text also as a message quotes it', () => {
    expect(secretsOf(['x-api-key', 'a"bcd']).hide(String.raw`got "a\"bcd"`)).toBe('got "***"');
  });

  it('is hidden in errors, which stay the same where there is nothing to hide', () => {
    const secrets = secretsOf(['x-api-key', 'opensesame']);
    const harmless = new Error('no such database');
    expect(secrets.hideIn(harmless)).toBe(harmless);
    expect(secrets.hideIn(new Error('opensesame is wrong'))).toEqual(new Error('*** is wrong'));
    expect(secrets.hideIn('tcp://opensesame:1')).toBe('tcp://***:1');
  });
});
