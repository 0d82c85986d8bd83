// Bounds what large things cost in a model's context: long tool results are cut, and older images left out. The log
// keeps them whole, and a tool reads what was cut.
import {
  DEFAULT_CONTEXT_IMAGES,
  DEFAULT_TOOL_RESULT_TOKENS,
} from "../../protocol/limits/context.ts";
import type { ContextSettings } from "../../protocol/api/context.ts";
import type { ToolCallBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { Ability, Settlement } from "../ability.ts";
import { roomForResults } from "../state/budget.ts";
import { countTurnCalls, type ReplyState } from "../state/reply-state.ts";
import { readCallInput } from "../tool-call/call-input.ts";
import { cutToolResult, textOfResult } from "./cut-tool-result.ts";
import { limitImages } from "./limit-images.ts";
import { READ_TOOL_RESULT, readResultText, type ReadToolResultInput } from "./read-tool-result.ts";

/** @param history The messages before the open reply, oldest first. */
export function contextAbility(settings: ContextSettings, history: () => readonly Msg[]): Ability {
  const limit = settings.tool_result_limit ?? DEFAULT_TOOL_RESULT_TOKENS;
  const maxImages = settings.max_images ?? DEFAULT_CONTEXT_IMAGES;
  const resultsOf = (reply: ReplyState) =>
    [...history(), reply.message].flatMap(({ content }) => content.filter(isResult));
  // Asked before each model call and each tool call, of the same blocks: a block is never changed in place.
  const cuts = new WeakMap<ToolResultBlock, ToolResultBlock>();
  const cut = (result: ToolResultBlock): ToolResultBlock => {
    const known = cuts.get(result) ?? cutToolResult(result, limit);
    cuts.set(result, known);
    return known;
  };
  return {
    name: "context",
    changeContext: (messages) =>
      limitImages(
        messages.map((message) => withCutResults(message, cut)),
        maxImages,
      ),
    tools: {
      kind: "internal",
      // Only while there is something to read: most conversations never need it.
      declare: (reply) =>
        resultsOf(reply).some((result) => cut(result) !== result) ? [READ_TOOL_RESULT] : [],
      settle: (call, reply) => settle(call, reply, { limit, results: resultsOf(reply) }),
    },
  };
}

function isResult(block: Msg["content"][number]): block is ToolResultBlock {
  return block.type === "tool_result";
}

function withCutResults(message: Msg, cut: (result: ToolResultBlock) => ToolResultBlock): Msg {
  if (!message.content.some((block) => isResult(block) && cut(block) !== block)) return message;
  return {
    ...message,
    content: message.content.map((block) => (isResult(block) ? cut(block) : block)),
  };
}

function settle(
  call: ToolCallBlock,
  reply: ReplyState,
  { limit, results }: { readonly limit: number; readonly results: readonly ToolResultBlock[] },
): Settlement {
  const read = readCallInput(call, READ_TOOL_RESULT, { calls: countTurnCalls(reply) });
  if (!read.ok) return { text: read.text, isError: true };
  const input = read.input as ReadToolResultInput;
  const result = results.find(({ id }) => id === input.tool_call_id);
  if (!result) {
    return { text: `This conversation has no result of ${input.tool_call_id}.`, isError: true };
  }
  // So many UTF-16 units are never cut again: one has three bytes at most, and a token four.
  const room = Math.min(limit, roomForResults(reply));
  if (room <= 0) return { text: "The reply has no room for more of it.", isError: true };
  return { text: readResultText(textOfResult(result), input, room) };
}
