// What is open of one session: its log, tables, settings and ids, and the reply that is open. It is passive: it starts
// nothing by itself. What acts on the session's replies is `ReplyControl`.
import type { IdPrefix } from "../../protocol/ids.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { ActiveReply } from "../reply/active-reply.ts";
import type { Outbox } from "../reply/outbox.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { Subscribers } from "../streams/subscribers.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import type { StoredMessage } from "../tables/stored-message.ts";
import type { SessionTenant } from "../tenant/session-tenant.ts";

export interface SessionRecord {
  readonly settings: SessionSettings;
  /** What the next reply begins with: `settings.init`. */
  readonly init: SessionInit;
  readonly tables: SessionTables;
  readonly log: SessionLog;
  readonly outbox: Outbox;
  readonly subscribers: Subscribers;
  readonly tenant: SessionTenant;
  /** A new id, larger than every one that the session has given. Bound: it may be passed on by itself. */
  readonly newId: <Prefix extends IdPrefix>(prefix: Prefix) => `${Prefix}_${string}`;
  /** The reply that runs or waits, or whose end is not on disk yet. */
  readonly active: ActiveReply | null;
  /** The reply that runs or waits. */
  readonly openReply: ActiveReply | null;
  readonly isRunning: boolean;
  /** Whether a reply runs, or the next one of the queue is about to. */
  readonly isActing: boolean;
  /** A caller knows that D1 lists the session, though its timer does not yet. */
  isListed: boolean;
  /** Resolves when what was written before is on disk. */
  readonly sync: () => Promise<void>;
  /** All that `write` writes, or nothing of it. */
  readonly transaction: <Value>(write: () => Value) => Value;
  /** A message of the conversation, the one that is being made, or one that waits for its turn. */
  readonly findMessage: (id: string) => Pick<StoredMessage, "message" | "reply_id"> | null;
}
