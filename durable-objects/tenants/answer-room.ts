// The room that answers to a tenant's calls beside its replies have in memory, all together. In memory alone: each call that
// holds some says so again when it renews its lease, so an object that was lost knows it again within half a minute.
import {
  ANSWER_ROOM_WAIT_MS,
  LEASE_MS,
  MAX_HELD_ANSWER_BYTES,
} from "../../protocol/quotas/limits.ts";

interface Held {
  readonly bytes: number;
  readonly untilMs: number;
}

interface Waiting {
  readonly id: string;
  readonly bytes: number;
  readonly end: (hasRoom: boolean) => void;
}

export class AnswerRoom {
  readonly #held = new Map<string, Held>();
  /** In the order in which they came: a large answer is not passed by small ones for ever. */
  #waiting: readonly Waiting[] = [];

  /**
   * Waits for {@link ANSWER_ROOM_WAIT_MS} at most.
   * @param id Of a call that holds a lease. @param bytes In all that it holds then.
   * @returns false when there is no room: it holds what it held.
   */
  take(id: string, bytes: number): Promise<boolean> {
    if (bytes <= this.#bytesOf(id)) return Promise.resolve(true);
    if (this.#waiting.length === 0 && this.#fits(id, bytes)) {
      this.hold(id, bytes);
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const end = (hasRoom: boolean): void => {
        clearTimeout(timer);
        this.#waiting = this.#waiting.filter((one) => one !== waiting);
        resolve(hasRoom);
      };
      const waiting = { id, bytes, end };
      const timer = setTimeout(() => {
        end(false);
        // The one behind it may need less.
        this.#grant();
      }, ANSWER_ROOM_WAIT_MS);
      this.#waiting = [...this.#waiting, waiting];
    });
  }

  /** The call holds them already, whatever room there is. */
  hold(id: string, bytes: number): void {
    if (bytes > 0) this.#held.set(id, { bytes, untilMs: Date.now() + LEASE_MS });
  }

  /** The call is over. */
  give(id: string): void {
    for (const one of this.#waiting) if (one.id === id) one.end(false);
    this.#held.delete(id);
    this.#grant();
  }

  #grant(): void {
    for (const { id, bytes, end } of this.#waiting) {
      if (!this.#fits(id, bytes)) return;
      this.hold(id, bytes);
      end(true);
    }
  }

  #bytesOf(id: string): number {
    return this.#held.get(id)?.bytes ?? 0;
  }

  #fits(id: string, bytes: number): boolean {
    const nowMs = Date.now();
    let others = 0;
    for (const [holder, { bytes: held, untilMs }] of this.#held) {
      if (untilMs <= nowMs) this.#held.delete(holder);
      else if (holder !== id) others += held;
    }
    return others + bytes <= MAX_HELD_ANSWER_BYTES;
  }
}
