import { ConfigError, loadServerOptions } from '../../lib/config/index.js';
import { loadError } from '../support/process/config-folder.js';

const ALLOWED_SCHEMES =
  'allowed schemes: tcp, ssl, http, https, http+tcp, http+ssl, http@tcp, http@ssl, unix, http+unix, http@unix';

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

  it('tells file, line, text and message of a problem in a file', () => {
    expect(loadError({ 'a.conf': '\n x\n' }, { configFile: 'a.conf' }).problems).toEqual([
      {
        file: '/conf/a.conf',
        line: 2,
        text: '" x"',
        message: 'the line is none of "name = value", "[section]", "@include file" and "# comment"',
      },
    ]);
  });

  it('tells the argument and the message of a problem on the command line', () => {
    expect(loadError({}, { args: ['--help=1'] }).problems).toEqual([
      { text: '"--help=1"', message: 'the option takes no value' },
    ]);
  });

  it('tells the file alone of a problem with the whole file', () => {
    expect(loadError({}, { configFile: 'a.conf' }).problems).toEqual([
      {
        file: '/conf/a.conf',
        message: "cannot be read: ENOENT: no such file or directory, open '/conf/a.conf'",
      },
    ]);
  });

  it('has all of ten thousand problems, and the first fifty in its message', () => {
    const content = `[server]\n${'endpoint =\n'.repeat(10_000)}`;
    const error = loadError({ 'a.conf': content }, { configFile: 'a.conf' });
    const lines = error.message.split('\n');
    expect(error.problems).toHaveLength(10_000);
    expect(lines).toHaveLength(52);
    expect(lines[0]).toBe('10000 problems in the configuration:');
    expect(lines[1]).toBe('/conf/a.conf:2: "endpoint =": the value is empty');
    expect(lines[50]).toBe('/conf/a.conf:51: "endpoint =": the value is empty');
    expect(lines[51]).toBe('and 9950 more');
  });

  it('has all of fifty problems in its message, and speaks of no more', () => {
    const lines = loadError({ 'a.conf': '?\n'.repeat(50) }, { configFile: 'a.conf' }).message.split('\n');
    expect(lines).toHaveLength(51);
    expect(lines[50]).toMatch(/^\/conf\/a\.conf:50: /);
  });

  it('shows a line of 200 characters as it is', () => {
    const { problems } = loadError({ 'a.conf': 'x'.repeat(200) }, { configFile: 'a.conf' });
    expect(problems[0]?.text).toBe(`"${'x'.repeat(200)}"`);
  });

  it('cuts a long line', () => {
    const { problems } = loadError({ 'a.conf': 'x'.repeat(300) }, { configFile: 'a.conf' });
    expect(problems[0]?.text).toBe(`"${'x'.repeat(200)}..."`);
  });

  it('cuts a long name, and looks for no other in its place', () => {
    const { message } = loadError({ 'a.conf': `${'x'.repeat(300)} = 1` }, { configFile: 'a.conf' });
    expect(message).toContain(`unknown option "${'x'.repeat(200)}"... (300 characters); known are server.endpoint,`);
  });

  it('has nothing in it that changes the terminal', () => {
    const { message } = loadError({}, { args: ['\u001b[31m\u202Ered\u2028\u009b'] });
    expect(message).toBe('command line: "\\u001b[31m?red??": the argument belongs to no option');
  });
});

describe('a password in a value', () => {
  it.each([
    [
      'tcp://root:secret@h:1',
      '"--server.endpoint=tcp://***@h:1": "tcp://***@h:1" is not an endpoint: it carries a user or a password',
    ],
    [
      'http@tcp://root:secret@h:1',
      '"--server.endpoint=http@tcp://***@h:1": "http@tcp://***@h:1" is not an endpoint: it carries a user or a password',
    ],
    ['root:secret@h:1', '"--server.endpoint=***@h:1": "***@h:1" is not an endpoint: it has no "<scheme>://"'],
    [
      'tcp://root:sec=secret@h:1',
      '"--server.endpoint=tcp://***@h:1": "tcp://***@h:1" is not an endpoint: it carries a user or a password',
    ],
  ])('%s is masked on the command line', (value, message) => {
    expect(loadError({}, { args: [`--server.endpoint=${value}`] }).message).toBe(
      `command line: ${message}; ${ALLOWED_SCHEMES}`,
    );
  });

  it.each([
    ['http://root:secret@h:1', '"--root=http://***@h:1"'],
    ['root:secret@tcp://h:1', '"--root=***@tcp://h:1"'],
    ['tcp://@h:1', '"--root=tcp://***@h:1"'],
  ])('%s is masked up to the last @, behind its scheme', (value, text) => {
    expect(loadError({}, { args: [`--root=${value}`] }).problems[0]?.text).toBe(text);
  });

  it.each([
    ['a bad value', '[cluster]\nagency-endpoint = http://root:secret@h:2379'],
    ['a bad value without a scheme', '[cluster]\nagency-endpoint = root:secret@h:2379'],
    ['a scheme that nobody knows', 'server.endpoint = fish://root:secret@h:1'],
    ['an unknown key', '[server]\nendpont = tcp://root:secret@h:1'],
    ['a line of unknown shape', 'tcp://root:secret@h:1'],
    ['an @ in the password', 'server.endpoint = tcp://root:secret@secret@h:1'],
    ['something that looks like a variable in the password', 'server.endpoint = tcp://root:secret@x@h:1'],
    ['something that looks like a variable behind the user', 'server.endpoint = tcp://root@x@secret@h:1'],
    [
      'something that looks like a variable that is set in the password',
      'server.endpoint = tcp://root:secret@HOST@h:1',
    ],
    ['a variable with user and password', 'server.endpoint = tcp://@BOTH@@@h:1'],
    ['a variable with all of it', 'server.endpoint = @ALL@'],
    ['a variable as the user', 'server.endpoint = tcp://@USER@:secret@h:1'],
    ['a variable that is not set as the user', 'server.endpoint = tcp://@NOBODY@:secret@h:1'],
    ['a variable as the password', 'server.endpoint = tcp://root:@PASSWORD@@@h:1'],
    ['a control character', 'server.endpoint = tcp://root:secret@h:1\0'],
  ])('is in no part of the error beside %s', (_, content) => {
    const error = loadError(
      { 'a.conf': content },
      {
        configFile: 'a.conf',
        env: { PASSWORD: 'secret', USER: 'root', HOST: 'h', BOTH: 'root:secret', ALL: 'tcp://root:secret@h:1' },
      },
    );
    expect(`${error.message} ${JSON.stringify(error.problems)} ${String(error.stack)}`).not.toContain('secret');
  });

  it.each([
    ['alone', ['tcp://root:secret@h:1']],
    ['behind an unknown option', ['--endpont', 'tcp://root:secret@h:1']],
    ['behind an unknown option and an equals sign', ['--endpont=root:secret@h:1']],
    ['behind a switch', ['--help=root:secret@h:1']],
    ['in the place of an option', ['--root:secret@h:1']],
  ])('is in no part of the error of an argument %s', (_, args) => {
    const error = loadError({}, { args });
    expect(`${error.message} ${JSON.stringify(error.problems)} ${String(error.stack)}`).not.toContain('secret');
  });
});
