import { bracketed } from '../../endpoint/host.js';
import { parseEndpoint } from '../../index.js';
import { listenOn } from '../../listen/index.js';
import { startTestCluster, type TestCluster } from '../../testing/index.js';
import { printError, printLine, type Signal, type Terminal } from '../terminal.js';
import { inWordsOfCommand, testClusterArguments, testClusterHelp } from './arguments.js';
import { createControl } from './control.js';

/** What `test-cluster` needs of the process that it runs in: `process` itself, or a stand-in of a test. */
export interface TestClusterTerminal extends Terminal {
  readonly stdin: NodeJS.ReadableStream;
}

const STOPPING: readonly Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * The subcommand `test-cluster`: runs a cluster for tests and its control API until a signal stops it, or the end of its stdin. Resolves
 * with the exit code: 0 after that, 1 when it could not start, with the reason on stderr. Never rejects.
 */
export async function runTestCluster(args: readonly string[], terminal: TestClusterTerminal): Promise<number> {
  let cluster: TestCluster | undefined;
  let stop: ReturnType<typeof watchForStop> | undefined;
  try {
    const given = testClusterArguments(args, terminal.env);
    if (given === undefined) {
      printLine(terminal, testClusterHelp());
      return 0;
    }
    stop = watchForStop(terminal, given.untilStdinCloses);
    cluster = await startTestCluster(given.cluster);
    const { advertisedHost } = given.cluster;
    const control = await listenOn(
      createControl(cluster, advertisedHost),
      [`tcp://${bracketed(given.host)}:${String(given.controlPort)}`],
      { closeTimeoutMs: 0 },
    );
    const { urls, endpoints, ca } = cluster;
    const { port } = parseEndpoint(String(control.endpoints()[0]));
    const host = bracketed(advertisedHost ?? given.host);
    const ready = { control: `http://${host}:${String(port)}`, urls, endpoints };
    printLine(terminal, JSON.stringify(ca === undefined ? ready : { ...ready, ca }));
    await stop.stopped;
    await control.close();
    return 0;
  } catch (error) {
    printError(terminal, inWordsOfCommand(error as Error));
    return 1;
  } finally {
    stop?.release();
    await cluster?.close();
  }
}

/** What ends the command, watched from before it has started anything. */
function watchForStop(terminal: TestClusterTerminal, withStdin: boolean) {
  let stop!: () => void;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const { stdin } = terminal;
  for (const signal of STOPPING) terminal.on(signal, stop);
  // Only a stream that is read says that it has ended.
  if (withStdin) stdin.on('end', stop).on('error', stop).resume();
  return {
    stopped,
    release() {
      for (const signal of STOPPING) terminal.off(signal, stop);
      // Otherwise an open stdin would keep the process alive.
      if (withStdin) stdin.off('end', stop).off('error', stop).pause();
    },
  };
}
