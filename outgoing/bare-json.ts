// Finds JSON that stands in a body of server-sent events without `data:` before it, or in place of all events: servers
// and the gateways before them write an error so once a stream has begun, and some ignore that a stream was asked for.

/** The brackets with which the JSON begins and ends. */
const BRACKETS: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

export interface BareJsonListener {
  /** The rest of the body, in its order. */
  readonly onText: (text: string) => void;
  /** The lines of one value, which need not be JSON after all. */
  readonly onJson: (text: string) => void;
}

/**
 * Searcher of one body. A value is one line, or ends with a line that begins with its closing bracket; a line of an
 * event ends it too.
 */
export class BareJson {
  readonly #listener: BareJsonListener;
  /** The whole lines of a value that has begun. */
  #lines: string[] = [];
  /** The beginning of its next line. */
  #line = "";
  #isLineStart = true;

  constructor(listener: BareJsonListener) {
    this.#listener = listener;
  }

  /** Hot path: runs for each read of a stream, and searches its text once. */
  feed(text: string): void {
    const mayBegin = this.#isLineStart && opensValue(text);
    if (this.#isInValue || mayBegin || /\n[{[]/.test(text)) this.#feedLines(text);
    else if (text !== "") {
      this.#isLineStart = text.endsWith("\n");
      this.#listener.onText(text);
    }
  }

  /** The body has ended. */
  end(): void {
    if (this.#isInValue) this.#tell();
  }

  get #isInValue(): boolean {
    return this.#line !== "" || this.#lines.length > 0;
  }

  #feedLines(text: string): void {
    for (let from = 0; from < text.length;) {
      const lineEnd = text.indexOf("\n", from);
      const to = lineEnd < 0 ? text.length : lineEnd + 1;
      this.#feedPiece(text.slice(from, to));
      from = to;
    }
  }

  /** @param piece A line or a part of one. */
  #feedPiece(piece: string): void {
    const isLineStart = this.#isLineStart;
    this.#isLineStart = piece.endsWith("\n");
    if (this.#isInValue && isLineStart && /^(?:data|event):/.test(piece)) this.#tell();
    if (!this.#isInValue) {
      if (!isLineStart || !opensValue(piece)) {
        this.#listener.onText(piece);
        return;
      }
      // The text before the JSON is an event, also without its blank line.
      this.#listener.onText("\n");
    }
    this.#line += piece;
    if (!this.#isLineStart) return;
    this.#lines.push(this.#line);
    this.#line = "";
    if (this.#isWhole()) this.#tell();
  }

  #isWhole(): boolean {
    const closing = BRACKETS[this.#lines[0]?.charAt(0) ?? ""] ?? "";
    const last = this.#lines.at(-1) ?? "";
    return this.#lines.length === 1 ? last.trimEnd().endsWith(closing) : last.startsWith(closing);
  }

  #tell(): void {
    const value = this.#lines.join("") + this.#line;
    this.#lines = [];
    this.#line = "";
    this.#listener.onJson(value);
  }
}

function opensValue(text: string): boolean {
  return text.startsWith("{") || text.startsWith("[");
}
