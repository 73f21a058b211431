// Asks each of some URLs for the list of hosts with one driver, once more if that succeeds, and prints what came of it: a line of
// JSON for each URL. Before each URL stands how long it may take, in ms. In a process of its own: some answers end the process of a driver, and that is the finding.
const [driver, ...limitsAndUrls] = process.argv.slice(2);
const { Database } = await import(driver);

let onUncaught = (error) => {
  throw error;
};
process.on('uncaughtException', (error) => onUncaught(error));

const codeOf = ({ code, cause }) => code ?? (cause && codeOf(cause));
// What is wrong with an argument has one code in one version of Node, and another in the next. For a connection that ends too soon
// fetch has two, and which one comes is a matter of the moment.
const steadyCode = (error) =>
  String(codeOf(error) ?? '')
    .replace(/^ERR_INVALID_.*/, '')
    .replace('UND_ERR_SOCKET', 'ECONNRESET');
const named = (error) => [error.name, steadyCode(error)].filter(Boolean).join(' ');

function ask(db, limit) {
  const asked = db.acquireHostList().then(() => `${db._connection._hostUrls.length} hosts`, named);
  const died = new Promise((resolve) => {
    onUncaught = (error) => resolve(`its process ends: ${named(error)}`);
  });
  const waits = new Promise((resolve) => setTimeout(resolve, Number(limit), 'waits'));
  return Promise.race([asked, died, waits]);
}

for (let at = 0; at < limitsAndUrls.length; at += 2) {
  const [limit, url] = limitsAndUrls.slice(at, at + 2);
  const db = new Database({ url });
  const first = await ask(db, limit);
  // An end of the connection that is under way shall have arrived.
  await new Promise((resolve) => setTimeout(resolve, 100));
  const second = first.endsWith('hosts') ? await ask(db, limit) : first;
  console.log(
    JSON.stringify(first.endsWith('hosts') && !second.endsWith('hosts') ? `${first}, then ${second}` : first),
  );
  db.close();
}
process.exit(0);
