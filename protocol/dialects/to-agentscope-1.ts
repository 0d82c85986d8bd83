// Messages and calls in the form of AgentScope 1.x. What 1.x has no block for keeps its native form: its readers pass over
// types that they do not know.
import { getTextContent } from "../messages/accessors.ts";
import type {
  ContentBlock,
  DataBlock,
  TextOrDataBlock,
  ToolCallBlock,
} from "../messages/blocks.ts";
import type { AgentScope1Block, AgentScope1Msg } from "../messages/message-forms.ts";
import type { Msg } from "../messages/messages.ts";
import { objectOf } from "./object-of.ts";
import { hasResultsAlone, toSpacedTime } from "./to-agentscope-java-message.ts";

const MEDIA_TYPES = ["image", "audio", "video"] as const;

/** The key that 1.x has in the metadata of a reply that was interrupted. */
const IS_INTERRUPTED = "_is_interrupted";

/**
 * The message as `Msg.to_dict` writes it. The value of structured output is its metadata, and its text where the model
 * gave none; a message of results alone has the role `system`, as 1.x stores them.
 */
export function toAgentScope1Message(message: Msg): AgentScope1Msg {
  const { id, name, role, content, metadata, structured_output, finished_reason } = message;
  const blocks = content.filter(isComplete).map(toAgentScope1Block);
  const value = structured_output ?? null;
  const isWithoutText = value !== null && !getTextContent({ content });
  return {
    id,
    name,
    role: hasResultsAlone(message) ? "system" : role,
    content: isWithoutText ? [...blocks, { type: "text", text: JSON.stringify(value) }] : blocks,
    metadata: value ?? {
      ...metadata,
      ...(finished_reason === "interrupted" && { [IS_INTERRUPTED]: true }),
    },
    timestamp: toSpacedTime(message.created_at),
  };
}

/** A call as `tool_use`: `input` is the object, `raw_input` the text that the model wrote. */
export function toAgentScope1Call({ id, name, input }: ToolCallBlock): AgentScope1Block {
  return { type: "tool_use", id, name, input: objectOf(input), raw_input: input };
}

/** 1.x stores a result when its tool has ended: there is no state by which a reader could tell. */
function isComplete(block: ContentBlock): boolean {
  return block.type !== "tool_result" || block.state !== "running";
}

function toAgentScope1Block(block: ContentBlock): AgentScope1Block {
  switch (block.type) {
    case "thinking":
      return toThinking(block);
    case "tool_call":
      return toAgentScope1Call(block);
    case "tool_result": {
      const { id, name, output } = block;
      return { type: "tool_result", id, name, output: toOutput(output) };
    }
    case "text":
    case "data":
      return toLeaf(block);
    default:
      return block;
  }
}

/** A provider's own members, such as a signature, stay beside the thought. */
function toThinking(block: Extract<ContentBlock, { type: "thinking" }>): AgentScope1Block {
  const { type, thinking, id: _id, created_at: _created, finished_at: _finished, ...added } = block;
  return { type, thinking, ...added };
}

function toOutput(output: string | readonly TextOrDataBlock[]): string | AgentScope1Block[] {
  return typeof output === "string" ? output : output.map(toLeaf);
}

/** A picture, a sound or a film by its media type; other data keep their native form. */
function toLeaf(block: TextOrDataBlock): AgentScope1Block {
  if (block.type === "text") return { type: "text", text: block.text };
  const type = MEDIA_TYPES.find((kind) => block.source.media_type.startsWith(`${kind}/`));
  return type === undefined ? block : { type, source: toSource(block.source) };
}

/** 1.x knows no media type of an address; it is there for those who read it back. */
function toSource(source: DataBlock["source"]): AgentScope1Block {
  return source.type === "url"
    ? { type: "url", url: source.url, media_type: source.media_type }
    : { type: "base64", media_type: source.media_type, data: source.data };
}
