import type {
  Agent,
  AgentCreateSchema,
  AgentUpdateSchema,
  AgentVersion,
} from "../protocol/api/agents.ts";
import type { RequestOptions } from "./api-request.ts";
import type { InputOf } from "./input-of.ts";
import type { ListQuery, Paged } from "./paged.ts";
import type { Transport } from "./transport.ts";

export class Agents {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(agent: InputOf<typeof AgentCreateSchema>, options?: RequestOptions): Promise<Agent> {
    return this.#transport.create(["agents"], agent, options);
  }

  list(query?: ListQuery, options?: RequestOptions): Paged<Agent> {
    return this.#transport.list(["agents"], { ...query }, options);
  }

  get(id: string, options?: RequestOptions): Promise<Agent> {
    return this.#transport.get(["agents", id], options);
  }

  /** Makes a new version; what is left out stays as it is, and no change makes none. */
  update(
    id: string,
    changes: InputOf<typeof AgentUpdateSchema>,
    options?: RequestOptions,
  ): Promise<Agent> {
    return this.#transport.update(["agents", id], changes, options);
  }

  /** What the agent was at each of its versions, the newest first. */
  versions(id: string, query?: ListQuery, options?: RequestOptions): Paged<AgentVersion> {
    return this.#transport.list(["agents", id, "versions"], { ...query }, options);
  }

  version(id: string, version: number, options?: RequestOptions): Promise<AgentVersion> {
    return this.#transport.get(["agents", id, "versions", String(version)], options);
  }

  async delete(id: string, options?: RequestOptions): Promise<void> {
    await this.#transport.delete(["agents", id], options);
  }
}
