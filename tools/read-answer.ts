// Reads the response of an http tool. Expected failures are an `end` with state `error` whose text the model reads; a
// body beyond the limit or a broken connection is thrown to tools/run-http-tool.ts.
import type { ToolChunk } from "../agent/ports.ts";
import { MAX_DELTAS_OF_A_READ, MAX_TOOL_ERROR_BYTES } from "../protocol/tools/limits.ts";
import { readToldEvents, type ToldByAnswer } from "../protocol/told/answered-events.ts";
import {
  answerChunks,
  failure,
  omittedEvents,
  parseAnswer,
  parseStreamEnd,
  textChunks,
} from "./answer-shape.ts";
import {
  BodyTooBig,
  readBytes,
  readEvents,
  type EventMarks,
  type ReceivedEvent,
} from "../outgoing/body.ts";
import { isHeartbeat } from "../outgoing/heartbeat.ts";
import type { SecretFilter } from "../outgoing/secret-filter.ts";
import { GrowingText } from "../runtime/growing-text.ts";
import { readToolJson } from "./tool-json.ts";

type EndChunk = Extract<ToolChunk, { type: "end" }>;

export interface AnswerBounds {
  /** Limit of the whole body. */
  readonly maxBytes: number;
  /** For what is cut; what is whole is left to the caller. */
  readonly filter: SecretFilter;
}

export async function* readAnswer(
  response: Response,
  { maxBytes, filter }: AnswerBounds,
): AsyncGenerator<ToolChunk, void> {
  if (!response.ok) {
    yield* failure(await describeFailure(response, filter));
    return;
  }
  const mediaType = mediaTypeOf(response);
  if (mediaType === "text/event-stream") {
    yield* readDeltas(response, maxBytes);
    return;
  }
  const text = await readText(response, maxBytes);
  if (text === null)
    yield* failure(`The tool's answer is not text (${mediaType || "no media type"}).`);
  else if (isJson(mediaType) && text.trim() !== "") yield* jsonChunks(text, filter);
  // Without a type only the body can say what it is.
  else if (mediaType === "" && isJsonObject(text)) yield* jsonChunks(text, filter);
  else yield* textChunks(text);
}

/**
 * The data of an event is a JSON string or an object with a string `delta`; an object with a `state` is the end and may
 * have output and metadata; anything else is text. `[DONE]` or the end of the body ends the stream too.
 * @throws Where the body ends in the middle of an event's JSON, as for a connection that breaks there.
 */
async function* readDeltas(response: Response, maxBytes: number): AsyncGenerator<ToolChunk, void> {
  const limits = { maxBytes, maxEventCharacters: maxBytes };
  let note: string | null = null;
  for await (const events of readEvents(response, limits, takeData)) {
    let text = "";
    for (const [index, data] of events.entries()) {
      const event = readEvent(data);
      if (typeof event === "string") {
        text += event;
        // Each chunk is a step of the loop, and one read may have thousands of events.
        if (index >= MAX_DELTAS_OF_A_READ) continue;
      }
      yield* textChunks(text);
      text = "";
      if (typeof event === "string") continue;
      if ("told" in event) {
        const { told } = event;
        note ??= told.note;
        if (told.events.length > 0) yield { type: "told", events: told.events };
        continue;
      }
      let hasEnd = false;
      for (const chunk of event) {
        hasEnd ||= chunk.type === "end";
        yield chunk.type === "end" ? withNote(chunk, note) : chunk;
      }
      if (!hasEnd && note !== null) yield withNote({ type: "end", state: "success" }, note);
      return;
    }
    yield* textChunks(text);
  }
  if (note !== null) yield withNote({ type: "end", state: "success" }, note);
}

function withNote(end: EndChunk, note: string | null): EndChunk {
  return note === null ? end : { ...end, metadata: { ...omittedEvents(note), ...end.metadata } };
}

function takeData({ data, event = "" }: ReceivedEvent, { isOpen }: EventMarks): string {
  if (isHeartbeat(event)) return "";
  const isCut = isOpen && /^["{]/.test(data) && readToolJson(data).kind === "no_json";
  if (isCut) throw new Error("the body has ended in the middle of an event");
  return data;
}

/** The text of an event, what it tells readers of the session, or the chunks that end the stream. */
function readEvent(data: string): string | Iterable<ToolChunk> | { readonly told: ToldByAnswer } {
  if (data.trim() === "[DONE]") return [];
  // Any other JSON text is passed on as it is written.
  if (!data.startsWith('"') && !data.startsWith("{")) return data;
  const json = readToolJson(data);
  if (json.kind === "refused") return failure(json.reason);
  if (json.kind !== "value") return data;
  const { value } = json;
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return data;
  const end = "state" in value ? parseStreamEnd(value) : null;
  if (end) return answerChunks(end);
  if ("events" in value && Object.keys(value).length === 1) {
    return { told: readToldEvents(value.events) };
  }
  return "delta" in value && typeof value.delta === "string" ? value.delta : data;
}

function* jsonChunks(text: string, filter: SecretFilter): Generator<ToolChunk, void> {
  const json = readToolJson(text);
  switch (json.kind) {
    case "no_json":
      yield* failure(
        `The tool's answer is declared as JSON but is not valid JSON: ${filter.beginning(text.slice(0, 200))}`,
      );
      return;
    case "refused":
      yield* failure(json.reason);
      return;
    case "unread":
      yield* textChunks(text);
      return;
    case "value": {
      const answer = parseAnswer(json.value);
      yield* answer ? answerChunks(answer) : textChunks(text);
      return;
    }
    default:
      json satisfies never;
  }
}

async function describeFailure(response: Response, filter: SecretFilter): Promise<string> {
  const { status } = response;
  if (status >= 300 && status < 400) {
    return `The tool answered ${status}, a redirect; redirects are not followed.`;
  }
  const body = (await readStart(response, filter)).trim();
  return body === "" ? `The tool answered ${status}.` : `The tool answered ${status}: ${body}`;
}

/** Never throws: the status is reported whatever happens to the body. */
async function readStart(response: Response, filter: SecretFilter): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let left = MAX_TOOL_ERROR_BYTES;
  try {
    for await (const chunk of readBytes(response)) {
      text += decoder.decode(chunk.subarray(0, left), { stream: true });
      left -= Math.min(left, chunk.byteLength);
      if (left === 0) return `${filter.beginning(text)} …`;
    }
  } catch {
    return text;
  }
  return text + decoder.decode();
}

/** Null when the body is not UTF-8. */
async function readText(response: Response, maxBytes: number): Promise<string | null> {
  const announced = Number(response.headers.get("content-length") ?? 0);
  if (announced > maxBytes) throw new BodyTooBig();
  const growing = new GrowingText();
  for await (const chunk of readBytes(response, { maxBytes })) growing.add(chunk);
  return growing.finish();
}

function mediaTypeOf(response: Response): string {
  const header = response.headers.get("content-type") ?? "";
  return (header.split(";")[0] ?? "").trim().toLowerCase();
}

function isJson(mediaType: string): boolean {
  return /^(?:application|text)\/(?:x-)?json$/.test(mediaType) || mediaType.endsWith("+json");
}

function isJsonObject(text: string): boolean {
  return /^\s*\{/.test(text) && readToolJson(text).kind !== "no_json";
}
