#!/usr/bin/env node
import { takeSignals } from './terminal.js';

type Command = (args: readonly string[], terminal: NodeJS.Process) => Promise<number>;

/** A signal may come while the rest is still loading. */
const serveCommand: Command = async (args, terminal) => {
  const signals = takeSignals(terminal);
  const { runServer } = await import('./serve/run-server.js');
  return runServer(args, terminal, signals);
};

const checkCommand: Command = async (args, terminal) => (await import('./check/run-check.js')).runCheck(args, terminal);

const testClusterCommand: Command = async (args, terminal) =>
  (await import('./test-cluster/run-test-cluster.js')).runTestCluster(args, terminal);

/** What a first word starts, loaded only when it is asked for; resolves with the exit code. Without one, the server runs. */
const COMMANDS: ReadonlyMap<string | undefined, Command> = new Map([
  ['serve', serveCommand],
  ['check', checkCommand],
  ['test-cluster', testClusterCommand],
]);

// A server outlives the terminal or the pipe that it was started from.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const args = process.argv.slice(2);
const command = COMMANDS.get(args[0]);
void (command === undefined ? serveCommand(args, process) : command(args.slice(1), process)).then((exitCode) => {
  process.exitCode = exitCode;
});
