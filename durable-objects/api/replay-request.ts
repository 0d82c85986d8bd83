// The internal request for a replay, which the Worker has validated. A request with a body: a definition has no place in
// an address.
import type { ReplayCreate } from "../../protocol/replay/contract.ts";
import type { PinnedSkills } from "../../protocol/skills/skill.ts";
import type { TraceContext } from "../../protocol/trace-context.ts";
import type { AgentSnapshot } from "../../storage/agents/agent-snapshot.ts";

export interface ReplayRequest extends Pick<
  ReplayCreate,
  "from_reply_id" | "max_replies" | "assume" | "stream"
> {
  readonly replay_id: string;
  readonly agent_id: string;
  /** Null for a definition that is not stored. */
  readonly version: number | null;
  /** The definition, with the secrets that it names. */
  readonly agent: Omit<AgentSnapshot, "version">;
  /** The versions that the definition's skills have now; left out by an older Worker. */
  readonly skills?: PinnedSkills;
  /** The origin of the platform's own addresses. */
  readonly origin: string;
  readonly trace?: TraceContext;
}

export const REPLAY_URL = "https://session/replay";
