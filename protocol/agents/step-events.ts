// Steps of an agent in code on the wire: what it has done is in the log, and is not done again after a crash.

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
