// The text of a block that grows, cut into parts that do not change any more and one that does, so that a further word
// costs the same after 20,000 of them.
import { Lexer, type Token } from "marked";

/** Characters of the growing part up to which it is read as markdown with each frame; a longer one is plain meanwhile. */
const MAX_TAIL_CHARACTERS = 3_000;
/** Characters of text between two looks for an end of a part. */
const LOOK_CHARACTERS = 200;
/** A link's definition may be used anywhere, so such a text is read as a whole once it has ended. */
const DEFINITION = /^ {0,3}\[[^\]]+\]:/m;

interface GrownText {
  /** Whole blocks of markdown, in order. Those that were there keep their place and their text. */
  readonly parts: readonly string[];
  /** Text behind the parts, which may still change its meaning. */
  readonly tail: string;
  /** Whether the tail is too long to be read as markdown with each frame. */
  readonly isTailPlain: boolean;
}

export class GrowingText {
  #parts: readonly string[] = [];
  /** Characters of the parts. */
  #length = 0;
  #start = "";
  /** Characters of the whole text at which ends of parts are looked for again. */
  #nextLook = 0;

  /** @param isGrowing False when the text has ended: then all of it is in the parts. */
  take(text: string, isGrowing: boolean): GrownText {
    // Replaced by another text, which happens when a block ends with a checked one.
    if (text.length < this.#length || !text.startsWith(this.#start)) this.#reset();
    if (!isGrowing && DEFINITION.test(text)) return { parts: [text], tail: "", isTailPlain: false };
    if (text.length >= this.#nextLook || !isGrowing) this.#look(text, isGrowing);
    const tail = text.slice(this.#length);
    return { parts: this.#parts, tail, isTailPlain: tail.length > MAX_TAIL_CHARACTERS };
  }

  #reset(): void {
    this.#parts = [];
    this.#length = 0;
    this.#start = "";
    this.#nextLook = 0;
  }

  #look(text: string, isGrowing: boolean): void {
    const found = findParts(text.slice(this.#length), isGrowing);
    if (found.length > 0) {
      this.#parts = [...this.#parts, ...found];
      this.#length += found.reduce((sum, part) => sum + part.length, 0);
      this.#start = text.slice(0, Math.min(this.#length, LOOK_CHARACTERS));
    }
    // A look reads all of the tail: a long one is looked at when it has grown by half.
    const tailLength = text.length - this.#length;
    this.#nextLook = text.length + Math.max(LOOK_CHARACTERS, tailLength / 2);
  }
}

/** The top-level blocks of markdown, each with the space behind it; of a growing text without the last one. */
function findParts(text: string, isGrowing: boolean): readonly string[] {
  const parts: string[] = [];
  for (const { type, raw } of readTokens(text)) {
    const last = parts.length - 1;
    if (type === "space" && last >= 0) parts[last] += raw;
    else parts.push(raw);
  }
  // The parser writes some characters anew: then the parts would not be the text.
  if (!text.startsWith(parts.join(""))) return isGrowing ? [] : [text];
  return isGrowing ? parts.slice(0, -1) : parts;
}

function readTokens(text: string): readonly Token[] {
  try {
    // Blocks alone: what is inside of them is read when they are drawn.
    return new Lexer().blockTokens(text);
  } catch {
    return [{ type: "text", raw: text } as Token];
  }
}
