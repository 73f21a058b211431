// Lets one arangojs acquire the list of hosts from one server after the other, and prints what came of it: a line of JSON for each.
// In turn, it sends requests to the hosts that it has got, and again when it has acquired the list anew. In a process of its own: some
// answers end the process of a driver, and that is the finding.
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const [driver, jobs] = process.argv.slice(2);
const { Database } = createRequire(import.meta.url)(driver);

let onUncaught;
process.on('uncaughtException', (error) => onUncaught(error));

const codeOf = ({ code, cause }) => code ?? (cause && codeOf(cause));
// What is wrong with an argument has one code in one version of Node, and another in the next. For a connection that ends too soon
// fetch has two, and which one comes is a matter of the moment.
const steadyCode = (error) =>
  String(codeOf(error) ?? '')
    .replace(/^ERR_INVALID_.*/, '')
    .replace('UND_ERR_SOCKET', 'ECONNRESET');
const named = (error) => [error.name, steadyCode(error)].filter(Boolean).join(' ');

for (const { url, limitMs, inTurn } of JSON.parse(jobs)) {
  const db = new Database({ url, loadBalancingStrategy: inTurn ? 'ROUND_ROBIN' : 'NONE' });
  const outcomeOf = (call) =>
    Promise.race([
      call().then(() => 'ok', named),
      new Promise((resolve) => (onUncaught = (error) => resolve(`its process ends: ${named(error)}`))),
      sleep(limitMs, 'waits'),
    ]);
  const requests = async (count) => {
    const outcomes = [];
    while (inTurn && outcomes.length < count) outcomes.push(await outcomeOf(() => db.version()));
    return outcomes;
  };
  const hosts = () => [...(db._connection._hostUrls ?? db._connection._urls)];

  const call = await outcomeOf(() => db.acquireHostList());
  const [acquired, first] = [hosts(), await requests(9)];
  // An end of the connection that is under way shall have arrived.
  if (!inTurn) await sleep(100);
  // The one whose turn is next may be the one that has left.
  const again = call === 'ok' ? await outcomeOf(() => db.acquireHostList(true)) : call;
  console.log(JSON.stringify({ call, hosts: acquired, first, again, hostsAgain: hosts(), second: await requests(4) }));
}
process.exit(0);
