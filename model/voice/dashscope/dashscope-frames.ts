// Frames of Qwen-Omni's realtime server, which has the names of OpenAI's beta. Members that are missing or of another type
// count as absent, and frames of other types as nothing.
import type { Usage } from "../../../protocol/messages/messages.ts";
import { readBase64Bytes } from "../../../protocol/read-base64.ts";
import { asCount, asFields, asIndex, asText } from "../../stream/stream-event.ts";
import type { ProviderFrame } from "../realtime/provider-socket.ts";
import { MAX_ID_CHARACTERS } from "./limits.ts";

/** A part of a response; empty ids are those of the response and the item that are open. */
interface Part {
  readonly response: string;
  readonly item: string;
}

/** A call as far as a frame has it; null for what it does not say. */
export interface CallPart {
  readonly call: string;
  readonly name: string | null;
  readonly input: string | null;
}

export type ResponseStatus = "completed" | "cancelled" | "failed" | "incomplete";

export type ResponseFrame =
  | { readonly type: "response_created"; readonly response: string }
  | {
      readonly type: "response_done";
      readonly response: string;
      readonly status: ResponseStatus;
      readonly usage: Usage | null;
      /** The words of a failure. */
      readonly words: ErrorWords | null;
    }
  | ({ readonly type: "audio"; readonly audio: Uint8Array } & Part)
  | ({ readonly type: "audio_done" } & Part)
  | ({ readonly type: "text"; readonly delta: string } & Part)
  /** With the whole text, where the frame has it. */
  | ({ readonly type: "text_done"; readonly text: string | null } & Part)
  | ({ readonly type: "call" } & Part & CallPart)
  | ({ readonly type: "call_delta"; readonly delta: string } & Part & CallPart)
  | ({ readonly type: "call_done" } & Part & CallPart)
  | ({ readonly type: "item_done" } & Part);

export type InputFrame =
  | { readonly type: "speech_started"; readonly item: string; readonly ms: number }
  | { readonly type: "speech_stopped"; readonly item: string; readonly ms: number }
  | { readonly type: "committed"; readonly item: string }
  | { readonly type: "transcript_delta"; readonly item: string; readonly text: string }
  | { readonly type: "transcript"; readonly item: string; readonly text: string }
  | { readonly type: "transcript_failed"; readonly item: string; readonly words: ErrorWords };

export interface ErrorWords {
  readonly code: string;
  readonly message: string;
}

export type DashScopeFrame =
  | { readonly type: "session_created"; readonly id: string }
  | { readonly type: "session_updated" }
  | { readonly type: "error"; readonly words: ErrorWords }
  | InputFrame
  | ResponseFrame;

/** @returns Null for a frame that says nothing that we know. */
export function readFrame(frame: ProviderFrame): DashScopeFrame | null {
  const item = asId(frame["item_id"]);
  const part = { response: asId(frame["response_id"]), item };
  switch (frame["type"]) {
    case "session.created":
      return { type: "session_created", id: asId(asFields(frame["session"])?.["id"]) };
    case "session.updated":
      return { type: "session_updated" };
    case "error":
      return { type: "error", words: readWords(frame["error"]) };
    case "input_audio_buffer.speech_started":
      return { type: "speech_started", item, ms: readMs(frame["audio_start_ms"]) };
    case "input_audio_buffer.speech_stopped":
      return { type: "speech_stopped", item, ms: readMs(frame["audio_end_ms"]) };
    case "input_audio_buffer.committed":
      return { type: "committed", item };
    case "conversation.item.input_audio_transcription.delta":
      return { type: "transcript_delta", item, text: asText(frame["delta"]) };
    case "conversation.item.input_audio_transcription.completed":
      return { type: "transcript", item, text: asText(frame["transcript"]) };
    case "conversation.item.input_audio_transcription.failed":
      return { type: "transcript_failed", item, words: readWords(frame["error"]) };
    case "response.created":
      return { type: "response_created", response: asId(asFields(frame["response"])?.["id"]) };
    case "response.done":
      return readDone(frame);
    case "response.audio.delta":
      return { type: "audio", ...part, audio: readAudio(frame["delta"]) };
    case "response.audio.done":
      return { type: "audio_done", ...part };
    case "response.audio_transcript.delta":
    case "response.text.delta":
      return { type: "text", ...part, delta: asText(frame["delta"]) };
    case "response.audio_transcript.done":
      return { type: "text_done", ...part, text: readText(frame["transcript"]) };
    case "response.text.done":
      return { type: "text_done", ...part, text: readText(frame["text"]) };
    case "response.output_item.added":
    case "response.output_item.done":
      return readItem(frame);
    case "response.function_call_arguments.delta":
      return { type: "call_delta", ...part, ...readCall(frame), delta: asText(frame["delta"]) };
    case "response.function_call_arguments.done":
      return { type: "call_done", ...part, ...readCall(frame) };
    default:
      return null;
  }
}

