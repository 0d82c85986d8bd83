// Tokens of a context by what they are made of: providers count prose, JSON and media each in their own way.
import { BYTES_PER_TOKEN, MEDIA_TOKENS } from "../../protocol/context/limits.ts";
import type { ContentBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { countTool, type CountedRequest } from "./count-tokens.ts";

/** Estimated tokens; together they are what `countRequest` estimates, but for what rounding up adds. */
export interface TokenKinds {
  readonly prose: number;
  readonly json: number;
  readonly media: number;
}

const NO_TOKENS: TokenKinds = { prose: 0, json: 0, media: 0 };

/** Blocks are never changed in place. */
const known = new WeakMap<ContentBlock, TokenKinds>();

/** Kinds of a whole request; the declarations of tools are JSON. */
export function kindsOfRequest({ system_prompt, messages, tools }: CountedRequest): TokenKinds {
  const json = tools.reduce((sum, tool) => sum + countTool(tool, "estimate"), 0);
  return [ofText(system_prompt), { ...NO_TOKENS, json }, kindsOfMessages(messages)].reduce(add);
}

export function kindsOfMessages(messages: readonly Msg[]): TokenKinds {
  return messages
    .flatMap(({ content }) => content)
    .reduce((sum, block) => add(sum, kindsOfBlock(block)), NO_TOKENS);
}

function kindsOfBlock(block: ContentBlock): TokenKinds {
  const found = known.get(block) ?? readBlock(block);
  known.set(block, found);
  return found;
}

function readBlock(block: ContentBlock): TokenKinds {
  switch (block.type) {
    case "text":
      return ofText(block.text);
    case "thinking":
      return ofText(block.thinking);
    case "tool_call":
      return add(ofText(block.name), ofText(block.input));
    case "tool_result":
      return ofInner(block.output);
    case "hint":
      return ofInner(block.hint);
    case "data":
      return { ...NO_TOKENS, media: MEDIA_TOKENS };
    default:
      return block satisfies never;
  }
}

function ofInner(inner: string | readonly ContentBlock[]): TokenKinds {
  return typeof inner === "string"
    ? ofText(inner)
    : inner.reduce((sum, block) => add(sum, readBlock(block)), NO_TOKENS);
}

/** A text that begins as an object or a list is taken for JSON: it is not parsed, since it may be cut or long. */
function ofText(text: string): TokenKinds {
  const tokens = Math.ceil(utf8Bytes(text) / BYTES_PER_TOKEN);
  return /^\s*[[{]/.test(text) ? { ...NO_TOKENS, json: tokens } : { ...NO_TOKENS, prose: tokens };
}

function add(one: TokenKinds, other: TokenKinds): TokenKinds {
  return {
    prose: one.prose + other.prose,
    json: one.json + other.json,
    media: one.media + other.media,
  };
}
