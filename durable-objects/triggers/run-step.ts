// A step of a run: what a session or a room has said to it.
import type { Refusal } from "../../protocol/errors.ts";
import type { RunError } from "../../protocol/triggers/contract.ts";

export type RunStep<Value> =
  | { readonly type: "done"; readonly value: Value }
  /** There may be room later. */
  | { readonly type: "no_room"; readonly reason: string }
  /** The tenant is suspended, which is nobody's failure. */
  | { readonly type: "suspended" }
  /** There is no such session, or no such room, any more. */
  | { readonly type: "gone" }
  /** Nothing will change that. */
  | { readonly type: "failed"; readonly error: RunError };

export function afterRefusal({ code, detail }: Refusal, who: "session" | "room"): RunStep<never> {
  switch (code) {
    case "quota_exceeded":
    case "rate_limited":
    case "unavailable":
    case "queue_full":
    case "reply_running":
    case "reply_awaiting":
      return { type: "no_room", reason: detail };
    case "tenant_suspended":
      return { type: "suspended" };
    case "not_found":
      return { type: "gone" };
    default:
      return failedStep("input_refused", `The ${who} has refused the input: ${detail}`);
  }
}

export function failedStep(type: RunError["type"], message: string): RunStep<never> {
  return { type: "failed", error: { type, message } };
}
