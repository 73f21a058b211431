/** `size` endpoints, all different, in canonical form. */
export function endpointsOf(size: number): string[] {
  return Array.from(
    { length: size },
    (_, index) => `tcp://10.0.${String(Math.floor(index / 250))}.${String((index % 250) + 1)}:8529`,
  );
}

interface ClusterBody {
  error: false;
  code: 200;
  endpoints: { endpoint: string }[];
}

/** The cluster listing as a value: what a handler written by hand serialises. */
export function clusterBody(endpoints: readonly string[]): ClusterBody {
  return { error: false, code: 200, endpoints: endpoints.map((endpoint) => ({ endpoint })) };
}
