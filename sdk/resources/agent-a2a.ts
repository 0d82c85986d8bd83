import type { A2aTaskListSchema } from "../../protocol/a2a/contract.ts";
import type { RemoteAgentList } from "../../protocol/agents/remote-agents.ts";
import type { A2aCard, A2aTask, A2aTaskState } from "../../protocol/a2a/wire.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { Transport } from "../transport/transport.ts";

interface AgentTaskQuery {
  readonly contextId?: string;
  readonly status?: A2aTaskState;
  /** Tasks whose status is from then or later, RFC 3339. */
  readonly statusTimestampAfter?: string;
  /** 100 at most, and 50 when left out. */
  readonly pageSize?: number;
  /** `nextPageToken` of the page before. */
  readonly pageToken?: string;
}

/** Its `nextPageToken` is empty on the last page. */
interface AgentTasks extends Omit<InputOf<typeof A2aTaskListSchema>, "tasks"> {
  readonly tasks: readonly A2aTask[];
}

/** Agents as servers of A2A, and the agents of other systems that they have; the methods of a client are those of a client of A2A, such as `@a2a-js/sdk`. */
export interface AgentA2a {
  /**
   * The card by which clients find the agent.
   *
   * @throws {ApiError} with status 404 where the agent's `a2a` is not enabled.
   */
  card(agentId: string, options?: RequestOptions): Promise<A2aCard>;
  /** A page of the agent's tasks of the last 30 days, without their outputs, the newest status first. */
  tasks(agentId: string, query?: AgentTaskQuery, options?: RequestOptions): Promise<AgentTasks>;
  /** The agents of other systems that give its replies or are called by it, with their cards as they are now. */
  remotes(agentId: string, options?: RequestOptions): Promise<RemoteAgentList>;
}

const VERSION = { "A2A-Version": "1.0" } as const;

export function agentA2a(transport: Transport): AgentA2a {
  return {
    card: (id, options) =>
      transport.get(["agents", id, "a2a", ".well-known", "agent-card.json"], options),
    tasks: (id, query = {}, options) =>
      transport.get(["agents", id, "a2a", "tasks"], options, { ...query, ...VERSION }),
    remotes: (id, options) => transport.get(["agents", id, "remote-agents"], options),
  };
}
