import { toAgUiMessages } from "../../protocol/dialects/ag-ui/wire/messages.ts";
import type { OpenSession } from "../session/open-session.ts";
import type { StartedRun } from "../api/session-api.ts";
import { answeredState } from "../answers/take-answer.ts";

/**
 * Whether a transcript has calls of the reply that waited, but not the results that they had before this run began: what
 * others answered, and what ended because its user went on talking. No run of the client's own tells of these. Cost:
 * nothing is read for a client that has them all, or that sends no transcript.
 *
 * @param waited The reply that waited when the run was asked for.
 */
export function hasMissedResults(
  session: OpenSession,
  waited: string,
  { cursor }: Pick<StartedRun, "cursor">,
  messageIds: readonly string[],
): boolean {
  const reply = answeredState(session, waited);
  if (!reply) return false;
  const held = new Set(messageIds);
  const shown = toAgUiMessages(reply.message);
  const calls = new Set(
    shown.flatMap((message) =>
      message.role === "assistant" && held.has(message.id)
        ? (message.toolCalls ?? []).map(({ id }) => id)
        : [],
    ),
  );
  return shown.some(
    (message) =>
      message.role === "tool" &&
      calls.has(message.toolCallId) &&
      !held.has(message.id) &&
      (session.tables.calls.find(message.toolCallId)?.seq ?? Infinity) <= cursor,
  );
}
