import { ConfigError, loadServerOptions } from '../../lib/config/index.js';
import { ALLOWED_SCHEMES, fileError, loadError } from '../support/process/config-folder.js';

describe('ConfigError', () => {
  it('is an Error with a name of its own', () => {
    const error = loadError({}, { args: ['x'] });
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe('ConfigError');
  });

  it('has a frozen list of frozen problems', () => {
    expect.assertions(2);
    try {
      loadServerOptions({ args: ['x', 'y'] });
    } catch (error) {
      const { problems } = error as ConfigError;
      expect(Object.isFrozen(problems)).toBe(true);
      expect(problems.map(Object.isFrozen)).toEqual([true, true]);
    }
  });

  it('tells file, line, text and message of a problem in a file', () =>
    expect(fileError('\n [x\n').problems).toEqual([
      {
        file: '/conf/a.conf',
        line: 2,
        text: '" [x"',
        message: 'the line is none of "name = value", "[section]", "@include file" and "# comment"',
      },
    ]));

  it('tells the argument and the message of a problem on the command line', () =>
    expect(loadError({}, { args: ['--help=1'] }).problems).toEqual([
      { text: '"--help=1"', message: 'the option takes no value' },
    ]));

  it('tells the file alone of a problem with the whole file', () =>
    expect(loadError({}, { configFile: 'a.conf' }).problems).toEqual([
      {
        file: '/conf/a.conf',
        message: 'cannot be read: ENOENT: no such file or directory',
      },
    ]));

  it('has all of ten thousand problems, and the first fifty in its message', () => {
    const content = `[server]\n${'endpoint = @X@\n'.repeat(10_000)}`;
    const error = fileError(content);
    const lines = error.message.split('\n  ');
    expect(error.problems).toHaveLength(10_000);
    expect(lines).toHaveLength(52);
    expect(lines[0]).toBe('10000 problems in the configuration:');
    expect(lines[1]).toBe('/conf/a.conf:2: "endpoint = @X@": the value is empty; not set in the environment: X');
    expect(lines[50]).toBe('/conf/a.conf:51: "endpoint = @X@": the value is empty; not set in the environment: X');
    expect(lines[51]).toBe('and 9950 more');
  });

  it.each([
    [99, 'unknown option "endpiont", did you mean server.endpoint?'],
    [100, 'unknown option "endpiont"'],
  ])('after %d unknown names says of another: %s', (count, message) => {
    const others = Array.from({ length: count }, (_, index) => `unlike-all-${String(index)} = 1\n`.repeat(2));
    const { problems } = fileError(`${others.join('')}endpiont = 1`);
    expect(problems.at(-1)?.message).toBe(message);
  });

  it('stops at ten thousand problems', () => {
    const { problems } = fileError('endpiont = 1\n'.repeat(99_999));
    expect(problems).toHaveLength(10_000);
    expect(loadError({}, { args: Array.from({ length: 20_000 }, () => 'x') }).problems).toHaveLength(10_000);
    const env = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`ENDPOINT_LISTING_${String(at)}`, '']));
    expect(loadError({}, { env }).problems).toHaveLength(10_000);
  });

  it('has all of fifty problems in its message, and speaks of no more', () => {
    const lines = fileError('?\n'.repeat(50)).message.split('\n  ');
    expect(lines).toHaveLength(51);
    expect(lines[50]).toMatch(/^\/conf\/a\.conf:50: /);
  });

  it('shows a line of 200 characters as it is, and cuts a longer one', () => {
    expect(fileError(`[${'x'.repeat(199)}`).problems[0]?.text).toBe(`"[${'x'.repeat(199)}"`);
    expect(fileError(`[${'x'.repeat(200)}`).problems[0]?.text).toBe(`"[${'x'.repeat(199)}..."`);
  });

  it('cuts a long name, and looks for no other in its place', () => {
    const { message } = fileError(`${'x'.repeat(300)} = 1`);
    expect(message).toContain(`unknown option "${'x'.repeat(200)}"... (300 characters) (see --help)`);
  });

  it('has nothing in it that changes the terminal', () => {
    const { message } = loadError({}, { args: ['\u001b[31m\u202Ered\u2028\u009b'] });
    expect(message).toBe('command line: "\\u001b[31m\\u202ered\\u2028\\u009b": unexpected argument');
  });
});

