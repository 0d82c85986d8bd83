// The JSON that an http tool answers with, whole or as the last event of a stream, and the chunks that it becomes.
import { z } from "zod";

import { splitText } from "../agent/json/split-text.ts";
import type { ToolChunk } from "../agent/ports.ts";
import {
  type DataBlock,
  TextOrDataBlockSchema,
  type TextOrDataBlock,
} from "../protocol/messages/blocks.ts";
import { findAddressProblem } from "../protocol/api/schemas/media-blocks.ts";
import { MAX_TOOL_BLOCKS, MAX_TOOL_METADATA_BYTES } from "../protocol/limits/tools.ts";
import { utf8Bytes } from "../protocol/utf8-bytes.ts";
import { METADATA_TOO_LARGE } from "./tool-json.ts";

const output = z.union([z.string(), z.array(TextOrDataBlockSchema)]);
const state = z.enum(["success", "error"]);
const metadata = z.record(z.string(), z.unknown()).optional();

/** An answer of any other shape is shown to the model as it is, so that nothing of it is lost. */
const AnswerSchema = z.strictObject({ output, state: state.default("success"), metadata });
/** `state` is what tells it from a delta. */
const StreamEndSchema = z.strictObject({ output: output.default(""), state, metadata });

export type ToolAnswer = z.infer<typeof AnswerSchema>;

export function parseAnswer(value: unknown): ToolAnswer | null {
  return AnswerSchema.safeParse(value).data ?? null;
}

export function parseStreamEnd(value: unknown): ToolAnswer | null {
  return StreamEndSchema.safeParse(value).data ?? null;
}

/** @param answer Parsed from JSON that `readToolJson` has bounded, or made by a function of this deployment. */
export function* answerChunks(answer: ToolAnswer): Generator<ToolChunk, void> {
  if (typeof answer.output === "string") {
    yield* textChunks(answer.output);
  } else if (answer.output.length > MAX_TOOL_BLOCKS) {
    yield* failure(`The tool's answer has more than ${MAX_TOOL_BLOCKS} blocks.`);
    return;
  } else {
    yield* blockChunks(answer.output);
  }
  yield {
    type: "end",
    state: answer.state,
    ...(answer.metadata && { metadata: boundMetadata(answer.metadata) }),
  };
}

/** The end of a call that failed: the reason as text, then the end. */
export function* failure(reason: string): Generator<ToolChunk, void> {
  yield* textChunks(reason);
  yield { type: "end", state: "error" };
}

export function* textChunks(text: string): Generator<ToolChunk, void> {
  if (text === "") return;
  for (const delta of splitText(text)) yield { type: "text", delta };
}

/**
 * Text blocks that follow each other are told apart by a line break: a result holds them as one text. What the tool did
 * is done and its output counts, so an address that is not taken from outside is told of and no reason to refuse it.
 */
function* blockChunks(blocks: readonly TextOrDataBlock[]): Generator<ToolChunk, void> {
  let isAfterText = false;
  for (const block of blocks) {
    const text = textOf(block);
    if (text !== null) yield* textChunks(isAfterText ? `\n${text}` : text);
    else if (block.type === "data") yield dataChunk(block.source);
    isAfterText = text !== null;
  }
}

/** Null for data that is taken. */
function textOf(block: TextOrDataBlock): string | null {
  if (block.type === "text") return block.text;
  const problem = block.source.type === "url" ? findAddressProblem(block.source.url) : null;
  return problem && `[left out: ${problem}]`;
}

function dataChunk(source: DataBlock["source"]): ToolChunk {
  const { media_type } = source;
  return source.type === "base64"
    ? { type: "data", media_type, data: source.data }
    : { type: "url", media_type, url: source.url };
}

/** What the tool did is done and its output counts, so too much metadata is left out rather than refused. */
function boundMetadata(given: Record<string, unknown>): Record<string, unknown> {
  const isSmall = utf8Bytes(JSON.stringify(given)) <= MAX_TOOL_METADATA_BYTES;
  return isSmall ? given : METADATA_TOO_LARGE;
}
