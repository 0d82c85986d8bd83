import type { ReplyStatus } from "../../protocol/api/replies.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { OutboxEntry } from "../../storage/outbox/deliver-outbox.ts";
import type { ListedDecision } from "../../storage/outbox/put-decisions.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { pendingCalls, sessionStatusOf } from "./reply-view.ts";

export type OutboxRow = {
  entry: number;
  reply_id: string;
  status: ReplyStatus;
  created_at: string;
  /** How many deliveries of it have begun and ended with a crash of the object. */
  begun: number;
};

interface EntryParts {
  readonly row: OutboxRow;
  readonly init: SessionInit;
  readonly tables: Pick<SessionTables, "replies" | "calls">;
  /** The reply's message; null when it is left out. */
  readonly own: Msg | null;
  readonly decisions: readonly ListedDecision[];
  /** Size of the object's database. */
  readonly bytes: number;
}

/** What D1 gets for a row of the outbox; nothing for a reply that is not there. */
export function makeOutboxEntry({
  row: { entry, reply_id, status, created_at: at },
  init: { tenant_id, session_id, agent_id, end_user_id, origin },
  tables,
  own,
  decisions,
  bytes,
}: EntryParts): OutboxEntry[] {
  const reply = tables.replies.find(reply_id);
  if (!reply) return [];
  const { agent_version, model_name } = reply;
  return [
    {
      tenant_id,
      session_id,
      agent_id,
      agent_version,
      end_user_id,
      reply_id,
      entry,
      at,
      usage: own?.usage ?? null,
      model_name,
      reply_status: status,
      session_status: sessionStatusOf(status),
      pending: own ? pendingCalls(own, tables.calls) : [],
      decisions,
      origin: origin ?? null,
      cursor: entry,
      bytes,
      error: own?.error ?? null,
    },
  ];
}
