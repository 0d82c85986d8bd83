import type {
  Agent,
  AgentCreateSchema,
  AgentUpdateSchema,
  AgentVersion,
} from "../../protocol/api/agents.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { collection, type Collection } from "./collection.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";

/** Agents. An update creates a new version, unless it changes nothing. */
export interface Agents extends Collection<
  Agent,
  InputOf<typeof AgentCreateSchema>,
  Agent,
  InputOf<typeof AgentUpdateSchema>
> {
  /** The agent's versions, newest first. */
  versions(id: string, query?: ListQuery, options?: RequestOptions): Paged<AgentVersion>;
  version(id: string, version: number, options?: RequestOptions): Promise<AgentVersion>;
}

export function agentsOf(transport: Transport): Agents {
  return {
    ...collection(transport, "agents"),
    versions: (id, query, options) => transport.list(["agents", id, "versions"], query, options),
    version: (id, version, options) =>
      transport.get(["agents", id, "versions", `${version}`], options),
  };
}
