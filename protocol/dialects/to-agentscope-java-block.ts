// Converts content blocks to AgentScope for Java's. Absent members are left out, as Java omits nulls.
import type {
  ContentBlock,
  DataBlock,
  TextOrDataBlock,
  ToolCallBlock,
  ToolResultBlock,
} from "../messages/blocks.ts";
import type { JavaBlock } from "../messages/message-forms.ts";
import type { JsonObject } from "../json-object.ts";
import { objectOf } from "./object-of.ts";
import { withOwnMembers } from "./own-members.ts";

/** Converts any block of a message. */
export function toJavaBlock(block: ContentBlock): JavaBlock {
  switch (block.type) {
    case "thinking":
      return toJavaThinking(block);
    case "hint":
      return {
        type: "hint",
        id: block.id,
        hint: toJavaHint(block.hint),
        ...(block.source !== null && { hintSource: block.source }),
      };
    case "tool_call":
      return toToolUse(block);
    case "tool_result":
      return toJavaResult(block);
    case "text":
    case "data":
      return toJavaLeaf(block);
    default:
      // A type newer than this version.
      return block;
  }
}

/**
 * A call as `tool_use`: `input` is the object, `content` the text that the model wrote. Text that is no JSON
 * object gives an empty `input`. Java has no member for the suggested rules and the times: they are in the metadata.
 */
export function toToolUse(call: ToolCallBlock): JavaBlock {
  const { id, name, input, state, suggested_rules, created_at, finished_at, signature } = call;
  return {
    type: "tool_use",
    id,
    name,
    input: objectOf(input),
    content: input,
    metadata: withOwnMembers(
      {},
      // Empty `content` means that only the object is known, so an empty text is also stored in the metadata.
      {
        suggested_rules,
        created_at,
        ...(finished_at !== null && { finished_at }),
        ...(input === "" && { input }),
        ...(signature !== undefined && { signature }),
      },
    ),
    state: state.toUpperCase(),
  };
}

/** The output is always a list. */
export function toJavaResult({ id, name, output, state, metadata }: ToolResultBlock): JavaBlock {
  return {
    type: "tool_result",
    id,
    name,
    output: typeof output === "string" ? [{ type: "text", text: output }] : output.map(toJavaLeaf),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    state: state.toUpperCase(),
  };
}

/** Java's address has a `mime_type`, its bytes a `media_type`. */
export function toJavaSource(source: DataBlock["source"]): JsonObject {
  return source.type === "url"
    ? { type: "url", url: source.url, mime_type: source.media_type }
    : { type: "base64", media_type: source.media_type, data: source.data };
}

/** Java's hint is a string: the texts of a hint with blocks. */
export function toJavaHint(hint: string | readonly TextOrDataBlock[]): string {
  if (typeof hint === "string") return hint;
  return hint.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

function toJavaLeaf(block: TextOrDataBlock): JavaBlock {
  return block.type === "text"
    ? { type: "text", id: block.id, text: block.text }
    : { type: "data", id: block.id, source: toJavaSource(block.source) };
}

/** Provider members, such as a signature, go into Java's metadata. */
function toJavaThinking(block: Extract<ContentBlock, { type: "thinking" }>): JavaBlock {
  const { type, thinking, id, created_at: _created, finished_at: _finished, ...added } = block;
  const hasMore = Object.keys(added).length > 0;
  return { type, id, thinking, ...(hasMore && { metadata: added }) };
}
