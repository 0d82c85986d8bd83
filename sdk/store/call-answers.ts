// Answers to calls that wait, by a person in front of this store.
import type { EventReceipt } from "../../protocol/events/contract.ts";
import type { EventOf, LoggedEvent } from "../../protocol/events.ts";
import type { SessionHandle } from "../session/session-handle.ts";
import { toSessionError } from "./session-reader.ts";
import type { SessionCall } from "./session-state.ts";
import { callKey, type AnswerFate, type AnswerFates } from "./waiting-calls.ts";

/** Calls by themselves or by their ids; those that do not wait are left to the platform, which says so. */
export type CallChoice = SessionCall | string | readonly (SessionCall | string)[];

/** Posts the answer to these calls. */
export type PostAnswer = (
  session: SessionHandle,
  chosen: readonly (SessionCall | string)[],
) => Promise<EventReceipt>;

export class CallAnswers {
  readonly #fates = new Map<string, AnswerFate>();

  get fates(): AnswerFates {
    return this.#fates;
  }

  /**
   * Answers calls: they are shown as answered until the platform's event comes, and wait again when it refuses.
   *
   * @param pending The calls that wait.
   * @param onChange Called when the fates have changed.
   */
  async give(
    calls: CallChoice,
    pending: readonly SessionCall[],
    post: (chosen: readonly (SessionCall | string)[]) => Promise<EventReceipt>,
    onChange: () => void,
  ): Promise<EventReceipt> {
    const chosen = [calls].flat().map((call) => findCall(call, pending));
    const keys = chosen.flatMap((call) => (typeof call === "string" ? [] : [callKey(call)]));
    const settle = (fate: AnswerFate) => {
      for (const key of keys) this.#fates.set(key, fate);
      onChange();
    };
    settle(null);
    try {
      return await post(chosen);
    } catch (error) {
      settle(toSessionError(error));
      throw error;
    }
  }

  /** A call that asks again: an earlier answer is not about that. A called agent's question is told in an event of its own. */
  take(event: LoggedEvent | Question): void {
    if (event.type === "CUSTOM" && event.name === "subagent_require_user_confirm") {
      // The platform alone writes it, so its shape is known.
      return this.take(event.value["event"] as Question);
    }
    if (event.type !== "REQUIRE_USER_CONFIRM" && event.type !== "REQUIRE_EXTERNAL_EXECUTION")
      return;
    const kind = event.type === "REQUIRE_USER_CONFIRM" ? "permission" : "external_result";
    const { reply_id, tool_calls } = event;
    for (const tool_call of tool_calls) this.#fates.delete(callKey({ reply_id, kind, tool_call }));
  }
}

type Question = EventOf<"REQUIRE_USER_CONFIRM"> | EventOf<"REQUIRE_EXTERNAL_EXECUTION">;

function findCall(
  call: SessionCall | string,
  pending: readonly SessionCall[],
): SessionCall | string {
  if (typeof call !== "string") return call;
  return pending.find(({ tool_call }) => tool_call.id === call) ?? call;
}
