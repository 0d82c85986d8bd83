// One model call: from the model's chunks to the events of the log. It owns the order of events inside the
// call; it does not retry, decide what follows, or run tools.
import type { EventDraft } from "../protocol/events.ts";
import type { ErrorInfo, Usage } from "../protocol/messages.ts";
import { endModelCall } from "./close-reply.ts";
import { modelError } from "./model-error.ts";
import type {
  CallIds,
  DataDelta,
  EventLog,
  Model,
  ModelChunk,
  ModelRequest,
  NewId,
  StopSignal,
  ToolCallDelta,
} from "./ports.ts";
import { splitBase64, splitText } from "./split-text.ts";

export interface ModelTurn {
  readonly model: Model;
  readonly request: ModelRequest;
  readonly log: EventLog;
  readonly callIds: CallIds;
  readonly newId: NewId;
  readonly stop: StopSignal;
}

export type ModelTurnOutcome =
  | { readonly type: "completed" }
  /** Nothing was closed: the caller ends the reply. */
  | { readonly type: "failed"; readonly error: ErrorInfo }
  | { readonly type: "stopped" };

const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_input_tokens: 0,
  cache_creation_input_tokens: 0,
};

/**
 * Contract: rejects only when the log refuses the runner. What the model does wrong is an outcome.
 */
export async function runModelTurn(turn: ModelTurn): Promise<ModelTurnOutcome> {
  const { log, model, request, stop } = turn;
  const writer = new TurnWriter(turn);
  log.append([
    { type: "MODEL_CALL_START", reply_id: log.state.message.id, model_name: model.name },
  ]);
  let usage = NO_USAGE;
  for await (const chunk of model.stream(request, stop)) {
    if (stop.aborted) return { type: "stopped" };
    if (chunk.error) return { type: "failed", error: chunk.error };
    if (chunk.usage) usage = chunk.usage;
    writer.write(chunk);
  }
  if (stop.aborted) return { type: "stopped" };
  if (writer.hasNamelessCall()) return { type: "failed", error: modelError("upstream") };
  log.append(endModelCall(log.state, usage));
  return { type: "completed" };
}

interface OpenCall {
  id: string | null;
  /** Input that came before the call's name. */
  held: string;
}

/** The open blocks of the call that is being made. Lives as long as the call. */
class TurnWriter {
  readonly #log: EventLog;
  readonly #newId: NewId;
  readonly #callIds: CallIds;
  readonly #replyId: string;
  #text: string | null = null;
  #thinking: string | null = null;
  readonly #calls = new Map<number, OpenCall>();
  readonly #data = new Map<number, string>();

  constructor({ log, newId, callIds }: ModelTurn) {
    this.#log = log;
    this.#newId = newId;
    this.#callIds = callIds;
    this.#replyId = log.state.message.id;
  }

  /** Thinking before text before calls before data; what the chunk lacks is closed first. */
  write(chunk: ModelChunk): void {
    const hasCalls = chunk.tool_calls !== undefined && chunk.tool_calls.length > 0;
    if (chunk.text || chunk.thinking || hasCalls) this.#closeAbsent(chunk);
    if (chunk.thinking) this.#writeThinking(chunk.thinking);
    if (chunk.text) this.#writeText(chunk.text);
    for (const delta of chunk.tool_calls ?? []) this.#writeCall(delta);
    for (const delta of chunk.data ?? []) this.#writeData(delta);
    if (chunk.hint) this.#writeHint(chunk.hint);
  }

  hasNamelessCall(): boolean {
    return [...this.#calls.values()].some((call) => call.id === null);
  }

  #closeAbsent(chunk: ModelChunk): void {
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

  /** Providers leave ids empty or use them again; a session's call ids must tell calls apart. */
  #freshCallId(proposed: string | undefined): string {
    if (proposed && !this.#callIds.isUsed(proposed)) return proposed;
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
