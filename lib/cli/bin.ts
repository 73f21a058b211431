#!/usr/bin/env node
import { runServer } from './run-server.js';

// A server outlives the terminal or the pipe that it was started from.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

void runServer(process.argv.slice(2), process).then((exitCode) => {
  process.exitCode = exitCode;
});
