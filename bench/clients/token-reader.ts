// Reads the tokens of one reply, in any format that contains them unchanged.
import {
  nowMicroseconds,
  readTokenAgeMs,
  readTokenNumber,
  TOKEN_CHARACTERS,
  TOKEN_MARK,
} from "../model/token.ts";

export class TokenReader {
  /** Latency of each token in milliseconds, by its number. */
  readonly agesMs: number[] = [];
  /** Tokens out of order or repeated. */
  strays = 0;
  /** Milliseconds from the start to the first event and to the first token. */
  firstEventMs = Number.NaN;
  firstTokenMs = Number.NaN;
  readonly #startedAt = nowMicroseconds();
  readonly #eventMark: string;
  #rest = "";

  /** @param eventMark A text that is in every event and in nothing before the first one. */
  constructor(eventMark = "data:") {
    this.#eventMark = eventMark;
  }

  /** Takes a chunk, as text with one character per byte. */
  read(text: string): void {
    const now = nowMicroseconds();
    const seen = this.#rest + text;
    if (Number.isNaN(this.firstEventMs) && seen.includes(this.#eventMark)) {
      this.firstEventMs = this.#sinceMs(now);
    }
    let from = 0;
    for (;;) {
      const at = seen.indexOf(TOKEN_MARK, from);
      if (at < 0 || at + TOKEN_CHARACTERS > seen.length) {
        // A token may be split between chunks; its first part is read with the next chunk.
        this.#rest = at < 0 ? "" : seen.slice(at);
        return;
      }
      // Only the next token in order counts.
      if (readTokenNumber(seen, at) === this.agesMs.length) {
        if (this.agesMs.length === 0) this.firstTokenMs = this.#sinceMs(now);
        this.agesMs.push(readTokenAgeMs(seen, at, now));
      } else this.strays += 1;
      from = at + TOKEN_CHARACTERS;
    }
  }

  #sinceMs(now: number): number {
    return (now - this.#startedAt) / 1_000;
  }
}
