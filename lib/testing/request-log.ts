import type { IncomingMessage } from 'node:http';
import type { ReceivedRequest } from './test-cluster.js';

/** What one cluster has received. */
export interface RequestLog {
  /** Notes a request; what it meets is added when it is known. */
  add(coordinator: number, req: IncomingMessage): { -readonly [Key in keyof ReceivedRequest]: ReceivedRequest[Key] };
  all(): readonly ReceivedRequest[];
  of(coordinator: number): readonly ReceivedRequest[];
  clear(): void;
}

/** The test of a driver rarely looks further back, and a soak must not fill the memory. */
const KEPT = 10_000;

export function createRequestLog(): RequestLog {
  let requests: ReceivedRequest[] = [];
  return {
    add(coordinator, { method, url, headers }) {
      const request = {
        coordinator,
        method: String(method),
        url: String(url),
        headers,
        receivedAt: Date.now(),
        trouble: null,
      };
      requests.push(request);
      if (requests.length > KEPT) requests.shift();
      return request;
    },
    all: () => requests.slice(),
    of: (coordinator) => requests.filter((request) => request.coordinator === coordinator),
    clear() {
      requests = [];
    },
  };
}
