// Lets one arangojs, its folder first, acquire the list of hosts from each of the URLs behind it, then send eight requests in turn, and
// prints what came of it: a line of JSON for each URL. In a process of its own: some answers end the process of a driver.
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const [driver, ...urls] = process.argv.slice(2);
const { Database } = createRequire(import.meta.url)(driver);

let onUncaught;
process.on('uncaughtException', (error) => onUncaught(error));

const settled = (promise) =>
  promise.then(
    () => 'ok',
    ({ name }) => name,
  );
/** What came of a call: nothing answers late, so what is not over after seconds has ended the process of others. */
const outcomeOf = (call) =>
  Promise.race([
    settled(call()),
    new Promise((resolve) => (onUncaught = () => resolve('died'))),
    sleep(20_000, 'waits'),
  ]);

for (const url of urls) {
  const db = new Database({ url, loadBalancingStrategy: 'ROUND_ROBIN' });
  const requests = async (count) => {
    const outcomes = [];
    while (outcomes.length < count) outcomes.push(await outcomeOf(() => db.version()));
    return outcomes;
  };
  const call = await outcomeOf(() => db.acquireHostList());
  const { _hostUrls, _urls } = db._connection;
  const hosts = [...(_hostUrls ?? _urls)];
  const first = await requests(9);
  // The one whose turn is next may be the one that has left.
  const again = await outcomeOf(() => db.acquireHostList(true));
  const second = await requests(4);
  console.log(JSON.stringify({ call, hosts, first, again, hostsAgain: db._connection._hostUrls ?? [], second }));
}
process.exit(0);
