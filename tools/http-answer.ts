// Reading what an http tool answers with. Expected failures are an `end` with state `error` whose text the model
// reads; a body beyond the limit or a broken connection is thrown to tools/http.ts.
import type { ToolChunk } from "../agent/ports.ts";
import { MAX_TOOL_ERROR_BYTES } from "../protocol/limits.ts";
import { answerChunks, failure, parseAnswer, parseStreamEnd, textChunks } from "./answer-shape.ts";
import { BodyTooBig, readBytes, readEventData } from "./body.ts";

/** @param maxBytes Limit of the whole body. */
export async function* readAnswer(
  response: Response,
  maxBytes: number,
): AsyncGenerator<ToolChunk, void> {
  if (!response.ok) {
    yield* failure(await describeFailure(response));
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
  else if (isJson(mediaType) && text.trim() !== "") yield* jsonChunks(text);
  else yield* textChunks(text);
}

/**
 * The data of an event is a JSON string or an object with a string `delta`; an object with a `state` is the end, and
 * may bring output and metadata; anything else is text as it stands. `[DONE]` ends the stream too, as does its end.
 */
async function* readDeltas(response: Response, maxBytes: number): AsyncGenerator<ToolChunk, void> {
  const limits = { maxBytes, maxEventCharacters: maxBytes };
  for await (const events of readEventData(response, limits)) {
    for (const data of events) {
      if (data === "[DONE]") return;
      const value = parseJson(data);
      const end = typeof value === "object" ? parseStreamEnd(value) : null;
      if (end) {
        yield* answerChunks(end);
        return;
      }
      yield* textChunks(deltaOf(value) ?? data);
    }
  }
}

function deltaOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || !("delta" in value)) return null;
  return typeof value.delta === "string" ? value.delta : null;
}

function* jsonChunks(text: string): Generator<ToolChunk, void> {
  const value = parseJson(text);
  if (value === undefined) {
    yield* failure(`The tool's answer says that it is JSON and is not: ${text.slice(0, 200)}`);
    return;
  }
  const answer = parseAnswer(value);
  yield* answer ? answerChunks(answer) : textChunks(text);
}

async function describeFailure(response: Response): Promise<string> {
  const { status } = response;
  if (status >= 300 && status < 400) {
    return `The tool answered ${status}, a redirect; redirects are not followed.`;
  }
  const body = (await readStart(response)).trim();
  return body === "" ? `The tool answered ${status}.` : `The tool answered ${status}: ${body}`;
}

/** The status is told whatever becomes of the body, so this one never throws. */
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let left = MAX_TOOL_ERROR_BYTES;
  try {
    for await (const chunk of readBytes(response)) {
      text += decoder.decode(chunk.subarray(0, left), { stream: true });
      left -= Math.min(left, chunk.byteLength);
      if (left === 0) return `${text} …`;
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
  const pieces: string[] = [];
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  for await (const chunk of readBytes(response, { maxBytes })) {
    const piece = decode(decoder, chunk);
    if (piece === null) return null;
    pieces.push(piece);
  }
  const rest = decode(decoder);
  return rest === null ? null : pieces.join("") + rest;
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string | null {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    return null;
  }
}

function mediaTypeOf(response: Response): string {
  const header = response.headers.get("content-type") ?? "";
  return (header.split(";")[0] ?? "").trim().toLowerCase();
}

function isJson(mediaType: string): boolean {
  return mediaType === "application/json" || mediaType.endsWith("+json");
}

/** Undefined, which JSON cannot say, when `text` is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
