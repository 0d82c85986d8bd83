// Answers to calls that wait, by a person in front of this store.
import type { EventReceipt } from "../../protocol/events/contract.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import { toSessionError } from "./session-reader.ts";
import type { SessionCall } from "./session-state.ts";
import { callKey, type AnswerFate, type AnswerFates } from "./waiting-calls.ts";

/** Calls by themselves or by their ids; those that do not wait are left to the platform, which says so. */
export type CallChoice = SessionCall | string | readonly (SessionCall | string)[];

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

  /** A call that asks again: an earlier answer is not about that. */
  take(event: LoggedEvent): void {
    if (event.type !== "REQUIRE_USER_CONFIRM" && event.type !== "REQUIRE_EXTERNAL_EXECUTION")
      return;
    const kind = event.type === "REQUIRE_USER_CONFIRM" ? "permission" : "external_result";
    for (const tool_call of event.tool_calls) this.#fates.delete(callKey({ kind, tool_call }));
  }
}

function findCall(
  call: SessionCall | string,
  pending: readonly SessionCall[],
): SessionCall | string {
  if (typeof call !== "string") return call;
  return pending.find(({ tool_call }) => tool_call.id === call) ?? call;
}
