// Frames of Gemini Live's server. Members that are missing or of another type count as absent, unknown ones as nothing; a
// frame may have several things at once.
import type { Usage } from "../../../protocol/messages/messages.ts";
import { readBase64Bytes } from "../../../protocol/read-base64.ts";
import { asCount, asFields, asIndex, asList, asText } from "../../stream/stream-event.ts";
import { fieldsIn, type JsonFields } from "../../stream/json-fields.ts";
import type { ProviderFrame } from "../realtime/provider-socket.ts";
import {
  MAX_CALL_ID_CHARACTERS,
  MAX_CALL_NAME_CHARACTERS,
} from "../../../protocol/tools/limits.ts";
import { MAX_HANDLE_CHARACTERS, MAX_LEAVE_MS } from "./limits.ts";

interface AudioPart {
  readonly pcm: Uint8Array;
  /** Of its media type; null where that has none. */
  readonly rate: number | null;
}

interface TranscriptPart {
  readonly text: string;
  readonly isFinished: boolean;
}

export interface ServerContent {
  readonly audio: readonly AudioPart[];
  /** Null without one. */
  readonly heard: TranscriptPart | null;
  readonly said: TranscriptPart | null;
  readonly isGenerated: boolean;
  readonly isInterrupted: boolean;
  readonly isComplete: boolean;
  /** Why the turn has ended otherwise than well; empty for none. */
  readonly reason: string;
}

interface FunctionCall {
  readonly id: string;
  readonly name: string;
  /** JSON of an object; null for what is none. */
  readonly input: string | null;
}

export interface GeminiServerFrame {
  /** The setup was taken; its session, which may have no name. */
  readonly session: string | null;
  readonly content: ServerContent | null;
  readonly calls: readonly FunctionCall[];
  /** Ids of calls that the server waits for no longer. */
  readonly cancelled: readonly string[];
  readonly usage: Usage | null;
  /** Milliseconds until the server closes the connection; null where it does not say so. */
  readonly leavesInMs: number | null;
  /** A handle of a state that can be resumed; empty while there is none. Null for a frame without word of it. */
  readonly handle: string | null;
}

const UNSPECIFIED = "TURN_COMPLETE_REASON_UNSPECIFIED";

export function readServerFrame(frame: ProviderFrame): GeminiServerFrame {
  const setup = asFields(frame["setupComplete"]);
  const content = asFields(frame["serverContent"]);
  const resumption = asFields(frame["sessionResumptionUpdate"]);
  const leaving = asFields(frame["goAway"]);
  const usage = asFields(frame["usageMetadata"]);
  return {
    session: setup ? asText(setup["sessionId"]) : null,
    content: content ? readContent(content) : null,
    calls: fieldsIn(asFields(frame["toolCall"])?.["functionCalls"]).map(readCall),
    cancelled: asList(asFields(frame["toolCallCancellation"])?.["ids"]).map(asText),
    usage: usage ? readUsage(usage) : null,
    leavesInMs: leaving ? readDuration(leaving["timeLeft"]) : null,
    handle: resumption ? readHandle(resumption) : null,
  };
}

function readContent(content: JsonFields): ServerContent {
  const parts = fieldsIn(asFields(content["modelTurn"])?.["parts"]);
  const reason = asText(content["turnCompleteReason"]);
  return {
    audio: parts.flatMap(readAudio),
    heard: readTranscript(content["inputTranscription"]),
    said: readTranscript(content["outputTranscription"]),
    isGenerated: content["generationComplete"] === true,
    isInterrupted: content["interrupted"] === true,
    isComplete: content["turnComplete"] === true,
    reason: reason === UNSPECIFIED ? "" : reason,
  };
}

function readAudio(part: JsonFields): readonly AudioPart[] {
  const data = asFields(part["inlineData"]);
  const type = asText(data?.["mimeType"]).toLowerCase();
  if (!data || !type.startsWith("audio/pcm") || part["thought"] === true) return [];
  const pcm = readBase64Bytes(asText(data["data"]));
  if (!pcm || pcm.byteLength === 0) return [];
  return [{ pcm, rate: asIndex(/;\s*rate=(\d{1,6})/.exec(type)?.[1]) ?? null }];
}

function readTranscript(value: unknown): TranscriptPart | null {
  const part = asFields(value);
  return part ? { text: asText(part["text"]), isFinished: part["finished"] === true } : null;
}

function readCall(call: JsonFields): FunctionCall {
  // Of a function that takes nothing they are left out.
  const args = call["args"] === undefined ? {} : asFields(call["args"]);
  const input = args ? JSON.stringify(args) : null;
  return {
    id: within(asText(call["id"]), MAX_CALL_ID_CHARACTERS),
    name: within(asText(call["name"]), MAX_CALL_NAME_CHARACTERS),
    input,
  };
}

/** Words that are kept: longer ones are none. */
function within(text: string, characters: number): string {
  return text.length <= characters ? text : "";
}

/** An update without a handle, or that says so, is of a state that cannot be resumed. */
function readHandle(update: JsonFields): string {
  return update["resumable"] === true
    ? within(asText(update["newHandle"]), MAX_HANDLE_CHARACTERS)
    : "";
}

/** A duration as JSON has it, such as `50s` or `1.5s`. What is none means at once. */
function readDuration(value: unknown): number {
  const seconds = Number(/^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(asText(value))?.[1] ?? 0);
  return Math.min(MAX_LEAVE_MS, Math.round(seconds * 1_000));
}

/** Results of tools are part of the input, thoughts of the model of its output. */
function readUsage(usage: JsonFields): Usage {
  const count = (name: string) => asCount(usage[name]);
  return {
    input_tokens: count("promptTokenCount") + count("toolUsePromptTokenCount"),
    output_tokens: count("responseTokenCount") + count("thoughtsTokenCount"),
    cache_input_tokens: count("cachedContentTokenCount"),
    cache_creation_input_tokens: 0,
    audio: {
      input_tokens: audioTokens(usage["promptTokensDetails"]),
      output_tokens: audioTokens(usage["responseTokensDetails"]),
    },
  };
}

function audioTokens(details: unknown): number {
  return fieldsIn(details)
    .filter(({ modality }) => modality === "AUDIO")
    .reduce((sum, { tokenCount }) => sum + asCount(tokenCount), 0);
}
