// Translates a model's chunks to events of the log: keeps track of open blocks and the order in which they begin and
// end.
import {
  REMOTE_CONVERSATION,
  type RemoteConversation,
} from "../../protocol/a2a/remote-conversation.ts";
import type { EventDraft } from "../../protocol/events.ts";
import { MODEL_FORM_LEARNED, type LearnedForm } from "../../protocol/models/events.ts";
import {
  MAX_TURN_BLOCKS,
  MAX_TURN_CALLS,
  MAX_THINKING_SIGNATURE_CHARACTERS,
} from "../../protocol/models/limits.ts";
import { MAX_REPLY_BLOCKS } from "../../protocol/replies/limits.ts";
import { MAX_CALL_NAME_CHARACTERS, MAX_CALL_ID_CHARACTERS } from "../../protocol/tools/limits.ts";
import type { KeptMedia } from "../media-store.ts";
import { isLogSpent, roomForWords } from "../state/budget.ts";
import type {
  CallIds,
  DataDelta,
  DeltaDraft,
  EventLog,
  ModelChunk,
  NewId,
  ToolCallDelta,
} from "../ports.ts";
import { splitText } from "../json/split-text.ts";
import { MediaWriter, type HeldBlock } from "./media-writer.ts";

export interface TurnTarget {
  readonly log: EventLog;
  readonly callIds: CallIds;
  readonly newId: NewId;
}

/** The `source` of the hint about calls beyond the limit of one turn. */
const CALL_LIMIT_HINT_SOURCE = "call_limit";

const CALL_LIMIT_HINT = `You made more than ${MAX_TURN_CALLS} calls at once. The first ${MAX_TURN_CALLS} were taken; the others were not made. Make those that you still need, fewer at a time.`;

/** Call ids are keys of objects, where this one would be lost. */
const PROTOTYPE_KEY = "__proto__";

const IS_EMPTY = /^\s*\{\s*\}\s*$/;

interface OpenCall {
  id: string | null;
  /** Input fragments that came before the call's name. */
  held: string;
  /** The endpoint has given it an id. */
  isGiven: boolean;
}

/** The open blocks and the remaining room of one model call. Lives for one try of it. */
export class TurnWriter {
  readonly #log: EventLog;
  readonly #newId: NewId;
  readonly #callIds: CallIds;
  readonly #replyId: string;
  #text: string | null = null;
  #thinking: string | null = null;
  readonly #calls = new Map<number, OpenCall>();
  readonly #ids = new Set<string>();
  readonly #signatures = new Map<string, string>();
  /** Media that {@link write} holds back. */
  readonly media: MediaWriter;
  /** Remaining UTF-16 units and blocks. */
  #room: number;
  #blocks: number;
  #isFull = false;
  #hasDroppedCalls = false;

  constructor({ log, newId, callIds }: TurnTarget) {
    this.media = new MediaWriter({ log, newId });
    this.#log = log;
    this.#newId = newId;
    this.#callIds = callIds;
    const { state } = log;
    this.#replyId = state.message.id;
    this.#room = roomForWords(state);
    this.#blocks = Math.min(MAX_TURN_BLOCKS, MAX_REPLY_BLOCKS - state.message.content.length);
  }

  /**
   * Writes the thinking signature, then thinking, text, calls; first closes blocks that the chunk does not continue.
   * Data is held until {@link writeMedia}.
   * @returns False when the output limit is reached. What was written is complete.
   */
  write(chunk: ModelChunk): boolean {
    if (isLogSpent(this.#log.state)) return false;
    if (chunk.ends_block) this.#closeAbsent({});
    if (chunk.thinking_signature) this.#endThinking(chunk.thinking_signature);
    const hasCalls = chunk.tool_calls !== undefined && chunk.tool_calls.length > 0;
    if (chunk.text || chunk.thinking || hasCalls) this.#closeAbsent(chunk);
    if (chunk.thinking) this.#writeThinking(chunk.thinking);
    if (chunk.text) this.#writeText(chunk.text);
    if (chunk.tool_calls && hasCalls) this.#writeCalls(chunk.tool_calls);
    for (const delta of chunk.data ?? []) this.#holdData(delta);
    if (chunk.hint) this.#writeHint(chunk.hint);
    if (chunk.learned) this.#writeForm(chunk.learned);
    if (chunk.remote) this.#writeRemote(chunk.remote);
    return !this.#isFull;
  }

  /** Writes a block of {@link media}. It has taken room for its bytes; a file takes that of its address alone. */
  writeMedia(block: HeldBlock, kept: KeptMedia | null): void {
    this.#room += block.characters - this.media.write(block, kept);
  }

  /** Hints at the end of a turn: that calls beyond the limit were left out. */
  closingHints(): EventDraft[] {
    return this.#hasDroppedCalls ? [this.#hint(CALL_LIMIT_HINT_SOURCE, CALL_LIMIT_HINT)] : [];
  }

  /** The providers' proofs of the calls, by their ids: they are written with the calls' ends. */
  get signatures(): ReadonlyMap<string, string> {
    return this.#signatures;
  }

  /** Whether a call has input but never got a name. One of nothing is none: some endpoints end with it. */
  hasNamelessCall(): boolean {
    return [...this.#calls.values()].some(({ id, held, isGiven }) => {
      const isNothing = held.trim() === "" || (!isGiven && IS_EMPTY.test(held));
      return id === null && !isNothing;
    });
  }

  /** Takes room for characters: one subtraction per piece of a stream. */
  #take(characters: number): boolean {
    this.#room -= characters;
    if (this.#room < 0) this.#isFull = true;
    return !this.#isFull;
  }

  #takeBlock(): boolean {
    this.#blocks -= 1;
    if (this.#blocks < 0) this.#isFull = true;
    return !this.#isFull;
  }

  #closeAbsent(chunk: ModelChunk): void {
    // The common case: all but a few chunks of a stream.
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

  /**
   * A signature without thinking text becomes an empty block, as for providers that hide it. A signature that is too
   * long is dropped.
   */
  #endThinking(signature: string): void {
    if (signature.length > MAX_THINKING_SIGNATURE_CHARACTERS) return;
    if (!this.#take(signature.length) || !(this.#thinking || this.#takeBlock())) return;
    const reply_id = this.#replyId;
    const block_id = this.#thinking ?? this.#newId("blk");
    this.#log.append([
      ...(this.#thinking ? [] : [{ type: "THINKING_BLOCK_START", reply_id, block_id } as const]),
      { type: "THINKING_BLOCK_END", reply_id, block_id, metadata: { signature } },
    ]);
    this.#thinking = null;
  }

