// Bounds what a conversation costs in a model's context: a summary takes the place of what is older, long tool results are
// cut, and older images left out. The log keeps everything, and a tool reads what was cut.
import { COMPRESS_CONTEXT_TOOL } from "../../protocol/context/events.ts";
import { DEFAULT_CONTEXT_IMAGES } from "../../protocol/context/limits.ts";
import type { ContextSettings } from "../../protocol/context/contract.ts";
import type { ToolCallBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { untrustedSourceOf } from "../../protocol/messages/untrusted-content.ts";
import type { Ability, Settlement } from "../ability.ts";
import { CONTEXT_ABILITY, type ContextState } from "./context-fold.ts";
import { toolResultLimit, turnResultsLimit } from "./context-limits.ts";
import { afterBoundary, contextView } from "./context-view.ts";
import { roomForResults } from "../state/budget.ts";
import { countTurnCalls, type ReplyState } from "../state/reply-state.ts";
import { withDoubles } from "../exact-number.ts";
import { readCallInput } from "../tool-call/call-input.ts";
import { acceptCompression, COMPRESS_CONTEXT } from "./compress-context-tool.ts";
import { textOfResult } from "./cut-tool-result.ts";
import { limitImages } from "./limit-images.ts";
import { ResultCuts } from "./result-cuts.ts";
import { READ_TOOL_RESULT, readResultText, type ReadToolResultInput } from "./read-tool-result.ts";

export interface ContextSource {
  /** The messages before the open reply, oldest first. */
  readonly history: () => readonly Msg[];
  /** The fold of the session's log at this moment. */
  readonly state: () => ContextState;
  /** Tokens that the model can read at once. */
  readonly size: number;
}

export function contextAbility(
  settings: ContextSettings,
  { history, state, size }: ContextSource,
): Ability {
  const limit = toolResultLimit(settings, size);
  const maxImages = settings.max_images ?? DEFAULT_CONTEXT_IMAGES;
  const visibleTo = (reply: ReplyState) => afterBoundary([...history(), reply.message], state());
  const resultsOf = (reply: ReplyState) =>
    visibleTo(reply).flatMap(({ content }) => content.filter(isResult));
  const resultCuts = new ResultCuts({ limit, turnLimit: turnResultsLimit(size) });
  return {
    name: CONTEXT_ABILITY,
    changeContext: (messages) =>
      limitImages(
        contextView(messages, state()).map((message) => resultCuts.apply(message)),
        maxImages,
      ),
    tools: {
      kind: "internal",
      declare: (reply) => [
        ...(settings.compression_tool_enabled ? [COMPRESS_CONTEXT] : []),
        // Only while there is something to read: most conversations never need it.
        ...(visibleTo(reply).some((message) => resultCuts.apply(message) !== message)
          ? [READ_TOOL_RESULT]
          : []),
      ],
      settle: (call, reply) =>
        call.name === COMPRESS_CONTEXT_TOOL
          ? acceptCompression(call, reply)
          : settle(call, reply, { limit, results: resultsOf(reply) }),
    },
  };
}

function isResult(block: Msg["content"][number]): block is ToolResultBlock {
  return block.type === "tool_result";
}

function settle(
  call: ToolCallBlock,
  reply: ReplyState,
  { limit, results }: { readonly limit: number; readonly results: readonly ToolResultBlock[] },
): Settlement {
  const read = readCallInput(call, READ_TOOL_RESULT, { calls: countTurnCalls(reply) });
  if (!read.ok) return { text: read.text, isError: true };
  const input = withDoubles(read.input) as ReadToolResultInput;
  const result = results.find(({ id }) => id === input.tool_call_id);
  if (!result) {
    return { text: `This conversation has no result of ${input.tool_call_id}.`, isError: true };
  }
  // A part of this many UTF-16 units is never cut again: a unit has three bytes at most, and a token four.
  const room = Math.min(limit, roomForResults(reply));
  if (room <= 0) return { text: "The reply has no room for more of it.", isError: true };
  // Text from an untrusted result is untrusted, too.
  const untrusted = untrustedSourceOf(result.metadata);
  return { text: readResultText(textOfResult(result), input, room), untrusted };
}
