import type { TroubleKind } from './trouble.js';
import type { HandshakeTrouble, RequestTrouble, TroubleSettings } from './trouble-rules.js';

/** A trouble that was set. */
export interface ActiveTrouble {
  readonly kind: TroubleKind;
  /** How many requests (connections, for `tls`) have met it. */
  readonly met: number;
  /** Ends it. Nothing happens when it has ended already. */
  readonly end: () => void;
}

interface Entry {
  readonly settings: TroubleSettings;
  readonly random: () => number;
  met: number;
}

/** The troubles of one cluster, in the order in which they were set. */
export class ActiveTroubles {
  #entries: Entry[] = [];

  add(settings: TroubleSettings): ActiveTrouble {
    const entry: Entry = { settings, random: randomFrom(settings.seed), met: 0 };
    this.#entries.push(entry);
    return Object.freeze({
      kind: settings.kind,
      get met() {
        return entry.met;
      },
      end: () => this.#remove(entry),
    });
  }

  /** The trouble of a request, if it meets one: the oldest that fits. */
  ofRequest(coordinator: number, isListing: boolean): RequestTrouble | undefined {
    return this.#meet(
      coordinator,
      (settings): settings is RequestTrouble => settings.kind !== 'tls' && (isListing || settings.routes === 'all'),
    );
  }

  /** The trouble of a TLS handshake. */
  ofHandshake(coordinator: number): HandshakeTrouble | undefined {
    return this.#meet(coordinator, (settings): settings is HandshakeTrouble => settings.kind === 'tls');
  }

  clear(): void {
    this.#entries = [];
  }

  #meet<T extends TroubleSettings>(coordinator: number, fits: (settings: TroubleSettings) => settings is T) {
    for (const entry of this.#entries) {
      const { settings, random } = entry;
      if (!fits(settings)) continue;
      if (settings.coordinator !== undefined && settings.coordinator !== coordinator) continue;
      if (random() >= settings.probability) continue;
      entry.met += 1;
      if (entry.met === settings.times) this.#remove(entry);
      return settings;
    }
    return undefined;
  }

  #remove(entry: Entry): void {
    this.#entries = this.#entries.filter((other) => other !== entry);
  }
}

/** Numbers from 0 up to, without, 1, that a seed repeats (mulberry32): Node has no generator that takes a seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