  #writeThinking(thinking: string): void {
    if (!this.#take(thinking.length)) return;
    const reply_id = this.#replyId;
    if (!this.#thinking) {
      if (!this.#takeBlock()) return;
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
    if (!this.#take(text.length)) return;
    const reply_id = this.#replyId;
    if (!this.#text) {
      if (!this.#takeBlock()) return;
      this.#text = this.#newId("blk");
      this.#log.append([{ type: "TEXT_BLOCK_START", reply_id, block_id: this.#text }]);
    }
    for (const delta of splitText(text)) {
      this.#log.appendDelta({ type: "TEXT_BLOCK_DELTA", reply_id, block_id: this.#text, delta });
    }
  }

  /** The calls that begin in one chunk are one append: a model may begin a hundred at once. */
  #writeCalls(pieces: readonly ToolCallDelta[]): void {
    const starts: EventDraft[] = [];
    const deltas: DeltaDraft[] = [];
    for (const piece of pieces) this.#readCall(piece, starts, deltas);
    if (starts.length > 0) this.#log.append(starts);
    for (const delta of deltas) this.#log.appendDelta(delta);
  }

  /**
   * A call stays open until the model call ends, since deltas of parallel calls may be interleaved. Calls beyond the
   * limit of a turn take room too, so that a model that only makes such calls ends.
   */
  #readCall(
    { index, id, name: given, delta, signature }: ToolCallDelta,
    starts: EventDraft[],
    deltas: DeltaDraft[],
  ): void {
    const name = given?.slice(0, MAX_CALL_NAME_CHARACTERS);
    if (!this.#take(delta.length + (name?.length ?? 0))) return;
    const reply_id = this.#replyId;
    let call = this.#calls.get(index);
    if (!call) {
      if (this.#calls.size >= MAX_TURN_CALLS) {
        this.#hasDroppedCalls = true;
        return;
      }
      call = { id: null, held: "", isGiven: false };
      this.#calls.set(index, call);
    }
    if (!call.id && !name) {
      call.held += delta;
      call.isGiven ||= Boolean(id);
      return;
    }
    let input = delta;
    if (!call.id && name) {
      if (!this.#takeBlock()) return;
      call.id = this.#freshCallId(id);
      const started = { reply_id, tool_call_id: call.id, tool_call_name: name };
      starts.push({ type: "TOOL_CALL_START", ...started });
      input = call.held + delta;
    }
    if (signature && call.id) this.#signCall(call.id, signature);
    if (!input || !call.id) return;
    for (const piece of splitText(input)) {
      deltas.push({ type: "TOOL_CALL_DELTA", reply_id, tool_call_id: call.id, delta: piece });
    }
  }

  /** One that is too long is dropped, as that of a thought. */
  #signCall(id: string, signature: string): void {
    const isKept = signature.length <= MAX_THINKING_SIGNATURE_CHARACTERS;
    if (!isKept || this.#signatures.has(id) || !this.#take(signature.length)) return;
    this.#signatures.set(id, signature);
  }

  /** Providers leave ids empty or reuse them; ids of calls have to be unique in a session and fit a header. */
  #freshCallId(proposed: string | undefined): string {
    const isUsable =
      proposed && proposed.length <= MAX_CALL_ID_CHARACTERS && proposed !== PROTOTYPE_KEY;
    const isFree = isUsable && !this.#ids.has(proposed) && !this.#callIds.isUsed(proposed);
    const id = isFree ? proposed : this.#newId("call");
    this.#ids.add(id);
    return id;
  }

  /** In the log, so that neither a crash nor the next reply makes the refused requests again. */
  #writeForm(learned: LearnedForm): void {
    const value = { ...learned };
    this.#log.append([
      { type: "CUSTOM", name: MODEL_FORM_LEARNED, reply_id: this.#replyId, value },
    ]);
  }

  #writeRemote(remote: RemoteConversation): void {
    const value = { ...remote };
    const reply_id = this.#replyId;
    this.#log.append([{ type: "CUSTOM", name: REMOTE_CONVERSATION, reply_id, value }]);
  }

  #writeHint(hint: string): void {
    if (this.#take(hint.length) && this.#takeBlock()) this.#log.append([this.#hint("model", hint)]);
  }

  #hint(source: string, hint: string): EventDraft {
    const block_id = this.#newId("blk");
    return { type: "HINT_BLOCK", reply_id: this.#replyId, block_id, source, hint };
  }

  #holdData(delta: DataDelta): void {
    if (!this.#take(delta.data.length)) return;
    if (this.media.has(delta.index) || this.#takeBlock()) this.media.hold(delta);
  }
}
