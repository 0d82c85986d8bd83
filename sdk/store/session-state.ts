// The part of a session that a user interface shows: the types of the store's state.
import type { PendingCall } from "../../protocol/replies/contract.ts";
import type { ToolProgress } from "../../protocol/tools/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { ApiError } from "../transport/api-error.ts";
import type { ConnectionError } from "../transport/connection-error.ts";

/**
 * - `loading`: the conversation is being read for the first time.
 * - `idle`: no reply runs.
 * - `running`: a reply runs, or a message is on its way to start one.
 * - `waiting`: the reply needs an answer to one of the `pendingCalls`, its own or a called agent's, and nothing else runs.
 * - `reconnecting`: the connection is lost; what is shown may be old. Replies go on meanwhile.
 * - `offline`: the same, and the device says that it has no network.
 * - `error`: reading has ended with `error`; `reload()` begins again.
 */
export type SessionViewStatus =
  | "loading"
  | "idle"
  | "running"
  | "waiting"
  | "reconnecting"
  | "offline"
  | "error";

export type SessionError = ApiError | ConnectionError;

/** A call that waits for a person's decision (`kind: "permission"`) or for a result (`"external_result"`). */
export interface SessionCall extends PendingCall {
  readonly reply_id: string;
  /** The call's input, parsed; null when it is no JSON object. Edit a copy and give it to `confirm`. */
  readonly input: Readonly<Record<string, unknown>> | null;
  /** An answer by this store is on its way. */
  readonly isAnswering: boolean;
  /** Why the platform refused this store's last answer; the call still waits. */
  readonly error: SessionError | null;
}

/** `running` and `waiting` while it is at work; `interrupted` also when the call that it worked for has ended before it. */
export type CalledAgentStatus = "running" | "waiting" | NonNullable<Msg["finished_reason"]>;

/** An agent that the newest reply has called, or that such an agent has. */
export interface CalledAgent {
  readonly sessionId: string;
  readonly agentId: string;
  readonly name: string;
  /** The session that has called it: the store's own, or that of another called agent. */
  readonly parentSessionId: string;
  /** The call there that it works for. */
  readonly toolCallId: string;
  /** `waiting`: it needs an answer to one of its `pendingCalls`, or what it has called does. */
  readonly status: CalledAgentStatus;
  /** The words and calls of the agent, its tools' results shortened; null before it begins. */
  readonly message: Msg | null;
  /** Whether `message` lacks what came later: it was too much, and is in the agent's own session alone. */
  readonly isOmitted: boolean;
  /** Its calls that wait: `confirm`, `deny` and `submitResult` of the store take them as those of its own. */
  readonly pendingCalls: readonly SessionCall[];
}

/** A message of this store that the conversation does not have yet. It is also the end of `messages`. */
export interface OutgoingMessage {
  /** The message's id, by which the platform recognises it when it is sent again. */
  readonly id: string;
  readonly message: Msg;
  /** `queued`: the platform has it, and its reply begins after others. `failed`: see `error`, then `retry` or `discard`. */
  readonly state: "uploading" | "sending" | "queued" | "failed";
  readonly error: SessionError | null;
}

/** Immutable: each change makes a new object, in which what did not change is the same as before. */
export interface SessionState {
  readonly status: SessionViewStatus;
  /** Oldest first. A message that did not change keeps its identity; only the running reply's changes. */
  readonly messages: readonly Msg[];
  /** Whether `loadOlder` would find messages before these. */
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  readonly outgoing: readonly OutgoingMessage[];
  readonly pendingCalls: readonly SessionCall[];
  /** The agents that the newest reply has called, and those that these have, in the order in which they began. */
  readonly calledAgents: readonly CalledAgent[];
  /** The last progress of calls that run, by the call's id; only what came while this was open. */
  readonly progress: ReadonlyMap<string, ToolProgress>;
  /** The reply that runs or waits. Its message has this id. */
  readonly replyId: string | null;
  /** Replies that wait for their turn, in order: those that were queued when the session was read, and this store's. */
  readonly queuedReplyIds: readonly string[];
  /** Why reading has ended; null in every other status. */
  readonly error: SessionError | null;
}
