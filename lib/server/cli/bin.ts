#!/usr/bin/env node
import { runServer } from './run-server.js';

void runServer(process.argv.slice(2), process).then((exitCode) => {
  process.exitCode = exitCode;
});
