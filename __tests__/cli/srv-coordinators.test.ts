import { srvCoordinators } from '../../lib/cli/srv-coordinators.js';
import { NAME, recordsOf, srvDirectories } from '../support/dns/srv-directories.js';

const { serve } = srvDirectories();
const quiet = (): void => undefined;

describe('The Coordinators that a DNS SRV name has', () => {
  it('are listed until the list is closed', async () => {
    const server = await serve(recordsOf('a.example'));
    const { provider, close } = await srvCoordinators(NAME, [server.address], 'tcp://own:1', quiet);
    expect(provider()).toEqual(['tcp://a.example:8529', 'tcp://own:1']);
    await close();
    expect(provider).toThrow('cluster backend unavailable');
  });

  it('are asked of the DNS servers of the system where no other is named', async () => {
    const opening = srvCoordinators('_a._tcp.name-that-nobody-has.invalid', [], undefined, quiet);
    const outcome = await opening.then(
      async ({ close }) => close(),
      (error: unknown) => String(error),
    );
    // Without a DNS server, or with one that knows no such name; never a refusal of the options.
    expect(outcome ?? '').not.toContain('TypeError');
  });
});
