import dns from 'node:dns';
import net from 'node:net';

type Answer = (error: null, addresses: readonly dns.LookupAddress[]) => void;

/** For one test file: a name that has these addresses for whoever connects to it, until the test is over. */
export function useResolvedName(): (name: string, addresses: readonly string[]) => void {
  const attemptMs = net.getDefaultAutoSelectFamilyAttemptTimeout();
  // On a busy machine, a refusal may be seen later than after the 250 ms for which Node waits at an address.
  beforeEach(() => net.setDefaultAutoSelectFamilyAttemptTimeout(60_000));
  afterEach(() => {
    jest.restoreAllMocks();
    net.setDefaultAutoSelectFamilyAttemptTimeout(attemptMs);
  });
  return (name, addresses) => {
    const { lookup } = dns;
    const resolved = (host: string, options: object, answer: Answer): void => {
      if (host !== name) (lookup as (...args: unknown[]) => void)(host, options, answer);
      else
        answer(
          null,
          addresses.map((address) => ({ address, family: 4 })),
        );
    };
    jest.spyOn(dns, 'lookup').mockImplementation(resolved as never);
  };
}
