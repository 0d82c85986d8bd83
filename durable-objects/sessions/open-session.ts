// An open session as acts and readers get it: log, tables, settings, ids, the open reply, and the queue and runner that act
// on its replies.
import type { IdPrefix } from "../../protocol/ids.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { BackgroundCalls } from "../../tools/background/background-calls.ts";
import type { BackgroundTasks } from "../background/background-tasks.ts";
import type { SessionCompression } from "../context/session-compression.ts";
import type { Recorder } from "../recording/recorder.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { ActiveReply } from "../replies/active-reply.ts";
import type { CurrentReply } from "../replies/current-reply.ts";
import type { Outbox } from "../replies/outbox.ts";
import type { ReplyQueue } from "../replies/reply-queue.ts";
import type { ReplyRunner } from "../replies/reply-runner.ts";
import type { SpokenReplies } from "../replies/spoken-replies.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { Subscribers } from "../streams/subscribers.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import type { ObserveHooks } from "./observe-hooks.ts";
import type { ReplyFollowers } from "./reply-followers.ts";
import type { PlacedMessage } from "../tables/stored-message.ts";
import type { SessionTenant } from "../tenants/session-tenant.ts";

export interface OpenSession {
  readonly settings: SessionSettings;
  /** The settings of the next reply: `settings.init`. */
  readonly init: SessionInit;
  readonly tables: SessionTables;
  readonly log: SessionLog;
  readonly outbox: Outbox;
  readonly subscribers: Subscribers;
  readonly tenant: SessionTenant;
  readonly compression: SessionCompression;
  readonly recording: Recorder;
  readonly observeHooks: ObserveHooks;
  /** Calls that were let go. */
  readonly background: BackgroundTasks;
  readonly backgroundCalls: BackgroundCalls;
  readonly spoken: SpokenReplies;
  readonly followers: ReplyFollowers;
  /** Begins replies. */
  readonly queue: ReplyQueue;
  /** Runs, interrupts and answers the open reply. */
  readonly runner: ReplyRunner;
  readonly current: CurrentReply;
  /** A new id, greater than every earlier one of the session. Bound: it may be passed as a function. */
  readonly newId: <Prefix extends IdPrefix>(prefix: Prefix) => `${Prefix}_${string}`;
  /** The reply that runs or waits, or whose end is not on disk yet. */
  readonly active: ActiveReply | null;
  /** The reply that runs or waits. */
  readonly openReply: ActiveReply | null;
  readonly isRunning: boolean;
  /** Whether a reply runs, or the next one of the queue is about to. */
  readonly isActing: boolean;
  /** A request has said that D1 lists the session; the timer that checks it may still be set. */
  isListed: boolean;
  /** Resolves when what was written before is on disk. */
  readonly sync: () => Promise<void>;
  /** Runs `write` in one transaction. */
  readonly transaction: <Value>(write: () => Value) => Value;
  /** A message of the conversation, of the open reply, or of a queued reply. */
  readonly findMessage: (id: string) => Pick<PlacedMessage, "message" | "reply_id"> | null;
}
