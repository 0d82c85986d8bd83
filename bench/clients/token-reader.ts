// Reads what arrives for one reply, in any format in which the tokens stand as they were sent.
import {
  nowMicroseconds,
  readTokenAgeMs,
  readTokenNumber,
  TOKEN_CHARACTERS,
  TOKEN_MARK,
} from "../model/token.ts";

export class TokenReader {
  /** How long each token was under way, by its number. */
  readonly agesMs: number[] = [];
  /** Tokens that came before their turn, or again. */
  strays = 0;
  /** Milliseconds from the beginning to the first event and to the first token. */
  firstEventMs = Number.NaN;
  firstTokenMs = Number.NaN;
  readonly #startedAt = nowMicroseconds();
  readonly #eventMark: string;
  #rest = "";

  /** @param eventMark What stands in an event, and in nothing that may come before the first one. */
  constructor(eventMark = "data:") {
    this.#eventMark = eventMark;
  }

  /** What arrived up to now, as text of one character a byte. */
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
        // A token may be cut by the network; what is left of it is read with the rest.
        this.#rest = at < 0 ? "" : seen.slice(at);
        return;
      }
      // A token counts when it is the next one.
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
