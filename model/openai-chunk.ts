// One event of a chat completions stream, in the loop's words. Endpoints differ: what is missing or of another
// type is taken as absent, and only what cannot be an event of such a stream at all is refused.
import type { ModelChunk, ToolCallDelta } from "../agent/ports.ts";
import type { ErrorType, Usage } from "../protocol/messages.ts";
import { classifyStreamError } from "./openai-error.ts";

export type ReadEvent =
  | { readonly type: "chunk"; readonly chunk: ModelChunk; readonly isFinished: boolean }
  | { readonly type: "done" }
  /** Not JSON, no object, or the endpoint's own `{"error": …}`. */
  | { readonly type: "failed"; readonly errorType: ErrorType };

/** Reads the events of one stream, in their order. Lives as long as the stream. */
export class ChunkReader {
  readonly #calls = new CallIndexes();

  read(data: string): ReadEvent {
    if (data === "[DONE]") return { type: "done" };
    const event = parseObject(data);
    if (!event) return { type: "failed", errorType: "upstream" };
    if (event["error"]) return { type: "failed", errorType: classifyStreamError(event["error"]) };
    const choice = mainChoice(event["choices"]);
    const delta = asObject(choice?.["delta"]) ?? {};
    const usage = readUsage(event["usage"]);
    const thinking = asText(delta["reasoning_content"]) || asText(delta["reasoning"]);
    const text = asText(delta["content"]) + asText(delta["refusal"]);
    const tool_calls = this.#readCalls(delta["tool_calls"]);
    return {
      type: "chunk",
      isFinished: Boolean(choice?.["finish_reason"]),
      chunk: {
        ...(thinking && { thinking }),
        ...(text && { text }),
        ...(tool_calls.length > 0 && { tool_calls }),
        ...(usage && { usage }),
      },
    };
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
function mainChoice(choices: unknown): Readonly<Record<string, unknown>> | undefined {
  return asList(choices)
    .map(asObject)
    .find((choice) => choice && (choice["index"] ?? 0) === 0);
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

function parseObject(data: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(JSON.parse(data));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return value as Readonly<Record<string, unknown>>;
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
