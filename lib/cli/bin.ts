#!/usr/bin/env node
import { printError, takeSignals } from './terminal.js';

type Command = (args: readonly string[], terminal: NodeJS.Process) => Promise<number>;

/** A signal may arrive while the rest is still loading. */
const serveCommand: Command = async (args, terminal) => {
  const signals = takeSignals(terminal);
  const { runServer } = await import('./serve/run-server.js');
  return runServer(args, terminal, signals);
};

const checkCommand: Command = async (args, terminal) => (await import('./check/run-check.js')).runCheck(args, terminal);

const testClusterCommand: Command = async (args, terminal) =>
  (await import('./test-cluster/run-test-cluster.js')).runTestCluster(args, terminal);

const aliveCommand: Command = async (args, terminal) => (await import('./serve/alive.js')).runAlive(args, terminal);

/** The subcommands, loaded on demand; each resolves with the exit code. Without one, the server runs. */
const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['serve', serveCommand],
  ['check', checkCommand],
  ['test-cluster', testClusterCommand],
  ['alive', aliveCommand],
]);

// A server outlives the terminal or the pipe that started it.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const args = process.argv.slice(2);
const [word = '-'] = args;
const command = word.startsWith('-') ? serveCommand : (COMMANDS.get(word) ?? unknownCommand(word));
void command(COMMANDS.has(word) ? args.slice(1) : args, process).then((exitCode) => {
  process.exitCode = exitCode;
});

function unknownCommand(word: string): Command {
  return async () => {
    const { unknown } = await import('../command-line/read-command.js');
    printError(process, `${unknown('command', word, [...COMMANDS.keys()])} (see --help)`);
    return 1;
  };
}
