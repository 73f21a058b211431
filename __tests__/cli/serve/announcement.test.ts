import { announcement } from '../../../lib/cli/output.js';

describe('What the server prints when it is ready', () =>
  it.each([
    ['tcp://127.0.0.1:8529', 'http://127.0.0.1:8529/_api/cluster/endpoints'],
    ['tcp://0.0.0.0:8529', 'http://127.0.0.1:8529/_api/cluster/endpoints'],
    ['tcp://[::]:8529', 'http://[::1]:8529/_api/cluster/endpoints'],
    ['tcp://[fd00::1]:8529', 'http://[fd00::1]:8529/_api/cluster/endpoints'],
    ['ssl://db.example:8530', '--insecure https://db.example:8530/_api/cluster/endpoints'],
    ['unix:///run/a.sock', '--unix-socket /run/a.sock http://localhost/_api/cluster/endpoints'],
  ])('names the listing of a coordinator at %s, from its own machine', (endpoint, target) =>
    expect(announcement('coordinator', [endpoint, 'tcp://10.0.0.1:1'])).toBe(
      `express-endpoint-listing 0.1.0, coordinator, listening on:\n  ${endpoint}\n  tcp://10.0.0.1:1\ntry: curl ${target}`,
    ),
  ));
