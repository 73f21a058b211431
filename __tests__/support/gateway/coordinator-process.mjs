// A Coordinator in a process of its own, whose list is empty.
import { createServer } from 'node:http';

createServer((req, res) => {
  const isListing = req.url?.endsWith('/_api/cluster/endpoints') === true;
  res.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
  res.end(JSON.stringify({ error: false, code: 200, ...(isListing ? { endpoints: [] } : { mode: 'default' }) }));
}).listen(Number(process.argv[2]), '127.0.0.1');
