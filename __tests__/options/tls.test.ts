import { checkEndpoints } from '../../lib/client/index.js';
import { createEtcdDirectory } from '../../lib/etcd/index.js';
import { createHealthDirectory } from '../../lib/health/index.js';
import { createUpstreamDirectory } from '../../lib/upstream/index.js';
import { makeCertificate } from '../support/certificate.js';

type Ca = string | Buffer;
const FUNCTIONS: Readonly<Record<string, (ca: Ca) => Promise<unknown>>> = {
  createEtcdDirectory: (ca) => createEtcdDirectory({ hosts: ['https://127.0.0.1:1'], tls: { ca } }),
  createHealthDirectory: (ca) => createHealthDirectory({ endpoints: [], tls: { ca } }),
  createUpstreamDirectory: (ca) => createUpstreamDirectory({ servers: ['https://127.0.0.1:1'], tls: { ca } }),
  checkEndpoints: (ca) => checkEndpoints('https://127.0.0.1:1', { tls: { ca } }),
};
const NONE = 'there is no certificate in it';

describe('an authority that OpenSSL would skip without a word', () => {
  it.each<[string, (authority: { cert: string; key: string }) => Ca, string]>([
    ['nothing', () => '', NONE],
    ['another text', () => Buffer.from('# put the certificate here\n'), NONE],
    ['a private key', ({ key }) => key, NONE],
    ['a certificate in DER form', ({ cert }) => Buffer.from(cert.replace(/-----[^-]*-----/g, ''), 'base64'), NONE],
    ['half a certificate', ({ cert }) => cert.slice(0, cert.length / 2), 'certificate 1 cannot be read in it'],
    [
      'a second that is none',
      ({ cert }) => `${cert}\n${cert.replace('MII', 'MI*')}`,
      'certificate 2 cannot be read in it',
    ],
  ])('is refused: %s', async (_what, makeCa, reason) => {
    const ca = makeCa(await makeCertificate({ isAuthority: true, name: 'authority' }));
    for (const [name, call] of Object.entries(FUNCTIONS)) {
      await expect(call(ca)).rejects.toThrow(new TypeError(`${name}: option tls.ca is refused: ${reason}`));
    }
  });

  it('is accepted with the headers of every tool, with words around it, and more than one', async () => {
    const { cert } = await makeCertificate({ isAuthority: true, name: 'authority' });
    const ca = `our authority\r\n${cert}\r\n# and the old one\n${cert.replaceAll('CERTIFICATE', 'X509 CERTIFICATE')}`;
    await (await createHealthDirectory({ endpoints: [], tls: { ca } })).close();
  });
});
