// What a session's object offers to the Worker: RPC methods that answer with unions, because a thrown
// class loses its identity on the way, and one `fetch` for streams. Types only; routes import nothing else.
import type { AgentDefinition } from "../protocol/api/agents.ts";
import type { Page } from "../protocol/api/common.ts";
import type { InputMessage, InterruptResult, Reply } from "../protocol/api/replies.ts";
import type { AgentVersionChoice, Session } from "../protocol/api/sessions.ts";
import type { ContentBlock } from "../protocol/blocks.ts";
import type { Result } from "../protocol/errors.ts";
import type { LoggedEvent } from "../protocol/events.ts";
import type { Msg } from "../protocol/messages.ts";
import type { JsonSchema } from "../protocol/structured-output.ts";
import type { TraceContext } from "../protocol/trace-context.ts";
import type { AgentSnapshot } from "../storage/agent-snapshot.ts";
import type { SealedSecret, WrappedKey } from "../storage/credential-cipher.ts";

/** Everything the object must know of the outside; pinned at creation, so that a reply never needs D1. */
export interface SessionInit {
  readonly session_id: string;
  readonly tenant_id: string;
  readonly agent_id: string;
  readonly agent_version: number;
  readonly agent: AgentDefinition;
  /** Each reply begins with the agent's newest version (`readAgentSnapshot`). */
  readonly follows_latest?: boolean;
  /** The secrets that `agent` names, by credential id; `openPinnedCredentials` opens them. */
  readonly credentials?: Readonly<Record<string, SealedSecret>>;
  /** The tenant's key that they are sealed with; left out when there are none. */
  readonly tenant_key?: WrappedKey;
  readonly end_user_id: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly created_at: string;
}

/** A change of the session; what is left out stays. A version takes effect with the next reply. */
export interface SessionPatch {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly agent_version?: AgentVersionChoice;
  /** That version, whenever `agent_version` is a number. */
  readonly snapshot?: AgentSnapshot;
}

export interface ReplyStart {
  readonly input: string | InputMessage | readonly ContentBlock[] | readonly InputMessage[];
  readonly on_busy: "reject" | "interrupt";
  /** What the reply has to fill in: the agent's `structured_output` when left out, nothing when null. */
  readonly structured_schema?: JsonSchema | null;
  /** Goes with what the reply sends out while this object lives; the log does not keep it. */
  readonly trace?: TraceContext;
}

export interface PageRequest {
  /** A `next_page` of this list, or undefined for its first page. */
  readonly page?: string;
  readonly limit: number;
}

export type MessagesPage = Page<Msg> & { readonly cursor: number };
export type EventsPage = Page<LoggedEvent> & {
  /** The position after this page: give it as `after`. */
  readonly cursor: number;
};

export interface EventsRequest {
  /** Events above this seq. */
  readonly after: number;
  readonly limit: number;
  readonly reply_id?: string;
}

/**
 * `fetch("https://session/stream?after=&reply_id=&follow=session")` answers 200 with SSE, 204 at the end of a
 * log in which nothing runs, or a refusal: JSON of `Refusal` with the header of {@link REFUSAL_HEADER}.
 */
export interface SessionApi {
  /** Idempotent for the same init. */
  create(init: SessionInit): Promise<Result<Session>>;
  read(): Promise<Result<Session>>;
  update(patch: SessionPatch): Promise<Result<Session>>;
  /** Stops what runs and erases all that the object holds; a later call is `not_found`. */
  remove(): Promise<Result<null>>;
  /** Resolves when `REPLY_START` is durable; the reply then runs whoever listens. */
  startReply(start: ReplyStart): Promise<Result<Reply>>;
  /** @param waitMs How long to wait for the reply to end or park; 0 answers at once. */
  readReply(replyId: string, waitMs: number): Promise<Result<Reply>>;
  /** Newest first. */
  listReplies(request: PageRequest): Promise<Result<Page<Reply>>>;
  /** Resolves when `REPLY_END` is durable. */
  interrupt(): Promise<Result<InterruptResult>>;
  /** The newest page first; inside a page the oldest message first. */
  listMessages(request: PageRequest): Promise<Result<MessagesPage>>;
  readMessage(messageId: string): Promise<Result<{ message: Msg; cursor: number }>>;
  listEvents(request: EventsRequest): Promise<Result<EventsPage>>;
}

export const REFUSAL_HEADER = "x-reprise-refusal";
export const STREAM_URL = "https://session/stream";

/** The name of a session's object: tenant and session together, so another tenant's id finds nothing. */
export function sessionObjectName(tenantId: string, sessionId: string): string {
  return `${tenantId}:${sessionId}`;
}
