// The notice that a session has another version of its agent, because the one that it kept was retired.

/** The `name` of the `CUSTOM` event; its value is {@link AgentVersionChangedValue}. */
export const AGENT_VERSION_CHANGED = "agent_version_changed";

export interface AgentVersionChangedValue {
  /** The retired version. */
  readonly from: number;
  /** The one that the reply behind this event begins with. */
  readonly to: number;
}
