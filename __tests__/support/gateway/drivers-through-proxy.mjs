// Asks a proxy as drivers do, and prints what each of them got; started by a test, with the proxy's authority in NODE_EXTRA_CA_CERTS.
import { Database } from 'arangojs';
import { Database as Database8 } from 'arangojs8';
import { fetchEndpoints } from 'express-endpoint-listing/client';

const [url] = process.argv.slice(2);
const hostList = async (Driver) => {
  const database = new Driver({ url });
  // The hosts that the driver has taken over are of no use here: they are names that nobody resolves.
  await database.acquireHostList();
  database.close();
  return 'acquired';
};
const version = async (Driver) => {
  const database = new Driver({ url });
  const { version: given } = await database.version();
  database.close();
  return given;
};
const answered = {
  fetchEndpoints: await fetchEndpoints(url),
  arangojs8: [await hostList(Database8), await version(Database8)],
  arangojs10: [await hostList(Database), await version(Database)],
};
console.log(JSON.stringify(answered));
