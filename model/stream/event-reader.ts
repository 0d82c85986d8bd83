// The common part of the readers of all wires: whether a stream has ended, and how.
import type { ModelChunk } from "../../agent/ports.ts";
import type { ProviderEvent } from "./provider-event.ts";
import type { WritableChunk } from "./append-chunk.ts";
import { CUT_OFF, MALFORMED, type ModelFailure } from "./model-failure.ts";
import type { AnswerReader } from "./stream-answer.ts";

/** Reader of one stream; events must be given in order. */
export abstract class EventReader implements AnswerReader {
  #isStream: boolean;
  #isFinished = false;
  #isDone = false;
  #refusal: ModelFailure | null = null;
  #finishReason: string | null = null;

  /** @param isStream Whether the response is declared an event stream; otherwise its first event decides. */
  constructor(isStream: boolean) {
    this.#isStream = isStream;
  }

  get isOver(): boolean {
    return this.#isDone || this.#refusal !== null;
  }

  get failure(): ModelFailure | null {
    if (this.#refusal) return this.#refusal;
    if (this.isComplete) return null;
    return this.#isStream ? CUT_OFF : MALFORMED;
  }

  get finishReason(): string | null {
    return this.#finishReason;
  }

  /**
   * The events of one read, in order. Consecutive events with only text, only thinking or only calls are merged into
   * one chunk: the log would merge them anyway, and a step of the loop costs more than a token.
   */
  read(events: readonly ProviderEvent[]): readonly ModelChunk[] {
    const chunks: WritableChunk[] = [];
    for (const event of events) {
      if (this.isOver) break;
      if (typeof event === "string" || !event.isBare) this.#isStream = true;
      this.readEvent(event, chunks);
    }
    return chunks;
  }

  abstract finish(): ModelChunk | null;

  /** @param chunks Those of the same read so far; what the event says is appended. */
  protected abstract readEvent(event: ProviderEvent, chunks: WritableChunk[]): void;

  /** Whether nothing of the answer can be missing. */
  protected get isComplete(): boolean {
    return this.#isDone || this.#isFinished;
  }

  /** The end marker: later events are ignored. */
  protected end(): void {
    this.#isDone = true;
  }

  /** The answer is complete, although the end marker, or counts before it, may still come. */
  protected complete(): void {
    this.#isFinished = true;
  }

  /** The stream has failed: later events are ignored. */
  protected refuse(failure: ModelFailure): void {
    this.#refusal = failure;
  }

  /** @param reason As the provider names it. */
  protected noteFinishReason(reason: string): void {
    this.#finishReason = reason;
  }
}
