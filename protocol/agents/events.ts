// Events about an agent's version and about the steps of an agent in code.

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
