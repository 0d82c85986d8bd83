// Events about an agent's version, about the steps of an agent in code, and about agents that a reply has called.

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
