import express, { type Express } from 'express';
import { createEndpointRouter, type EndpointProvider } from 'express-endpoint-listing';
import { BlockList, isIPv6 } from 'node:net';

/** The Coordinators behind the gateway, as its own network reaches them, and as everybody else does. */
const INTERNAL = Object.freeze(['tcp://10.0.0.11:8529', 'tcp://10.0.0.12:8529']);
const ADVERTISED = Object.freeze(['ssl://c1.db.example:443', 'ssl://c2.db.example:443']);

const ownNetwork = new BlockList();
ownNetwork.addSubnet('10.0.0.0', 8, 'ipv4');
ownNetwork.addSubnet('fd00::', 8, 'ipv6');

/**
 * A gateway in front of a cluster. It tells every client the addresses that this client can reach: its own network the internal
 * ones, the rest of the world those that a balancer forwards.
 */
export function createGateway(): Express {
  const endpoints: EndpointProvider = ({ listing, req }) => {
    if (listing === 'server') return ['ssl://gateway.db.example:443'];
    const { ip = '' } = req;
    return ownNetwork.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4') ? INTERNAL : ADVERTISED;
  };

  const app = express();
  // The balancer runs on this machine; nobody else may say in X-Forwarded-For who is asking.
  app.set('trust proxy', 'loopback');
  app.use(createEndpointRouter({ role: 'coordinator', endpoints }));
  return app;
}

if (process.argv[1] === import.meta.filename) createGateway().listen(8529, '127.0.0.1');