function readItem(frame: ProviderFrame): ResponseFrame | null {
  const item = asFields(frame["item"]) ?? {};
  const part = { response: asId(frame["response_id"]), item: asId(item["id"]) };
  const isDone = frame["type"] === "response.output_item.done";
  if (item["type"] !== "function_call") return isDone ? { type: "item_done", ...part } : null;
  return { type: isDone ? "call_done" : "call", ...part, ...readCall(item) };
}

function readCall(fields: ProviderFrame): CallPart {
  return {
    call: asId(fields["call_id"]),
    name: readText(fields["name"]),
    input: readText(fields["arguments"]),
  };
}

const STATUSES: ReadonlySet<unknown> = new Set(["cancelled", "failed", "incomplete"]);

function readDone(frame: ProviderFrame): ResponseFrame {
  const response = asFields(frame["response"]) ?? {};
  const { status } = response;
  const isCompleted = !STATUSES.has(status);
  return {
    type: "response_done",
    response: asId(response["id"]),
    status: isCompleted ? "completed" : (status as ResponseStatus),
    usage: readUsage(response["usage"]),
    words: status === "failed" ? readWords(asFields(response["status_details"])?.["error"]) : null,
  };
}

/** Newer models write details of the input and of the output, others one sum of each. */
function readUsage(value: unknown): Usage | null {
  const usage = asFields(value);
  if (!usage) return null;
  const input = asFields(usage["input_tokens_details"] ?? usage["input_token_details"]) ?? {};
  const output = asFields(usage["output_tokens_details"] ?? usage["output_token_details"]) ?? {};
  const heard = input["audio_tokens"];
  const said = output["audio_tokens"];
  const audio = {
    ...(heard !== undefined && { input_tokens: asCount(heard) }),
    ...(said !== undefined && { output_tokens: asCount(said) }),
  };
  return {
    input_tokens: asCount(usage["input_tokens"]),
    output_tokens: asCount(usage["output_tokens"]),
    cache_input_tokens: asCount(input["cached_tokens"]),
    cache_creation_input_tokens: 0,
    ...(Object.keys(audio).length > 0 && { audio }),
  };
}

function readWords(value: unknown): ErrorWords {
  const error = asFields(value) ?? {};
  const code = asText(error["code"]) || asText(error["type"]);
  return { code: code || "provider_error", message: asText(error["message"]) };
}

/** Ids are kept, those of calls in the log: a longer one is none. */
function asId(value: unknown): string {
  const id = asText(value);
  return id.length <= MAX_ID_CHARACTERS ? id : "";
}

function readText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A place that is missing is the beginning, which the engine takes for unknown. */
function readMs(value: unknown): number {
  return asIndex(value) ?? 0;
}

/** Base64 that is none is no audio. */
function readAudio(value: unknown): Uint8Array {
  return readBase64Bytes(asText(value)) ?? new Uint8Array();
}
