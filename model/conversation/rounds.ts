// A stored assistant message is a complete reply with all its rounds. Providers want each model call as a message of
// its own, followed by the results of its calls.
import type { ContentBlock, HintBlock, ToolResultBlock } from "../../protocol/messages/blocks.ts";

/** Blocks that a model said in one call, in their order. */
export type SaidBlock = Exclude<ContentBlock, { type: "tool_result" | "hint" }>;

/** The blocks of one model call, and the hints after it until the next one. */
export interface Round {
  readonly said: readonly SaidBlock[];
  readonly hints: readonly HintBlock[];
}

/** Splits at results and hints: output after one of them is from the next model call. */
export function splitRounds(content: readonly ContentBlock[]): readonly Round[] {
  let round: { said: SaidBlock[]; hints: HintBlock[] } = { said: [], hints: [] };
  const rounds = [round];
  let isClosed = false;
  for (const block of content) {
    if (block.type === "tool_result" || block.type === "hint") {
      if (block.type === "hint") round.hints.push(block);
      isClosed = true;
      continue;
    }
    if (isClosed) {
      round = { said: [], hints: [] };
      rounds.push(round);
      isClosed = false;
    }
    round.said.push(block);
  }
  return rounds;
}

/** The results of a message by call id: one follows its call wherever it is in the stored message. */
export function resultsById(
  content: readonly ContentBlock[],
): ReadonlyMap<string, ToolResultBlock> {
  return new Map(
    content.filter((block) => block.type === "tool_result").map((block) => [block.id, block]),
  );
}

/**
 * The blocks of a round as they may be sent: a thought is followed by what came from it, since providers refuse one at
 * the end, as an interrupted call leaves it; texts without words are left out.
 */
export function sendableBlocks(said: readonly SaidBlock[]): readonly SaidBlock[] {
  const written = said.filter((block) => block.type !== "text" || block.text.trim() !== "");
  const last = written.findLastIndex(({ type }) => type === "text" || type === "tool_call");
  return written.filter(({ type }, index) => type !== "thinking" || index < last);
}
