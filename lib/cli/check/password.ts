import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { CheckTerminal } from './terminal.js';
import { secretFrom } from '../../command-line/secret-variables.js';

const VARIABLE = 'ENDPOINT_LISTING_PASSWORD';

/**
 * The password of a user: from the environment, or else typed at the terminal, which does not show it. Never from the command
 * line, which every user of a machine can read.
 *
 * @throws Error when it has a line break, when there is neither, or the user gives up with Ctrl-C or Ctrl-D.
 */
export async function passwordOf(user: string, { env, stdin, stderr }: CheckTerminal): Promise<string> {
  const given = secretFrom(env, VARIABLE);
  if (given !== undefined) return given;
  if (stdin.isTTY !== true) throw new Error(`no terminal to ask for the password of ${user}: set ${VARIABLE}`);
  // First, for the terminal shows whatever is typed before it is told not to.
  const typed = hiddenLine(stdin);
  stderr.write(`Password of ${user}: `);
  try {
    return await typed;
  } finally {
    stderr.write('\n');
  }
}

function hiddenLine(input: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    // As a terminal it edits the line; what it echoes goes nowhere.
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => { done(); } }); // prettier-ignore
    const line = createInterface({ input, output: nowhere, terminal: true, historySize: 0 });
    line.on('line', (text) => {
      resolve(text);
      line.close();
    });
    line.on('close', () => {
      reject(new Error('no password given'));
    });
  });
}
