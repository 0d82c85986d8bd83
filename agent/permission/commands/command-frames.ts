// The state of the command parser: a stack of open commands, quotes and braces, and the parts read so far.
import type { CommandPart, Construct } from "./command-part.ts";
import { PartBuilder } from "./part-builder.ts";

const RESERVED = new Set(
  "if then elif else fi for while until do done case esac in select { } ! coproc".split(" "),
);
const TESTS = new Set(["[", "[[", "test"]);

type FrameKind = "top" | "paren" | "backtick" | "quotes" | "brace";

interface Frame {
  readonly kind: FrameKind;
  /** The part of the innermost open command. */
  part: PartBuilder;
}

export class CommandFrames {
  readonly #text: string;
  readonly #frames: Frame[];
  #top: Frame;
  readonly parts: CommandPart[] = [];
  readonly constructs = new Set<Construct>();
  /** Words and the constructs inside them. */
  pieces = 0;

  constructor(text: string) {
    this.#text = text;
    this.#top = { kind: "top", part: new PartBuilder(0, false) };
    this.#frames = [this.#top];
  }

  get kind(): FrameKind {
    return this.#top.kind;
  }

  get part(): PartBuilder {
    return this.#top.part;
  }

  get depth(): number {
    return this.#frames.length;
  }

  /** Opens a nested command, whose text starts at `start`, inside a word or between words. */
  open(kind: "paren" | "backtick", start: number): void {
    this.pieces += 1;
    this.#top.part.hasNested = true;
    this.#top = { kind, part: new PartBuilder(start, false) };
    this.#frames.push(this.#top);
  }

  /** Opens quotes or a brace inside the current word. */
  push(kind: "quotes" | "brace"): void {
    this.pieces += 1;
    this.#top = { kind, part: this.#top.part };
    this.#frames.push(this.#top);
  }

  /** @param at The index of the closing character. */
  pop(at: number): void {
    if (this.#top.kind === "paren" || this.#top.kind === "backtick") this.endPart(at, at);
    this.#frames.pop();
    this.#top = this.#frames.at(-1) ?? this.#top;
  }

  endWord(): void {
    const { part } = this.#top;
    if (part.text === null) return;
    if (part.wordCount === 0) this.#noteFirstWord(part.text);
    this.pieces += 1;
    part.endWord();
  }

  /** @param isPiped Whether the next part, which begins at `next`, reads the output of this one. */
  endPart(end: number, next: number, isPiped = false): void {
    this.endWord();
    const finished = this.#top.part.finish(this.#text, end);
    if (finished) this.parts.push(finished);
    this.#top.part = new PartBuilder(next, isPiped);
  }

  #noteFirstWord(word: string): void {
    if (RESERVED.has(word)) this.constructs.add("control_flow");
    if (word === "function") this.constructs.add("function_definition");
    if (TESTS.has(word)) this.constructs.add("test_command");
  }
}
