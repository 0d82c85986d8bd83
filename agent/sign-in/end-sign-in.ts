// The calls that wait for a sign-in, when it has ended.
import type { EventDraft } from "../../protocol/events.ts";
import {
  AUTHORIZATION_COMPLETED,
  type AuthorizationCompletedValue,
} from "../../protocol/messages/authorization.ts";
import type { ReplyState } from "../state/reply-state.ts";
import { unfinishedCalls } from "../state/reply-state.ts";
import { withProgress } from "../state/progress-record.ts";
import { resultMetadata } from "../state/result-metadata.ts";

/** `again`: it has failed, and each call finds out what is missing now. `refused`: the person does not want it. */
export type SignInEnd = "active" | "again" | "refused";

/** @param waiting Ids of the calls that wait for this connection. None of those that wait no more. */
export function endSignIn(
  state: ReplyState,
  waiting: ReadonlySet<string>,
  { connection_id, end }: { readonly connection_id: string; readonly end: SignInEnd },
): readonly EventDraft[] {
  const calls = unfinishedCalls(state).filter(
    (call) => call.state === "submitted" && waiting.has(call.id),
  );
  if (calls.length === 0) return [];
  const reply_id = state.message.id;
  if (end === "refused") {
    return calls.flatMap(({ id: tool_call_id }): EventDraft[] => {
      const target = { reply_id, tool_call_id };
      const metadata = resultMetadata(state, tool_call_id);
      return [
        {
          type: "TOOL_RESULT_TEXT_DELTA",
          ...target,
          delta: withProgress(
            state,
            tool_call_id,
            state.tasks.has(tool_call_id) ? REFUSED_AGAIN : REFUSED,
          ),
        },
        { type: "TOOL_RESULT_END", ...target, state: "error", metadata },
      ];
    });
  }
  const value: AuthorizationCompletedValue = {
    reply_id,
    connection_id,
    tool_call_ids: calls.map(({ id }) => id),
  };
  return [{ type: "CUSTOM", name: AUTHORIZATION_COMPLETED, reply_id, value: { ...value } }];
}

const REFUSED_AGAIN =
  "The user did not sign in again, so its outcome is unknown: find out before you call it again.";
const REFUSED = "The user did not sign in: nothing was done.";
