// What an http tool may answer with, turned into chunks. Expected failures are an `end` with state `error`
// whose text the model reads; a body beyond the limit or a broken connection is thrown to tools/http.ts.
import { z } from "zod";

import { splitText } from "../agent/split-text.ts";
import type { ToolChunk } from "../agent/ports.ts";
import { TextOrDataBlockSchema, type TextOrDataBlock } from "../protocol/blocks.ts";
import { MAX_TOOL_ERROR_BYTES } from "../protocol/limits.ts";
import { BodyTooBig, readBytes, readEventData } from "./body.ts";

/** An answer of any other shape is shown to the model as it is, so that nothing of it is lost. */
const AnswerSchema = z.strictObject({
  output: z.union([z.string(), z.array(TextOrDataBlockSchema)]),
  state: z.enum(["success", "error"]).default("success"),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

/** The end of a call that failed: the reason as text, then the end. */
export function* failure(reason: string): Generator<ToolChunk, void> {
  yield* textChunks(reason);
  yield { type: "end", state: "error" };
}

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
  else if (isJson(mediaType) && text.trim() !== "") yield* parseAnswer(text);
  else yield* textChunks(text);
}

/**
 * The data of an event is a JSON string, or an object with a string `delta`; anything else is text as it
 * stands. `[DONE]` ends the stream, as does its end.
 */
async function* readDeltas(response: Response, maxBytes: number): AsyncGenerator<ToolChunk, void> {
  for await (const events of readEventData(readBytes(response, maxBytes), maxBytes)) {
    for (const data of events) {
      if (data === "[DONE]") return;
      yield* textChunks(deltaOf(data));
    }
  }
}

function deltaOf(data: string): string {
  const value = parseJson(data);
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || !("delta" in value)) return data;
  return typeof value.delta === "string" ? value.delta : data;
}

function* parseAnswer(text: string): Generator<ToolChunk, void> {
  const value = parseJson(text);
  if (value === undefined) {
    yield* failure(`The tool's answer says that it is JSON and is not: ${text.slice(0, 200)}`);
    return;
  }
  const answer = AnswerSchema.safeParse(value);
  if (!answer.success) {
    yield* textChunks(text);
    return;
  }
  const { output, state, metadata } = answer.data;
  if (typeof output === "string") yield* textChunks(output);
  else yield* blockChunks(output);
  yield { type: "end", state, ...(metadata && { metadata }) };
}

/** Text blocks that follow each other are told apart by a line break: a result holds them as one text. */
function* blockChunks(blocks: readonly TextOrDataBlock[]): Generator<ToolChunk, void> {
  let isAfterText = false;
  for (const block of blocks) {
    if (block.type === "text") {
      yield* textChunks(isAfterText ? `\n${block.text}` : block.text);
    } else {
      const { source } = block;
      const { media_type } = source;
      yield source.type === "base64"
        ? { type: "data", media_type, data: source.data }
        : { type: "url", media_type, url: source.url };
    }
    isAfterText = block.type === "text";
  }
}

function* textChunks(text: string): Generator<ToolChunk, void> {
  if (text === "") return;
  for (const delta of splitText(text)) yield { type: "text", delta };
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
  for await (const chunk of readBytes(response, maxBytes)) {
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
