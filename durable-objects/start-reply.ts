// The one commit with which a reply begins: what was said, `REPLY_START`, and what the session has to know of it.
import type { EventDraft, LoggedEvent } from "../protocol/events.ts";
import { DEAD_MAN_MS } from "../protocol/limits.ts";
import type { Msg } from "../protocol/messages.ts";
import { structuredReplyMetadata } from "../protocol/structured-output.ts";
import type { KnownMessages } from "./known-messages.ts";
import type { ReplyStart } from "./session-api.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionSettings } from "./session-settings.ts";
import type { SessionTables } from "./session-tables.ts";
import { WATCH } from "./timers.ts";

export interface StartTarget {
  readonly log: SessionLog;
  readonly tables: SessionTables;
  readonly settings: SessionSettings;
}

/** The messages that are known and were nobody's input become this reply's. @param write Part of the same commit. */
export function startReply(
  target: StartTarget,
  reply_id: string,
  { fresh, unclaimed }: Pick<KnownMessages, "fresh" | "unclaimed">,
  structuredSchema: ReplyStart["structured_schema"],
  write: () => void = () => undefined,
): void {
  const { session_id, agent } = target.settings.init;
  const schema = structuredSchema === undefined ? agent.structured_output : structuredSchema;
  const metadata = schema ? structuredReplyMetadata(schema) : {};
  const drafts: EventDraft[] = [
    ...fresh.map((message): EventDraft => {
      return { type: "CUSTOM", name: "message_added", value: { message } };
    }),
    { type: "REPLY_START", session_id, reply_id, name: agent.name, role: "assistant", metadata },
  ];
  target.log.append(drafts, {
    write: (events) => {
      recordStart(target, reply_id, fresh, events);
      for (const id of unclaimed) target.tables.messages.claim(id, reply_id);
      write();
    },
  });
}

function recordStart(
  { tables, settings }: StartTarget,
  reply_id: string,
  messages: readonly Msg[],
  events: readonly LoggedEvent[],
): void {
  const start = events.at(-1);
  if (!start) return;
  messages.forEach((message, index) => {
    const position = events[index]?.seq ?? start.seq;
    tables.messages.put({ position, reply_id, message, cursor: position });
  });
  const { agent_version, agent } = settings.init;
  tables.replies.insert({
    id: reply_id,
    start_cursor: start.seq - 1,
    agent_version,
    model_name: agent.model.name,
    created_at: start.created_at,
  });
  tables.timers.setBy(WATCH, Date.now() + DEAD_MAN_MS);
  settings.beginReply();
}
