// Counts the tokens of a context without asking a provider: by bytes and media, or by characters. Each block is counted
// once, however many requests it is part of.
import type { TokenCounter } from "../../protocol/context/contract.ts";
import { BYTES_PER_TOKEN, MEDIA_TOKENS } from "../../protocol/context/limits.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import type { ToolDeclaration } from "../ports.ts";

/** The parts of a request that have tokens. */
export interface CountedRequest {
  readonly system_prompt: string;
  readonly messages: readonly Msg[];
  readonly tools: readonly ToolDeclaration[];
}

interface RequestTokens {
  readonly total: number;
  readonly system_prompt: number;
  readonly tools: number;
  readonly messages: number;
}

/** Blocks and declarations are never changed in place. */
const estimates = new WeakMap<object, number>();
const characters = new WeakMap<object, number>();

/** `provider` counts like `estimate`: what a provider has reported is added by `ContextMeter`. */
export function countRequest(request: CountedRequest, counter: TokenCounter): RequestTokens {
  const system_prompt = countText(request.system_prompt, counter);
  const tools = sumOf(request.tools, (tool) => countTool(tool, counter));
  const messages = sumOf(request.messages, (message) => countMessage(message, counter));
  return { total: system_prompt + tools + messages, system_prompt, tools, messages };
}

export function countTool(tool: ToolDeclaration, counter: TokenCounter): number {
  const { name, description, input_schema } = tool;
  return cached(tool, counter, () =>
    countText(JSON.stringify({ name, description, input_schema }), counter),
  );
}

export function countMessage({ content }: Msg, counter: TokenCounter): number {
  return sumOf(content, (block) => countBlock(block, counter));
}

export function countBlock(block: ContentBlock, counter: TokenCounter): number {
  return cached(block, counter, () => countOnce(block, counter));
}

export function countText(text: string, counter: TokenCounter): number {
  return counter === "chars" ? text.length : Math.ceil(utf8Bytes(text) / BYTES_PER_TOKEN);
}

function countOnce(block: ContentBlock, counter: TokenCounter): number {
  switch (block.type) {
    case "text":
      return countText(block.text, counter);
    case "thinking":
      return countText(block.thinking, counter);
    case "tool_call":
      return countText(block.name, counter) + countText(block.input, counter);
    case "tool_result":
      return countInner(block.output, counter);
    case "hint":
      return countInner(block.hint, counter);
    case "data": {
      const { source } = block;
      if (counter !== "chars") return MEDIA_TOKENS;
      return source.type === "base64" ? source.data.length : source.url.length;
    }
    default:
      return block satisfies never;
  }
}

function countInner(inner: string | readonly ContentBlock[], counter: TokenCounter): number {
  return typeof inner === "string"
    ? countText(inner, counter)
    : sumOf(inner, (block) => countOnce(block, counter));
}

function cached(key: object, counter: TokenCounter, count: () => number): number {
  const known = counter === "chars" ? characters : estimates;
  const found = known.get(key) ?? count();
  known.set(key, found);
  return found;
}

function sumOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0);
}
