import type { AgUiEvent } from "../../protocol/dialects/ag-ui/wire/events.ts";
import { AgUiTranslator } from "../../protocol/dialects/ag-ui/ag-ui-translator.ts";
import { eventsBetween } from "../sessions/replay-events.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { StartedRun } from "../api/session-api.ts";
import { SessionHistory } from "../dialects/session-history.ts";

/**
 * Whether a transcript has messages of this run, as after a broken connection. The client would append the run's frames
 * to the messages that it has. Cost: reads the run's reply.
 */
export function isPartlyHeld(
  session: OpenSession,
  { reply_id, cursor }: Pick<StartedRun, "reply_id" | "cursor">,
  messageIds: readonly string[],
): boolean {
  const { log, tables } = session;
  const reply = log.isClosed ? null : tables.replies.find(reply_id);
  if (!reply) return false;
  const held = new Set(messageIds);
  const history = new SessionHistory(tables);
  history.isUnseen = true;
  const translator = new AgUiTranslator(history);
  for (const event of eventsBetween(session, reply.start_cursor, log.visibleSeq)) {
    for (const { seq, event: shown } of translator.push(event)) {
      if (seq <= cursor) continue;
      if (shown.type === "RUN_FINISHED" || shown.type === "RUN_ERROR") return false;
      const messageId = messageIdOf(shown);
      if (messageId !== undefined && held.has(messageId)) return true;
    }
  }
  return false;
}

/** The id of the message that an event begins or adds to. */
function messageIdOf(event: AgUiEvent): string | undefined {
  switch (event.type) {
    case "TEXT_MESSAGE_START":
    case "REASONING_MESSAGE_START":
    case "TOOL_CALL_RESULT":
      return event.messageId;
    case "TOOL_CALL_START":
      return event.parentMessageId;
    default:
      return undefined;
  }
}
