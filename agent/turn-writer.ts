// From a model's chunks to the events of the log: which block is open, and in which order blocks begin and end.
import type { EventDraft } from "../protocol/events.ts";
import { MAX_CALL_ID_CHARACTERS, MAX_THINKING_SIGNATURE_CHARACTERS } from "../protocol/limits.ts";
import type { CallIds, DataDelta, EventLog, ModelChunk, NewId, ToolCallDelta } from "./ports.ts";
import { splitBase64, splitText } from "./split-text.ts";

export interface TurnTarget {
  readonly log: EventLog;
  readonly callIds: CallIds;
  readonly newId: NewId;
}

/** Call ids are keys of objects, in which this one would be lost. */
const PROTOTYPE_KEY = "__proto__";

interface OpenCall {
  id: string | null;
  /** Input that came before the call's name. */
  held: string;
}

/** The open blocks of the call that is being made. Lives as long as one try at the call. */
export class TurnWriter {
  readonly #log: EventLog;
  readonly #newId: NewId;
  readonly #callIds: CallIds;
  readonly #replyId: string;
  #text: string | null = null;
  #thinking: string | null = null;
  readonly #calls = new Map<number, OpenCall>();
  readonly #data = new Map<number, string>();

  constructor({ log, newId, callIds }: TurnTarget) {
    this.#log = log;
    this.#newId = newId;
    this.#callIds = callIds;
    this.#replyId = log.state.message.id;
  }

  /** The proof of what was thought, then thinking, text, calls, data; what the chunk lacks is closed first. */
  write(chunk: ModelChunk): void {
    if (chunk.thinking_signature) this.#endThinking(chunk.thinking_signature);
    const hasCalls = chunk.tool_calls !== undefined && chunk.tool_calls.length > 0;
    if (chunk.text || chunk.thinking || hasCalls) this.#closeAbsent(chunk);
    if (chunk.thinking) this.#writeThinking(chunk.thinking);
    if (chunk.text) this.#writeText(chunk.text);
    for (const delta of chunk.tool_calls ?? []) this.#writeCall(delta);
    for (const delta of chunk.data ?? []) this.#writeData(delta);
    if (chunk.hint) this.#writeHint(chunk.hint);
  }

  /** Whether input came for a call whose name never did. */
  hasNamelessCall(): boolean {
    return [...this.#calls.values()].some((call) => call.id === null);
  }

  #closeAbsent(chunk: ModelChunk): void {
    // True for all but a few chunks of a stream.
    if ((!this.#text || chunk.text) && (!this.#thinking || chunk.thinking)) return;
    const reply_id = this.#replyId;
    const ends: EventDraft[] = [];
    if (this.#text && !chunk.text) {
      ends.push({ type: "TEXT_BLOCK_END", reply_id, block_id: this.#text, text: null });
      this.#text = null;
    }
    if (this.#thinking && !chunk.thinking) {
      ends.push({ type: "THINKING_BLOCK_END", reply_id, block_id: this.#thinking });
      this.#thinking = null;
    }
    if (ends.length > 0) this.#log.append(ends);
  }

  /** A thought whose words the provider keeps to itself is a block without text. A proof that is too long is none. */
  #endThinking(signature: string): void {
    if (signature.length > MAX_THINKING_SIGNATURE_CHARACTERS) return;
    const reply_id = this.#replyId;
    const block_id = this.#thinking ?? this.#newId("blk");
    this.#log.append([
      ...(this.#thinking ? [] : [{ type: "THINKING_BLOCK_START", reply_id, block_id } as const]),
      { type: "THINKING_BLOCK_END", reply_id, block_id, metadata: { signature } },
    ]);
    this.#thinking = null;
  }

  #writeThinking(thinking: string): void {
    const reply_id = this.#replyId;
    if (!this.#thinking) {
      this.#thinking = this.#newId("blk");
      this.#log.append([{ type: "THINKING_BLOCK_START", reply_id, block_id: this.#thinking }]);
    }
    for (const delta of splitText(thinking)) {
      this.#log.appendDelta({
        type: "THINKING_BLOCK_DELTA",
        reply_id,
        block_id: this.#thinking,
        delta,
      });
    }
  }

  #writeText(text: string): void {
    const reply_id = this.#replyId;
    if (!this.#text) {
      this.#text = this.#newId("blk");
      this.#log.append([{ type: "TEXT_BLOCK_START", reply_id, block_id: this.#text }]);
    }
    for (const delta of splitText(text)) {
      this.#log.appendDelta({ type: "TEXT_BLOCK_DELTA", reply_id, block_id: this.#text, delta });
    }
  }

  /** A call stays open until the model call ends: deltas of parallel calls may be interleaved. */
  #writeCall({ index, id, name, delta }: ToolCallDelta): void {
    const reply_id = this.#replyId;
    let call = this.#calls.get(index);
    if (!call) {
      call = { id: null, held: "" };
      this.#calls.set(index, call);
    }
    if (!call.id && !name) {
      call.held += delta;
      return;
    }
    let input = delta;
    if (!call.id && name) {
      call.id = this.#freshCallId(id);
      this.#log.append([
        { type: "TOOL_CALL_START", reply_id, tool_call_id: call.id, tool_call_name: name },
      ]);
      input = call.held + delta;
    }
    if (!input || !call.id) return;
    for (const piece of splitText(input)) {
      this.#log.appendDelta({
        type: "TOOL_CALL_DELTA",
        reply_id,
        tool_call_id: call.id,
        delta: piece,
      });
    }
  }

  /** Providers leave ids empty or use them again; a session's call ids must tell calls apart, and fit a header. */
  #freshCallId(proposed: string | undefined): string {
    const isUsable =
      proposed && proposed.length <= MAX_CALL_ID_CHARACTERS && proposed !== PROTOTYPE_KEY;
    const isOwn = [...this.#calls.values()].some((call) => call.id === proposed);
    if (isUsable && !isOwn && !this.#callIds.isUsed(proposed)) return proposed;
    return this.#newId("call");
  }

  #writeHint(hint: string): void {
    this.#log.append([
      {
        type: "HINT_BLOCK",
        reply_id: this.#replyId,
        block_id: this.#newId("blk"),
        source: "model",
        hint,
      },
    ]);
  }

  #writeData({ index, media_type, data, name }: DataDelta): void {
    const reply_id = this.#replyId;
    let block_id = this.#data.get(index);
    if (!block_id) {
      block_id = this.#newId("blk");
      this.#data.set(index, block_id);
      this.#log.append([
        { type: "DATA_BLOCK_START", reply_id, block_id, media_type, name: name ?? null },
      ]);
    }
    for (const piece of splitBase64(data)) {
      this.#log.appendDelta({
        type: "DATA_BLOCK_DELTA",
        reply_id,
        block_id,
        media_type,
        data: piece,
        url: null,
      });
    }
  }
}