describe('a password in a value', () => {
  it.each([
    [
      'tcp://root:s3cr3t@h:1',
      '"--server.endpoint=tcp://***@h:1": "tcp://***@h:1" is not an endpoint: it carries a user or a password',
    ],
    [
      'http@tcp://root:s3cr3t@h:1',
      '"--server.endpoint=http@tcp://***@h:1": "http@tcp://***@h:1" is not an endpoint: it carries a user or a password',
    ],
    ['root:s3cr3t@h:1', '"--server.endpoint=***@h:1": "***@h:1" is not an endpoint: it has no "<scheme>://"'],
    [
      'tcp://root:sec=s3cr3t@h:1',
      '"--server.endpoint=tcp://***@h:1": "tcp://***@h:1" is not an endpoint: it carries a user or a password',
    ],
  ])('%s is masked on the command line', (value, message) =>
    expect(loadError({}, { args: [`--server.endpoint=${value}`] }).message).toBe(
      `command line: ${message}; ${ALLOWED_SCHEMES}`,
    ),
  );

  it.each([
    ['a bad value', '[cluster]\nagency-endpoint = http://root:s3cr3t@h:2379'],
    ['a bad value without a scheme', '[cluster]\nagency-endpoint = root:s3cr3t@h:2379'],
    ['a scheme that nobody knows', 'server.endpoint = fish://root:s3cr3t@h:1'],
    ['an unknown key', '[server]\nendpont = tcp://root:s3cr3t@h:1'],
    ['a line of unknown shape', 'tcp://root:s3cr3t@h:1'],
    ['an @ in the password', 'server.endpoint = tcp://root:s3cr3t@s3cr3t@h:1'],
    ['something that looks like a variable in the password', 'server.endpoint = tcp://root:s3cr3t@x@h:1'],
    ['something that looks like a variable behind the user', 'server.endpoint = tcp://root@x@s3cr3t@h:1'],
    [
      'something that looks like a variable that is set in the password',
      'server.endpoint = tcp://root:s3cr3t@HOST@h:1',
    ],
    ['a variable with user and password', 'server.endpoint = tcp://@BOTH@@@h:1'],
    ['a variable with all of it', 'server.endpoint = @ALL@'],
    ['a variable as the user', 'server.endpoint = tcp://@USER@:s3cr3t@h:1'],
    ['a variable that is not set as the user', 'server.endpoint = tcp://@NOBODY@:s3cr3t@h:1'],
    ['a variable as the password', 'server.endpoint = tcp://root:@PASSWORD@@@h:1'],
    ['a variable as the host before a query', 'server.endpoint = tcp://@HOST@:1?token=s3cr3t'],
    ['a variable in a query', 'server.endpoint = tcp://h:1?token=@PASSWORD@'],
    ['a control character', 'server.endpoint = tcp://root:s3cr3t@h:1\0'],
  ])('is in no part of the error beside %s', (_, content) => {
    const error = loadError(
      { 'a.conf': content },
      {
        configFile: 'a.conf',
        env: { PASSWORD: 's3cr3t', USER: 'root', HOST: 'h', BOTH: 'root:s3cr3t', ALL: 'tcp://root:s3cr3t@h:1' },
      },
    );
    expect(`${error.message} ${JSON.stringify(error.problems)} ${String(error.stack)}`).not.toContain('s3cr3t');
  });

  it.each([
    ['alone', ['tcp://root:s3cr3t@h:1']],
    ['behind an unknown option', ['--endpont', 'tcp://root:s3cr3t@h:1']],
    ['behind an unknown option and an equals sign', ['--endpont=root:s3cr3t@h:1']],
    ['behind a switch', ['--help=root:s3cr3t@h:1']],
    ['in the place of an option', ['--root:s3cr3t@h:1']],
  ])('is in no part of the error of an argument %s', (_, args) => {
    const error = loadError({}, { args });
    expect(`${error.message} ${JSON.stringify(error.problems)} ${String(error.stack)}`).not.toContain('s3cr3t');
  });
});

