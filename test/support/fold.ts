// Folding events that are written down as briefly as the tables of the reference write them.
import { appendEvent } from "../../protocol/fold/append-event.ts";
import { AssistantMsg } from "../../protocol/messages/constructors.ts";
import type { AgentEvent } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { parseEvent } from "../../protocol/parse.ts";
import { deepFreeze } from "./deep-freeze.ts";

/** The message that the cases start from. */
export function emptyMessage(): Msg {
  return AssistantMsg({ id: "r1", name: "A", content: [], created_at: "T0" });
}

/** An event of reply `r1`; a CUSTOM event belongs to none unless it says so. */
export function caseEvent(fields: Record<string, unknown>): AgentEvent {
  const reply = fields["type"] === "CUSTOM" ? {} : { reply_id: "r1" };
  return parseEvent({ id: "e", created_at: "T", ...reply, ...fields });
}

/** Folds with frozen arguments, so that a change of either throws. */
export function fold(events: readonly Record<string, unknown>[], start: Msg = emptyMessage()): Msg {
  return events.reduce<Msg>(
    (message, fields) => appendEvent(deepFreeze(message), deepFreeze(caseEvent(fields))),
    start,
  );
}
