// One event of a chat completions stream, in the loop's words. Endpoints differ: what is missing or of another
// type is taken as absent, and only what cannot be an event of such a stream at all is refused.
import type { ModelChunk, ToolCallDelta } from "../agent/ports.ts";
import type { ErrorType, Usage } from "../protocol/messages.ts";
import { BodyTooBig } from "../tools/body.ts";
import { classifyStreamError, type ModelFailure } from "./openai-error.ts";
import { ProofReader } from "./proof-reader.ts";

type Fields = Readonly<Record<string, unknown>>;

const NOTHING: Fields = {};

/** Reads the events of one stream, in their order. Lives as long as the stream. */
export class ChunkReader {
  readonly #calls = new CallIndexes();
  readonly #proofs: ProofReader;
  #isStream: boolean;
  #isFinished = false;
  #isDone = false;
  #refusal: ErrorType | null = null;

  /**
   * @param isStream Whether the answer says that it is an event stream; else its first event tells.
   * @param by Whose proofs of thoughts the stream brings.
   */
  constructor(isStream: boolean, by: string) {
    this.#isStream = isStream;
    this.#proofs = new ProofReader(by);
  }

  /** Nothing after this counts. */
  get isOver(): boolean {
    return this.#isDone || this.#refusal !== null;
  }

  /**
   * Why the stream failed, once it has ended; null when it came to its end. Some endpoints end without `[DONE]`:
   * after the finish reason only the usage can be missing.
   */
  get failure(): ModelFailure | null {
    if (this.#refusal) return { type: this.#refusal };
    if (this.#isDone || this.#isFinished) return null;
    return { type: this.#isStream ? "connection" : "upstream" };
  }

  /** As {@link failure}, when reading it threw. */
  failureBy(error: unknown): ModelFailure | null {
    return error instanceof BodyTooBig ? { type: "upstream" } : this.failure;
  }

  /** @returns Null when the event brings nothing: the stream is over. */
  read(data: string): ModelChunk | null {
    this.#isStream = true;
    if (this.isOver) return null;
    if (data === "[DONE]") {
      this.#isDone = true;
      return null;
    }
    const event = parseObject(data);
    if (!event || event["error"]) {
      this.#refusal = event ? classifyStreamError(event["error"]) : "upstream";
      return null;
    }
    const choice = mainChoice(event["choices"]);
    const delta = asObject(choice?.["delta"]) ?? NOTHING;
    if (choice?.["finish_reason"]) this.#isFinished = true;
    return this.#readDelta(delta, readUsage(event["usage"]));
  }

  /** What is still to be said when the stream has come to its end; null when that is nothing. */
  finish(): ModelChunk | null {
    const thinking_signature = this.#proofs.release();
    return thinking_signature === undefined ? null : { thinking_signature };
  }

  /** Runs for every token, so it makes one object and looks at what is there alone. */
  #readDelta(delta: Fields, usage: Usage | undefined): ModelChunk {
    const thinking = asText(delta["reasoning_content"]) || asText(delta["reasoning"]);
    const text = asText(delta["content"]) + asText(delta["refusal"]);
    const chunk: { -readonly [Key in keyof ModelChunk]: ModelChunk[Key] } = {};
    if (thinking || text || delta["tool_calls"]) {
      const thinking_signature = this.#proofs.release();
      if (thinking_signature !== undefined) chunk.thinking_signature = thinking_signature;
    }
    this.#proofs.take(delta);
    if (thinking) chunk.thinking = thinking;
    if (text) chunk.text = text;
    if (delta["tool_calls"]) {
      const tool_calls = this.#readCalls(delta["tool_calls"]);
      if (tool_calls.length > 0) chunk.tool_calls = tool_calls;
    }
    if (usage) chunk.usage = usage;
    return chunk;
  }

  #readCalls(calls: unknown): ToolCallDelta[] {
    return asList(calls).flatMap((value) => {
      const call = asObject(value);
      if (!call) return [];
      const made = asObject(call["function"]) ?? {};
      const id = asText(call["id"]);
      const name = asText(made["name"]);
      const index = this.#calls.resolve(call["index"], { id, name });
      return [
        { index, ...(id && { id }), ...(name && { name }), delta: asText(made["arguments"]) },
      ];
    });
  }
}

/** Tells the calls of a turn apart where endpoints leave the index out or give each call the same one. */
class CallIndexes {
  readonly #open = new Map<unknown, { index: number; id: string }>();
  #next = 0;

  /** A name with another id than the open call's begins a new call. */
  resolve(given: unknown, { id, name }: { id: string; name: string }): number {
    const open = this.#open.get(given);
    if (open && !(name && id && open.id && id !== open.id)) {
      open.id ||= id;
      return open.index;
    }
    const index = this.#next;
    this.#next += 1;
    this.#open.set(given, { index, id });
    return index;
  }
}

/** Choices other than the first belong to answers that nobody asked for. */
function mainChoice(choices: unknown): Fields | undefined {
  for (const value of asList(choices)) {
    const choice = asObject(value);
    if (choice && (choice["index"] ?? 0) === 0) return choice;
  }
  return undefined;
}

/** The input's tokens include the cached ones, as the endpoint counts them. */
function readUsage(value: unknown): Usage | undefined {
  const usage = asObject(value);
  if (!usage) return undefined;
  return {
    input_tokens: asCount(usage["prompt_tokens"]),
    output_tokens: asCount(usage["completion_tokens"]),
    cache_input_tokens: asCount(asObject(usage["prompt_tokens_details"])?.["cached_tokens"]),
    cache_creation_input_tokens: 0,
  };
}

function parseObject(data: string): Fields | undefined {
  try {
    return asObject(JSON.parse(data));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Fields | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return value as Fields;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function asCount(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