describe('what stands behind a name that is no option', () => {
  const shownBy = (args: string[], files: Record<string, string> = {}): string => {
    const error = loadError(files, { args, ...('a.conf' in files ? { configFile: 'a.conf' } : {}) });
    return `${error.message} ${JSON.stringify(error.problems)} ${String(error.stack)}`;
  };

  it.each([
    ['behind a blank', ['--server.jwt-secrets', 's3cr3t']],
    ['behind an equals sign', ['--server.jwt-secrets=s3cr3t']],
    ['in two words', ['--server.jwt-secrets', 'my', 's3cr3t']],
    ['in two words, of an option that is ignored', ['--server.jwt-secret', 'my', 's3cr3t']],
    ['behind the end of the options', ['--server.jwt-secrets', '--', 's3cr3t']],
    ['with a dash before it', ['--server.jwt-secrets', '-s3cr3t']],
    ['with two dashes before it', ['--server.jwt-secrets', '--s3cr3t']],
    ['with dashes before it, of an option that is ignored', ['--server.jwt-secret', '--s3cr3t=x']],
    ['longer than an argument may be', ['--server.jwt-secrets', `s3cr3t${'x'.repeat(5000)}`]],
    ['longer than an argument may be, behind an equals sign', [`--server.jwt-secrets=s3cr3t${'x'.repeat(5000)}`]],
    ['with a line break in it', ['--server.jwt-secrets=a\ns3cr3t']],
    ['of a single letter', ['-p', 's3cr3t']],
    ['of a single letter, behind an equals sign', ['-p=s3cr3t']],
  ])('is in no part of the error %s', (_, args) => expect(shownBy([...args, '--other'])).not.toContain('s3cr3t'));

  it.each([
    ['in a section', '[server]\njwt-secrets = s3cr3t'],
    ['in an unknown section', '[sever]\njwt-secret = s3cr3t'],
    ['outside of every section', 'jwt-secret = s3cr3t'],
    ['without an equals sign', '[server]\njwt-secret s3cr3t'],
    ['behind a colon', '[server]\njwt-secret: s3cr3t'],
    ['behind a name with a blank', '[server]\njwt secret = s3cr3t'],
    ['without a name', '[server]\n= s3cr3t'],
    ['behind its section', '[server] jwt-secret = s3cr3t'],
    ['behind its section that is not closed', '[server jwt-secret = s3cr3t'],
    ['with a control character', '[server]\njwt-secret = s3cr3t\0'],
    ['in lines that end as those of an old Mac', '[server]\rjwt-secret = s3cr3t\r'],
    ['in a line that is too long', `[server]\njwt-secret = s3cr3t${'x'.repeat(5000)}`],
  ])('is in no part of the error of a file %s', (_, content) =>
    expect(shownBy([], { 'a.conf': `${content}\nother = 1\n` })).not.toContain('s3cr3t'),
  );

  it('is left out of the text, which has the name', () => {
    expect(loadError({}, { args: ['--server.jwt-secrets=s3cr3t', 'more', '-x'] }).problems).toEqual([
      { text: '"--server.jwt-secrets"', message: 'unknown option "--server.jwt-secrets"' },
      { message: 'unexpected argument after --server.jwt-secrets' },
      { message: 'unexpected argument after --server.jwt-secrets' },
    ]);
    expect(fileError('[server]\njwt-secrets = s3cr3t').problems).toEqual([
      { file: '/conf/a.conf', line: 2, text: '"jwt-secrets"', message: 'unknown option "server.jwt-secrets"' },
    ]);
  });

  it('hides no misspelt option that follows', () =>
    expect(loadError({}, { args: ['--log.foreground-tty', '--server.endpiont=tcp://h:1'] }).problems).toEqual([
      {
        text: '"--server.endpiont"',
        message: 'unknown option "--server.endpiont", did you mean --server.endpoint?',
      },
    ]));
});
