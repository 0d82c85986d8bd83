// Counts the tokens of the next request of a reply: what the provider said of the last one, plus an estimate of what has
// come since, with JSON scaled as its earlier reports have taught.
import type { TokenCounter } from "../../protocol/context/contract.ts";
import { MAX_COUNT_RATIO } from "../../protocol/context/limits.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { ReplyState } from "../state/reply-state.ts";
import type { ContextState } from "./context-fold.ts";
import type { ContextKeeper, EarlierCall } from "./context-keeper.ts";
import { countRequest, type CountedRequest } from "./count-tokens.ts";
import { LearnedScale } from "./learned-scale.ts";
import { kindsOfMessages, kindsOfRequest, type TokenKinds } from "./token-kinds.ts";

/** A provider's count holds as long as the messages that it was made of are in front. */
interface KnownCall extends EarlierCall {
  readonly state: ContextState;
}

/** The request of a model call that has completed. */
interface MeteredCall {
  readonly request: CountedRequest;
  /** The state that it was made in. */
  readonly state: ContextState;
}

export class ContextMeter {
  readonly #keeper: Pick<ContextKeeper, "state" | "earlierCall">;
  readonly #scale = new LearnedScale();
  #known: KnownCall | null | "not asked" = "not asked";

  constructor(keeper: Pick<ContextKeeper, "state" | "earlierCall">) {
    this.#keeper = keeper;
  }

  /** To be called after each model call. */
  note({ last_call, message }: Pick<ReplyState, "last_call" | "message">, call: MeteredCall): void {
    this.#known = last_call && { ...last_call, message_id: message.id, state: call.state };
    if (last_call) this.#scale.learn(kindsOfRequest(call.request), last_call.input_tokens);
  }

  /** Tokens. A provider's count is believed between a part and a multiple of the estimate. */
  count(request: CountedRequest, counter: TokenCounter): number {
    const { total } = countRequest(request, counter);
    if (counter !== "provider") return total;
    const call = this.#lastCall();
    const later = call && kindsAfter(request.messages, call);
    const counted =
      call && later
        ? call.tokens + this.#scale.apply(later)
        : this.#scale.apply(kindsOfRequest(request));
    const bounded = Math.max(counted, Math.floor(total / MAX_COUNT_RATIO));
    return Math.round(Math.min(bounded, total * MAX_COUNT_RATIO));
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
function kindsAfter(
  messages: readonly Msg[],
  { message_id, block_id }: EarlierCall,
): TokenKinds | null {
  const index = messages.findIndex(({ id }) => id === message_id);
  const message = messages[index];
  if (!message) return null;
  // A call's result, which has the same id, comes after it.
  const last = message.content.findIndex(
    ({ id, type }) => id === block_id && type !== "tool_result",
  );
  if (last === -1) return null;
  const rest = { ...message, content: message.content.slice(last + 1) };
  return kindsOfMessages([rest, ...messages.slice(index + 1)]);
}
