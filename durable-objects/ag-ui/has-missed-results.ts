import { toAgUiMessages } from "../../protocol/dialects/ag-ui/wire/messages.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { StartedRun } from "../api/session-api.ts";
import { answeredState } from "../acts/confirmations.ts";

/**
 * Whether a transcript has calls of the reply that waited, but not the results that they got before this run began:
 * from other clients, or because a new message ended the reply. No run of this client sends those results. Cost: reads
 * that reply's message.
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
