// The counts of a message, which its events tell in parts.
import type { Usage } from "../../protocol/messages/messages.ts";
import { asCount, asFields } from "../stream/stream-event.ts";

/** The members of a usage that are read. */
const COUNTS = [
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
] as const;

export class MessageCounts {
  readonly #counts: Partial<Record<(typeof COUNTS)[number], number>> = {};

  /**
   * The counts of the end are those of the whole call; members that it leaves out were in the start. Zero takes no
   * number back: some endpoints know the input at the start alone.
   */
  add(usage: unknown): void {
    const told = asFields(usage);
    if (!told) return;
    for (const name of COUNTS) this.#counts[name] = asCount(told[name]) || this.#counts[name] || 0;
  }

  /** Null when nothing was told. The API counts cached tokens apart from the others; here all are input, as elsewhere. */
  read(): Usage | null {
    const { input_tokens: fresh, output_tokens = 0 } = this.#counts;
    if (fresh === undefined) return null;
    const { cache_read_input_tokens = 0, cache_creation_input_tokens = 0 } = this.#counts;
    const input_tokens = asCount(fresh + cache_read_input_tokens + cache_creation_input_tokens);
    // An implausible sum is as if nothing had been told of its parts.
    const isTold = input_tokens > 0;
    return {
      input_tokens,
      output_tokens,
      cache_input_tokens: isTold ? cache_read_input_tokens : 0,
      cache_creation_input_tokens: isTold ? cache_creation_input_tokens : 0,
    };
  }
}
