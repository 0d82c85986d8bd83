// Takes the words of messages out of the tables and the log of an object that keeps them as a session does.
import { ABILITY_STATE } from "../../protocol/ability-state.ts";
import { CONTEXT_COMPRESSED, CONTEXT_TRUNCATED } from "../../protocol/context/events.ts";
import type { EventOf, LoggedEvent } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { EventTable } from "../log/event-table.ts";
import { rewriteEvents } from "../log/rewrite-events.ts";
import type { MessageTable } from "./message-table.ts";
import { replaceMessage } from "./replace-message.ts";

/** The text that stands in place of words that were erased. */
export const ERASED = "[erased]";

/**
 * Part of a transaction; ids that are not there are passed over. Summaries go too: nobody can tell whose words are in them.
 * The owner of the log calls `forgetRecent` behind it. @param redacted What stands in place of each, under its id.
 */
export function redactMessages(
  sql: SqlStorage,
  messages: MessageTable,
  redacted: readonly Msg[],
): void {
  const places = new Map<number, Msg>();
  for (const message of redacted) {
    const position = replaceMessage(sql, messages, message);
    if (position !== null) places.set(position, message);
  }
  if (places.size === 0) return;
  const summaries = [...new EventTable(sql).ofType("CUSTOM", 0)].filter(hasSummary);
  const seqs = new Set([...places.keys(), ...summaries.map(({ seq }) => seq)]);
  rewriteEvents(sql, seqs, (event) => redactedEvent(event, places));
}

/** A value without the texts of a summary, or of the words that a reply answers. */
export function withoutSummary(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { summary, request } = value;
  return {
    ...value,
    ...(typeof summary === "string" && { summary: ERASED }),
    ...(isRecord(summary) && { summary: { ...summary, text: ERASED } }),
    ...(typeof request === "string" && { request: ERASED }),
  };
}

function redactedEvent(event: LoggedEvent, places: ReadonlyMap<number, Msg>): LoggedEvent {
  if (event.type !== "CUSTOM") return event;
  if (hasSummary(event)) {
    const { state } = event.value;
    const value = isRecord(state)
      ? { ...event.value, state: withoutSummary(state) }
      : withoutSummary(event.value);
    return { ...event, value };
  }
  const message = places.get(event.seq);
  return message && "message" in event.value
    ? { ...event, value: { ...event.value, message } }
    : event;
}

function hasSummary({ name, value }: EventOf<"CUSTOM">): boolean {
  if (name === ABILITY_STATE) return value["ability"] === "context";
  return name === CONTEXT_COMPRESSED || name === CONTEXT_TRUNCATED;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
