// The results of calls that the provider cut off: such a call is not run, since the rest of its input is not known.
import type { EventDraft } from "../../protocol/events.ts";
import type { ToolCallBlock } from "../../protocol/messages/blocks.ts";
import { parseInput } from "../json/parse-input.ts";
import type { EarlyEnd } from "../ports.ts";
import { turnBlocks, type ReplyState } from "../state/reply-state.ts";
import { refusedResult } from "../tool-call/refused-result.ts";

const CUT_OFF: Readonly<Record<EarlyEnd, string>> = {
  output_limit: "at your output limit",
  filtered: "by the provider's filter",
};

/**
 * The whole results of the turn's calls that were under way at an early end, for the append that ends the model call:
 * after a crash nothing has to know again why it ended.
 */
export function cutOffResults(state: ReplyState, endedEarly: EarlyEnd): EventDraft[] {
  const calls = turnBlocks(state).filter(
    (block): block is ToolCallBlock => block.type === "tool_call",
  );
  const last = calls.at(-1);
  return calls
    .filter((call) => isCutOff(call, call === last))
    .flatMap((call) => refusedResult(state, call, { ...REFUSAL, text: textFor(call, endedEarly) }));
}

const REFUSAL = { state: "error", decision: null } as const;

/** An input without a character is one without members, but for the last call: nothing of it had come yet. */
function isCutOff({ input }: ToolCallBlock, isLast: boolean): boolean {
  if (input.trim() === "") return isLast;
  const parsed = parseInput(input);
  return !parsed.ok && parsed.isCutOff;
}

function textFor({ name, input }: ToolCallBlock, endedEarly: EarlyEnd): string {
  const place = `after ${input.length} characters of its input`;
  const advice =
    endedEarly === "output_limit"
      ? "Make it again if you still need it, with a shorter input."
      : "";
  return `Your call of ${name} was cut off ${CUT_OFF[endedEarly]}, ${place}, so it was not run. ${advice}`.trim();
}
