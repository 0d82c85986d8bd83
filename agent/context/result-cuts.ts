import { evenShare } from "./even-share.ts";
import { countText } from "./count-tokens.ts";
import type { ToolResultBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { cutToolResult, textOfResult } from "./cut-tool-result.ts";

interface ResultLimits {
  /** Tokens of one result. */
  readonly limit: number;
  /** Tokens of all results of one turn: when they have more, the largest are cut to the same length. */
  readonly turnLimit: number;
}

interface KnownCut {
  readonly limit: number;
  readonly cut: ToolResultBlock;
}

/**
 * The large results of a conversation, cut. Asked before each model call and each tool call of the same blocks, which are
 * never changed in place: each is cut and counted once.
 */
export class ResultCuts {
  readonly #limits: ResultLimits;
  readonly #known = new WeakMap<ToolResultBlock, KnownCut>();
  readonly #tokens = new WeakMap<ToolResultBlock, number>();

  constructor(limits: ResultLimits) {
    this.#limits = limits;
  }

  /** @returns The message itself when none of its results is cut. */
  apply(message: Msg): Msg {
    const cuts = new Map<ToolResultBlock, ToolResultBlock>();
    let turn: ToolResultBlock[] = [];
    for (const block of message.content) {
      if (block.type === "tool_result") turn.push(block);
      else if (turn.length > 0) {
        this.#cutTurn(turn, cuts);
        turn = [];
      }
    }
    this.#cutTurn(turn, cuts);
    if (cuts.size === 0) return message;
    const content = message.content.map((block) =>
      block.type === "tool_result" ? (cuts.get(block) ?? block) : block,
    );
    return { ...message, content };
  }

  #cutTurn(results: readonly ToolResultBlock[], cuts: Map<ToolResultBlock, ToolResultBlock>): void {
    const { limit, turnLimit } = this.#limits;
    const sizes = results.map((result) => Math.min(this.#tokensOf(result), limit));
    const share = Math.min(limit, evenShare(sizes, turnLimit));
    for (const result of results) {
      const cut = this.#cut(result, share);
      if (cut !== result) cuts.set(result, cut);
    }
  }

  #cut(result: ToolResultBlock, limit: number): ToolResultBlock {
    const known = this.#known.get(result);
    if (known?.limit === limit) return known.cut;
    const cut = cutToolResult(result, limit);
    this.#known.set(result, { limit, cut });
    return cut;
  }

  #tokensOf(result: ToolResultBlock): number {
    const known = this.#tokens.get(result) ?? countText(textOfResult(result), "estimate");
    this.#tokens.set(result, known);
    return known;
  }
}
