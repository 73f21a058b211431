import dns from 'node:dns';

type Answer = (error: null, addresses: readonly dns.LookupAddress[]) => void;

/** For one test file: a name that has these addresses for whoever connects to it, until the test is over. */
export function useResolvedName(): (name: string, addresses: readonly string[]) => void {
  afterEach(() => jest.restoreAllMocks());
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
