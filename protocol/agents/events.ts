// Events about an agent's version, about the steps of an agent in code, and about agents that a reply has called.
import type { EventOf, LoggedEvent } from "../events.ts";

/** The `name` of the `CUSTOM` event; its value is {@link AgentVersionChangedValue}. */
export const AGENT_VERSION_CHANGED = "agent_version_changed";

export interface AgentVersionChangedValue {
  /** The retired version. */
  readonly from: number;
  /** The one that the reply behind this event begins with. */
  readonly to: number;
}

/** The `name` of the `CUSTOM` event with which a step of an agent in code begins or ends; its value is {@link AgentStepValue}. */
export const AGENT_STEP = "agent_step";

export interface AgentStepValue {
  readonly reply_id: string;
  /** The step's name in the agent's code, unique in the reply. */
  readonly step: string;
  readonly kind: "say" | "call" | "reason" | "run" | "value";
  /** The id of its call or block, the number of completed model calls before it, or the value itself. */
  readonly value?: unknown;
}

/** The `name` of the `CUSTOM` event of a call that an agent works on; its value is {@link SubagentCallValue}. */
export const SUBAGENT_CALL = "subagent_call";

export interface SubagentCallValue {
  readonly reply_id: string;
  readonly tool_call_id: string;
  /** The session that the called agent works in. */
  readonly session_id: string;
  readonly agent_id: string;
  /** False when the agent has ended, and the call continues to its result. */
  readonly waits: boolean;
  /** Tokens of the agent and of those that it has called; 0 while it works. */
  readonly tokens: number;
}

/** Null for an event of another shape. */
export function subagentCallOf(value: Readonly<Record<string, unknown>>): SubagentCallValue | null {
  const { reply_id, tool_call_id, session_id, agent_id, waits, tokens } = value;
  return typeof reply_id === "string" &&
    typeof tool_call_id === "string" &&
    typeof session_id === "string" &&
    typeof agent_id === "string" &&
    typeof waits === "boolean" &&
    typeof tokens === "number"
    ? { reply_id, tool_call_id, session_id, agent_id, waits, tokens }
    : null;
}

/** The `name` of the `CUSTOM` event with a batch of a called agent's events; its value is {@link SubagentEventValue}. */
export const SUBAGENT_EVENT = "subagent_event";

export interface SubagentEventValue {
  /** The reply of this log. */
  readonly reply_id: string;
  /** The call that opened `session_id`: one of the session `parent_session_id`. */
  readonly tool_call_id: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly agent_name: string;
  /** This log's session, or the called one between: an agent hands on what those that it has called tell. */
  readonly parent_session_id: string;
  /**
   * Events of the called session in its order, with its ids, times and seqs: without thinking and model calls, with results
   * that are cut. No `CUSTOM` event of a batch is among them.
   */
  readonly events: readonly LoggedEvent[];
  /** Set from the size on that one session may add: only starts, ends and questions follow. */
  readonly omitted?: true;
}

/** Null for an event of another shape; its events are not checked one by one. */
export function subagentEventOf(
  value: Readonly<Record<string, unknown>>,
): SubagentEventValue | null {
  const { reply_id, tool_call_id, session_id, agent_id, agent_name, parent_session_id } = value;
  const { events, omitted } = value;
  return typeof reply_id === "string" &&
    typeof tool_call_id === "string" &&
    typeof session_id === "string" &&
    typeof agent_id === "string" &&
    typeof agent_name === "string" &&
    typeof parent_session_id === "string" &&
    Array.isArray(events)
    ? {
        reply_id,
        tool_call_id,
        session_id,
        agent_id,
        agent_name,
        parent_session_id,
        events: events as readonly LoggedEvent[],
        ...(omitted === true && { omitted }),
      }
    : null;
}

/** The `name` of the `CUSTOM` event of a called agent's question; its value is {@link SubagentRequireUserConfirmValue}. */
export const SUBAGENT_REQUIRE_USER_CONFIRM = "subagent_require_user_confirm";

/** A question as AgentScope tells it of a worker, with the call that it is under. */
export interface SubagentRequireUserConfirmValue {
  readonly worker_session_id: string;
  readonly worker_agent_id: string;
  readonly worker_agent_name: string;
  /** The worker's reply, which an answer names. */
  readonly reply_id: string;
  readonly event_type: "require_user_confirm" | "require_external_execution";
  /** The whole of it, as the worker's log has it. */
  readonly event: EventOf<"REQUIRE_USER_CONFIRM"> | EventOf<"REQUIRE_EXTERNAL_EXECUTION">;
  readonly created_at: string;
  /** The call of this log's reply under which the worker is, at any depth. */
  readonly tool_call_id: string;
}

/** Null for an event of another shape. */
export function subagentRequireUserConfirmOf(
  value: Readonly<Record<string, unknown>>,
): SubagentRequireUserConfirmValue | null {
  const { worker_session_id, worker_agent_id, worker_agent_name, reply_id } = value;
  const { event_type, event, created_at, tool_call_id } = value;
  return typeof worker_session_id === "string" &&
    typeof worker_agent_id === "string" &&
    typeof worker_agent_name === "string" &&
    typeof reply_id === "string" &&
    (event_type === "require_user_confirm" || event_type === "require_external_execution") &&
    typeof event === "object" &&
    event !== null &&
    typeof created_at === "string" &&
    typeof tool_call_id === "string"
    ? {
        worker_session_id,
        worker_agent_id,
        worker_agent_name,
        reply_id,
        event_type,
        event: event as SubagentRequireUserConfirmValue["event"],
        created_at,
        tool_call_id,
      }
    : null;
}

/** The `name` of the `CUSTOM` event of calls that wait no more; its value is {@link SubagentUserConfirmResultValue}. */
export const SUBAGENT_USER_CONFIRM_RESULT = "subagent_user_confirm_result";

/** Calls of a worker that were answered, have expired, or were cancelled with what has called it. */
export interface SubagentUserConfirmResultValue {
  readonly worker_session_id: string;
  /** The worker's reply. */
  readonly reply_id: string;
  readonly tool_call_ids: readonly string[];
  /** The call of this log's reply under which the worker is. */
  readonly tool_call_id: string;
}

/** Null for an event of another shape. */
export function subagentUserConfirmResultOf(
  value: Readonly<Record<string, unknown>>,
): SubagentUserConfirmResultValue | null {
  const { worker_session_id, reply_id, tool_call_ids, tool_call_id } = value;
  return typeof worker_session_id === "string" &&
    typeof reply_id === "string" &&
    Array.isArray(tool_call_ids) &&
    tool_call_ids.every((id) => typeof id === "string") &&
    typeof tool_call_id === "string"
    ? { worker_session_id, reply_id, tool_call_ids, tool_call_id }
    : null;
}

const COPIES: ReadonlySet<string> = new Set([
  SUBAGENT_EVENT,
  SUBAGENT_REQUIRE_USER_CONFIRM,
  SUBAGENT_USER_CONFIRM_RESULT,
]);

/** Whether a `CUSTOM` event of this name tells something of a called agent's session. */
export function isSubagentCopy(name: string): boolean {
  return COPIES.has(name);
}
