import type { AgentState } from "../../protocol/sessions/session-state.ts";

/** Members of AgentScope's `AgentState` that say an ability's state in a form which other platforms know. */
export interface AgentStateParts {
  readonly tool_context?: Partial<AgentState["tool_context"]>;
  readonly tasks_context?: Partial<AgentState["tasks_context"]>;
}

/** The same members of an imported state, of any JSON. */
export type GivenStateParts = {
  readonly [Name in keyof AgentStateParts]-?: Readonly<Record<string, unknown>>;
};
