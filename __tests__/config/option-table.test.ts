import { SERVER_OPTIONS } from '../../lib/config/index.js';

describe('SERVER_OPTIONS', () => {
  it('describes every option, in the order of a help text', () => {
    expect(
      SERVER_OPTIONS.map(({ name, short = '', placeholder = '', repeatable, commandLineOnly, description }) =>
        [name, short, placeholder, repeatable ? 'repeatable' : '', commandLineOnly ? 'no file' : '', description].join(
          '|',
        ),
      ),
    ).toEqual([
      'server.endpoint||ENDPOINT|repeatable||listen here (default: tcp://127.0.0.1:8529)',
      'ssl.keyfile||FILE|||PEM file with the certificate chain and the private key for ssl:// endpoints',
      'cluster.my-role||ROLE|||SINGLE, COORDINATOR, DBSERVER, PRIMARY or AGENT (default: SINGLE)',
      'cluster.coordinator||ENDPOINT|repeatable||list this Coordinator: a fixed list',
      'cluster.agency-endpoint||URL|repeatable||list the Coordinators that are in this etcd',
      'cluster.my-srv-name||NAME|||list the Coordinators that this DNS SRV name has',
      'cluster.dns-server||ADDRESS|repeatable||ask this DNS server for the SRV name, not those of the system',
      'cluster.my-address||ENDPOINT|||the endpoint under which this server registers',
      'cluster.my-advertised-endpoint||ENDPOINT|||the endpoint that clients get in place of my-address',
      'configuration||FILE||no file|read this file, or none',
      'help|h|||no file|print this text',
      'version||||no file|print the version',
    ]);
  });

  it('leaves out what an option has not got', () => {
    const keys = (name: string): string[] => Object.keys(SERVER_OPTIONS.find((option) => option.name === name) ?? {});
    expect(keys('version')).toEqual(['name', 'repeatable', 'commandLineOnly', 'description']);
    expect(keys('help')).toEqual(['name', 'short', 'repeatable', 'commandLineOnly', 'description']);
  });

  it('is frozen', () => {
    expect(Object.isFrozen(SERVER_OPTIONS)).toBe(true);
    expect(SERVER_OPTIONS.every(Object.isFrozen)).toBe(true);
  });
});
