// Stored bytes of end users as their tenant's object knows them: D1's counts, read for those who are active, and the bytes
// that their sessions were allowed to add since. In memory alone: what is not known is read, and decides from then on.
import {
  END_USER_BYTES_STALE_MS,
  MAX_REMEMBERED_END_USERS,
  STORED_BYTES_GRANT,
  STORED_BYTES_REFRESH_MS,
} from "../../protocol/quotas/limits.ts";

interface Known {
  readonly stored: number;
  readonly readAtMs: number;
  /** Bytes that sessions may have stored since; they report it themselves before they ask for more. */
  readonly granted: number;
}

interface Source {
  /** Reads D1's count. Contract: never rejects; null when it cannot be had in time. */
  readonly read: (holder: string) => Promise<number | null>;
  readonly inBackground: (work: Promise<unknown>) => void;
}

export class EndUserBytes {
  readonly #source: Source;
  readonly #known = new Map<string, Known>();
  readonly #reading = new Map<string, Promise<void>>();

  constructor(source: Source) {
    this.#source = source;
  }

  /**
   * The bytes that a holder stores, as last read; null when the number is not known yet. A reply that begins does not
   * wait for D1: only before it is refused the count is read anew, since something may have been deleted.
   */
  async stored(holder: string, most: number | null): Promise<number | null> {
    if (most === null) return null;
    const ageMs = this.#ageMs(holder);
    if (ageMs >= END_USER_BYTES_STALE_MS) this.#source.inBackground(this.#refresh(holder));
    const known = this.#known.get(holder);
    if (known && known.stored >= most && ageMs >= STORED_BYTES_REFRESH_MS) {
      await this.#refresh(holder);
    }
    return this.#known.get(holder)?.stored ?? null;
  }

  /** Whether a session of the holder may add them, and {@link STORED_BYTES_GRANT} beside. */
  async grant(holder: string, bytes: number, most: number | null): Promise<boolean> {
    if (most === null) return true;
    const hasRoom = ({ stored, granted }: Known) => stored + granted + bytes <= most;
    const known = this.#known.get(holder);
    const isOld = this.#ageMs(holder) >= STORED_BYTES_REFRESH_MS;
    if (!known || (!hasRoom(known) && isOld)) await this.#refresh(holder);
    const current = this.#known.get(holder);
    // D1 does not answer: a session continues, as replies do.
    if (!current) return true;
    if (!hasRoom(current)) return false;
    this.#put(holder, { ...current, granted: current.granted + bytes + STORED_BYTES_GRANT });
    return true;
  }

  /** Infinity for a holder that is not known, and when the clock was set back. */
  #ageMs(holder: string): number {
    const ageMs = Date.now() - (this.#known.get(holder)?.readAtMs ?? -Infinity);
    return ageMs < 0 ? Infinity : ageMs;
  }

  /** One read at a time for each holder. */
  #refresh(holder: string): Promise<void> {
    const reading = this.#reading.get(holder);
    if (reading) return reading;
    const read = this.#read(holder).finally(() => this.#reading.delete(holder));
    this.#reading.set(holder, read);
    return read;
  }

  async #read(holder: string): Promise<void> {
    const stored = await this.#source.read(holder);
    if (stored !== null) this.#put(holder, { stored, readAtMs: Date.now(), granted: 0 });
  }

  #put(holder: string, known: Known): void {
    this.#known.delete(holder);
    this.#known.set(holder, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_REMEMBERED_END_USERS && oldest !== undefined) {
      this.#known.delete(oldest);
    }
  }
}
