import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ConfigError, loadServerOptions, type LoadOptions, type ServerOptions } from '../../../lib/config/index.js';

/** With what the refusal of an endpoint ends. */
export const ALLOWED_SCHEMES =
  'allowed schemes: tcp, ssl, http, https, http+tcp, http+ssl, http@tcp, http@ssl, unix, http+unix, http@unix';

/** What is in a folder: paths below it, and what each file holds. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** Makes a folder with files, hands it to `use`, and removes it. */
export function inFolder<Result>(files: Files, use: (folder: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Loads the options in a folder with these files, without the environment of the test; the folder is called `/conf` in the result. */
export function load(files: Files, options: Omit<LoadOptions, 'cwd'> = {}): ServerOptions {
  return inFolder(files, (cwd) => {
    const loaded = loadServerOptions({ env: {}, ...options, cwd });
    return JSON.parse(JSON.stringify(loaded).replaceAll(cwd, '/conf')) as ServerOptions;
  });
}

/** The error of a load that fails; the folder is called `/conf` in it. */
export function loadError(files: Files, options: Omit<LoadOptions, 'cwd'> = {}): ConfigError {
  return inFolder(files, (cwd) => {
    try {
      loadServerOptions({ env: {}, ...options, cwd });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const problems = JSON.parse(JSON.stringify(error.problems).replaceAll(cwd, '/conf')) as ConfigError['problems'];
      return Object.assign(new ConfigError(problems), { message: error.message.replaceAll(cwd, '/conf') });
    }
    throw new Error('the configuration was accepted');
  });
}

/** The same of a file with this content. */
export const loadFile = (content: string | Uint8Array, options: Omit<LoadOptions, 'cwd'> = {}): ServerOptions =>
  load({ 'a.conf': content }, { configFile: 'a.conf', ...options });
export const fileError = (content: string | Uint8Array, options: Omit<LoadOptions, 'cwd'> = {}): ConfigError =>
  loadError({ 'a.conf': content }, { configFile: 'a.conf', ...options });
