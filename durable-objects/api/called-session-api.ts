// The acts by which a calling session and the sessions of the agents that it calls speak with each other. Types only; the
// acts are in `acts/called-sessions.ts`.
import type { WrittenEvent } from "../../agent/json/complete-answer.ts";
import type { SubagentAnswer } from "../../agent/agents/subagent-answer.ts";
import type { InputMessage } from "../../protocol/replies/contract.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import type { Result } from "../../protocol/errors.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { EventReceipt } from "../../protocol/events/contract.ts";
import type { ReplyStatus } from "../../protocol/replies/contract.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { Actor, Idempotency, Once, SessionApi } from "./session-api.ts";

export interface StartCalled {
  /** With an id: what is repeated finds the reply that it began. */
  readonly message: InputMessage;
  /** Binds the end user for whom the caller works; left out for all others. */
  readonly share?: EndUserShareChange;
}

export interface ReadCalledEvents {
  /** The message with which the agent's reply began. */
  readonly message_id: string;
  readonly after: number;
  /** Bytes of open results that were copied before, by the ids of their calls. */
  readonly results: Readonly<Record<string, number>>;
}

/** A part of a called session's log, as its caller's log has it. */
export interface CalledEvents {
  readonly status: ReplyStatus;
  readonly agent_name: string;
  readonly events: readonly LoggedEvent[];
  /** The position behind the last event that was read, also of those that are left out. */
  readonly cursor: number;
  readonly results: Readonly<Record<string, number>>;
  /** There is more on disk. */
  readonly has_more: boolean;
}

/** The caller's answer to news of an agent. Null while the call waits for it, and of callers of older releases. */
export type CallerNote = { readonly is_over: true } | null;

interface PostEventOptions {
  readonly actor: Actor;
  readonly trace?: TraceContext | undefined;
  readonly idempotency?: Idempotency | undefined;
}

/** Of the session of a called agent, for its caller. */
export interface CalledApi extends Pick<SessionApi, "create" | "listed" | "remove"> {
  act(
    name: "startCalled",
    payload: StartCalled,
    options: { readonly trace?: TraceContext },
  ): Promise<Result<null>>;
  /** Of the reply that began with this message. */
  act(
    name: "readCalled",
    payload: { readonly message_id: string },
  ): Promise<Result<SubagentAnswer>>;
  /** New events on disk of the reply that began with this message, a bounded part of it. */
  act(name: "readCalledEvents", payload: ReadCalledEvents): Promise<Result<CalledEvents>>;
  /** As a request to that session posts it. */
  act(
    name: "postEvent",
    payload: WrittenEvent,
    options: PostEventOptions,
  ): Promise<Once<EventReceipt>>;
  /** The call has ended: what runs is interrupted, and nothing begins for it any more. */
  act(name: "stopCalled"): Promise<Result<null>>;
}

/** Of the calling session, for those that it has called. */
export interface CallerApi {
  /** Something has changed there: the caller looks. */
  act(name: "noteCalled", payload: { readonly tool_call_id: string }): Promise<Result<CallerNote>>;
  /** There are new events there: the caller copies them. */
  act(
    name: "noteCalledEvents",
    payload: { readonly tool_call_id: string },
  ): Promise<Result<CallerNote>>;
}
