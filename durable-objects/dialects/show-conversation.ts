import {
  AG_UI_PROTOCOL_VERSION,
  type AgUiEvent,
} from "../../protocol/dialects/ag-ui/wire/events.ts";
import { messagesSnapshot } from "../../protocol/dialects/ag-ui/messages-snapshot.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { shownAbilities } from "./shown-abilities.ts";

/**
 * Frames for a session without replies, whose messages were copied, imported or observed: its state, and a snapshot
 * into which the stream puts the messages. AG-UI has no events outside of a run, so they are in a run with the
 * session's id. Empty without messages.
 */
export function showConversation({ init, log, tables }: OpenSession): readonly AgUiEvent[] {
  const [message] = tables.messages.before(log.visibleSeq + 1);
  if (!message) return [];
  const { session_id, thread_id } = init;
  const run = { threadId: thread_id ?? session_id, runId: session_id };
  const { state, version } = tables.sharedState.read();
  return [
    { type: "RUN_STARTED", ...run, protocolVersion: AG_UI_PROTOCOL_VERSION },
    ...(version === 0 ? [] : [{ type: "STATE_SNAPSHOT", snapshot: state } as const]),
    messagesSnapshot([]),
    ...shownAbilities(tables),
    { type: "RUN_FINISHED", ...run, outcome: { type: "success" } },
  ];
}
