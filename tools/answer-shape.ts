// The JSON schemas of an http tool's response, as a whole or as the last event of a stream, and its translation to
// chunks.
import * as z from "zod";

import { splitText } from "../agent/json/split-text.ts";
import type { ToolChunk } from "../agent/ports.ts";
import { TaskResultSchema, type TaskResult } from "../protocol/background/contract.ts";
import {
  type DataBlock,
  type TextBlock,
  TextOrDataBlockSchema,
} from "../protocol/messages/blocks.ts";
import { findAddressProblem, findMediaTypeProblem } from "../protocol/files/media-blocks.ts";
import { MAX_TOOL_BLOCKS, MAX_TOOL_METADATA_BYTES } from "../protocol/tools/limits.ts";
import { readToldEvents } from "../protocol/told/answered-events.ts";
import { utf8Bytes } from "../protocol/utf8-bytes.ts";
import { METADATA_TOO_LARGE } from "./tool-json.ts";

const UNKNOWN_TYPE = "application/octet-stream";
const output = z.union([z.string(), z.array(TextOrDataBlockSchema)]);
const state = z.enum(["success", "error"]);
const metadata = z.record(z.string(), z.unknown()).optional();

/** A response of any other shape is passed to the model as text. */
const AnswerSchema = TaskResultSchema.extend({ events: z.unknown().optional() });
/** A member `state` distinguishes it from a delta. */
const StreamEndSchema = z.strictObject({
  output: output.default(""),
  state,
  metadata,
  events: z.unknown().optional(),
});

/** The members of a block that count here. */
type AnswerBlock = Pick<TextBlock, "type" | "text"> | Pick<DataBlock, "type" | "source">;

export type ToolAnswer = Readonly<Omit<TaskResult, "output">> & {
  readonly output: string | readonly AnswerBlock[];
  /** Of any shape: those that are not accepted are left out. */
  readonly events?: unknown;
};

export function parseAnswer(value: unknown): ToolAnswer | null {
  return AnswerSchema.safeParse(value).data ?? null;
}

export function parseStreamEnd(value: unknown): ToolAnswer | null {
  return StreamEndSchema.safeParse(value).data ?? null;
}

/** @param answer Parsed from JSON that `readToolJson` has bounded, or returned by a function of this deployment. */
export function* answerChunks(answer: ToolAnswer): Generator<ToolChunk, void> {
  const told = answer.events === undefined ? null : readToldEvents(answer.events);
  if (told && told.events.length > 0) yield { type: "told", events: told.events };
  if (typeof answer.output === "string") {
    yield* textChunks(answer.output);
  } else if (answer.output.length > MAX_TOOL_BLOCKS) {
    yield* failure(`The tool's answer has more than ${MAX_TOOL_BLOCKS} blocks.`);
    return;
  } else {
    yield* blockChunks(answer.output);
  }
  const metadata = {
    ...(answer.metadata && boundMetadata(answer.metadata)),
    ...omittedEvents(told?.note ?? null),
  };
  const hasMetadata = answer.metadata !== undefined || told?.note != null;
  yield { type: "end", state: answer.state, ...(hasMetadata && { metadata }) };
}

/** The member of a result's metadata that says which events of its tool were left out. */
export function omittedEvents(note: string | null): { readonly events_omitted?: string } {
  return note === null ? {} : { events_omitted: note };
}

/** The chunks of a failed call: the reason as text, then the end. */
export function* failure(reason: string): Generator<ToolChunk, void> {
  yield* textChunks(reason);
  yield { type: "end", state: "error" };
}

/** The same of a call that may have said something while it worked, which counts then. */
export function* failureWithoutResult(reason: string): Generator<ToolChunk, void> {
  yield* textChunks(reason);
  yield { type: "end", state: "error", isWithoutResult: true };
}

export function* textChunks(text: string): Generator<ToolChunk, void> {
  if (text === "") return;
  for (const delta of splitText(text)) yield { type: "text", delta };
}

/**
 * Adjacent text blocks are separated by a line break, since a result stores them as one text. The tool has done its
 * work, so its output counts: a URL that is not accepted is replaced by a text and does not fail the call.
 */
function* blockChunks(blocks: readonly AnswerBlock[]): Generator<ToolChunk, void> {
  let isAfterText = false;
  for (const block of blocks) {
    const text = textOf(block);
    if (text !== null) yield* textChunks(isAfterText ? `\n${text}` : text);
    else if (block.type === "data") yield dataChunk(block.source);
    isAfterText = text !== null;
  }
}

/** The text of a block; null for data that is accepted. */
function textOf(block: AnswerBlock): string | null {
  if (block.type === "text") return block.text;
  const problem = block.source.type === "url" ? findAddressProblem(block.source.url) : null;
  return problem && `[left out: ${problem}]`;
}

function dataChunk(source: DataBlock["source"]): ToolChunk {
  // The type is stored with each piece: a text that is no media type could be of any length.
  const media_type =
    findMediaTypeProblem(source.media_type) === null ? source.media_type : UNKNOWN_TYPE;
  return source.type === "base64"
    ? { type: "data", media_type, data: source.data }
    : { type: "url", media_type, url: source.url };
}

/** Replaces metadata that is too large: the tool has done its work, so the call does not fail. */
function boundMetadata(given: Record<string, unknown>): Record<string, unknown> {
  const isSmall = utf8Bytes(JSON.stringify(given)) <= MAX_TOOL_METADATA_BYTES;
  return isSmall ? given : METADATA_TOO_LARGE;
}
