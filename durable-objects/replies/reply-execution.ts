// One execution of a reply: the time in which this object runs it.
import type { EventLog, NewId } from "../../agent/ports.ts";
import type { TenantQuota } from "../../agent/tenant-quota.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import type { SecretSource } from "../../outgoing/secret-source.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { SessionInit } from "../api/session-api.ts";
import type { SessionCompression } from "../context/session-compression.ts";
import type { SessionSettings } from "../settings/session-settings.ts";
import type { BackgroundCalls } from "../../tools/background/background-calls.ts";
import type { ActiveReply } from "./active-reply.ts";
import type { ReplyLogContext } from "./reply-log.ts";
import type { SpokenReplies } from "./spoken-replies.ts";

export interface ReplyExecutionContext extends ReplyLogContext {
  readonly settings: SessionSettings;
  readonly newId: NewId;
  readonly compression: SessionCompression;
  /** By which its tools let calls go. */
  readonly backgroundCalls: BackgroundCalls;
  readonly spoken: SpokenReplies;
  /** The tenant's quota, as the loop asks it for a reply. */
  readonly quotaOf: (reply: ActiveReply) => TenantQuota;
  /** `local` allows http:// to loopback. */
  readonly env: Env;
  /** The trace of the request that started the reply or answered it. */
  readonly trace?: TraceContext;
  /** Whether the agent's credentials may be used; pending while the history is read. */
  readonly isConfirmed: Promise<boolean>;
  /** The reply continues after its last execution was lost. */
  readonly isRestart?: boolean;
}

/** An execution whose ports are being opened. */
export interface ReplyExecution {
  readonly context: ReplyExecutionContext;
  readonly reply: ActiveReply;
  /** The settings that the reply began with. */
  readonly init: SessionInit;
  /** The reply's own log, bound to this execution. */
  readonly log: EventLog;
  /** Aborted when another execution, or an end, takes the reply over. */
  readonly stop: AbortSignal;
}

/** The way out of the requests of an execution. */
export interface ReplyNetwork {
  readonly outgoing: OutgoingFetch;
  /** The agent's secrets, each for the hosts that it may be sent to. */
  readonly secrets: SecretSource;
}
