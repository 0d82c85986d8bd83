// Counts the tokens of the next request of a reply: what the provider said of the last one, plus an estimate of what has
// come since.
import type { TokenCounter } from "../../protocol/api/context.ts";
import { MAX_COUNT_RATIO } from "../../protocol/limits/context.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { ReplyState } from "../state/reply-state.ts";
import type { ContextState } from "./context-fold.ts";
import type { ContextKeeper, EarlierCall } from "./context-keeper.ts";
import { countBlock, countMessage, countRequest, type CountedRequest } from "./count-tokens.ts";

/** A provider's count holds as long as the messages that it was made of are in front. */
interface KnownCall extends EarlierCall {
  readonly state: ContextState;
}

export class ContextMeter {
  readonly #keeper: Pick<ContextKeeper, "state" | "earlierCall">;
  #known: KnownCall | null | "not asked" = "not asked";

  constructor(keeper: Pick<ContextKeeper, "state" | "earlierCall">) {
    this.#keeper = keeper;
  }

  /** To be called after each model call, in the state that its request was made in. */
  note(
    { last_call, message }: Pick<ReplyState, "last_call" | "message">,
    state: ContextState,
  ): void {
    this.#known = last_call && { ...last_call, message_id: message.id, state };
  }

  /** Tokens. A provider's count is believed between a part and a multiple of the estimate. */
  count(request: CountedRequest, counter: TokenCounter): number {
    const { total } = countRequest(request, counter);
    const call = counter === "provider" ? this.#lastCall() : null;
    const later = call && countAfter(request.messages, call);
    if (!call || later === null) return total;
    const counted = call.tokens + later;
    return Math.min(
      Math.max(counted, Math.floor(total / MAX_COUNT_RATIO)),
      total * MAX_COUNT_RATIO,
    );
  }

  #lastCall(): KnownCall | null {
    const state = this.#keeper.state();
    if (this.#known === "not asked") {
      const call = this.#keeper.earlierCall?.() ?? null;
      this.#known = call && { ...call, state };
    }
    return this.#known?.state === state ? this.#known : null;
  }
}

/** The estimate of what comes after the call's last block; null when the messages do not have it. */
function countAfter(
  messages: readonly Msg[],
  { message_id, block_id }: EarlierCall,
): number | null {
  const index = messages.findIndex(({ id }) => id === message_id);
  const content = messages[index]?.content ?? [];
  // A call's result, which has the same id, comes after it.
  const last = content.findIndex(({ id, type }) => id === block_id && type !== "tool_result");
  if (last === -1) return null;
  const rest = content
    .slice(last + 1)
    .reduce((sum, block) => sum + countBlock(block, "estimate"), 0);
  const later = messages.slice(index + 1);
  return rest + later.reduce((sum, message) => sum + countMessage(message, "estimate"), 0);
}
