import type { Agent, AgentCreateSchema, AgentUpdateSchema } from "../protocol/api/agents.ts";
import { apiPath, type RequestOptions } from "./api-request.ts";
import type { InputOf } from "./input-of.ts";
import { listPages, type ListQuery } from "./list-pages.ts";
import type { Paged } from "./paged.ts";
import type { Transport } from "./transport.ts";

export class Agents {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(agent: InputOf<typeof AgentCreateSchema>, options?: RequestOptions): Promise<Agent> {
    return this.#transport.call(
      { method: "POST", path: apiPath("agents"), body: agent, ...options },
      { repeat: "when_refused" },
    );
  }

  list(query?: ListQuery, options?: RequestOptions): Paged<Agent> {
    return listPages(this.#transport, apiPath("agents"), query, options);
  }

  get(id: string, options?: RequestOptions): Promise<Agent> {
    return this.#transport.call(
      { method: "GET", path: apiPath("agents", id), ...options },
      { repeat: "always" },
    );
  }

  /** Makes a new version; what is left out stays as it is, and no change makes none. */
  update(
    id: string,
    changes: InputOf<typeof AgentUpdateSchema>,
    options?: RequestOptions,
  ): Promise<Agent> {
    return this.#transport.call(
      { method: "PATCH", path: apiPath("agents", id), body: changes, ...options },
      { repeat: "always" },
    );
  }

  async delete(id: string, options?: RequestOptions): Promise<void> {
    await this.#transport.call(
      { method: "DELETE", path: apiPath("agents", id), ...options },
      { repeat: "always" },
    );
  }
}
