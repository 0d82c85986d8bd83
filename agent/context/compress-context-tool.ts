// The tool with which a model has its context compressed. Its call changes nothing by itself: the loop makes the summary
// before the next model call, after it has checked the reply's budget, and again after a crash.
import { COMPRESS_CONTEXT_TOOL } from "../../protocol/context/events.ts";
import { MAX_COMPRESSION_INSTRUCTIONS_CHARACTERS } from "../../protocol/context/limits.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import type { Settlement } from "../ability.ts";
import type { ToolDeclaration } from "../ports.ts";
import { countTurnCalls, type ReplyState } from "../state/reply-state.ts";
import { readCallInput } from "../tool-call/call-input.ts";

export const COMPRESS_CONTEXT: ToolDeclaration = {
  name: COMPRESS_CONTEXT_TOOL,
  description:
    "Replaces the conversation before this turn by a summary, so that there is room again. Call it at a point where a " +
    "summary is enough to go on with, such as between two tasks, and call nothing else beside it.",
  input_schema: {
    type: "object",
    properties: {
      instructions: {
        type: "string",
        maxLength: MAX_COMPRESSION_INSTRUCTIONS_CHARACTERS,
        description: "What the summary has to keep, when that is not clear from the conversation.",
      },
    },
    additionalProperties: false,
  },
  read_only: true,
  concurrency_safe: false,
  idempotent: true,
};

const ACCEPTED = "A summary takes the place of everything before this turn.";

export function acceptCompression(call: ToolCallBlock, reply: ReplyState): Settlement {
  const read = readCallInput(call, COMPRESS_CONTEXT, { calls: countTurnCalls(reply) });
  return read.ok ? { text: ACCEPTED } : { text: read.text, isError: true };
}
