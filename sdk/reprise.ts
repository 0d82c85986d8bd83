import type { UsageRow } from "../protocol/api/usage.ts";
import { Agents } from "./agents.ts";
import { ApiKeys } from "./api-keys.ts";
import { Credentials } from "./credentials.ts";
import type { RequestOptions } from "./api-request.ts";
import { readOptions, type RepriseOptions } from "./client-options.ts";
import type { ListQuery, Paged } from "./paged.ts";
import { SessionHandle } from "./session-handle.ts";
import { Sessions } from "./sessions.ts";
import { Tenants } from "./tenants.ts";
import { Transport } from "./transport.ts";

export interface UsageFilter extends ListQuery {
  /** The first and the last day, as `2026-11-21` in UTC. */
  readonly from?: string;
  readonly to?: string;
  /** `day`, `agent`, `model` or several of them with commas between. */
  readonly group_by?: string;
}

/** A client of one platform with one credential. Making it sends nothing. */
export class Reprise {
  readonly tenants: Tenants;
  readonly apiKeys: ApiKeys;
  readonly credentials: Credentials;
  readonly agents: Agents;
  readonly sessions: Sessions;
  readonly #transport: Transport;

  /** @throws {TypeError} when the credential or the address is missing. */
  constructor(options: RepriseOptions) {
    // An app's own `fetch` is believed until an answer of it has no body.
    const canStream = options.fetch !== undefined || "body" in globalThis.Response.prototype;
    this.#transport = new Transport(readOptions(options), canStream);
    this.tenants = new Tenants(this.#transport);
    this.apiKeys = new ApiKeys(this.#transport);
    this.credentials = new Credentials(this.#transport);
    this.agents = new Agents(this.#transport);
    this.sessions = new Sessions(this.#transport);
  }

  /** What the tenant's replies have used, summed; the last 30 days by day and agent when nothing is said. */
  usage(query?: UsageFilter, options?: RequestOptions): Paged<UsageRow> {
    return this.#transport.list(["usage"], { ...query }, options);
  }

  /** The handle of a session that exists. Sends nothing. */
  session(id: string): SessionHandle {
    return new SessionHandle(this.#transport, id);
  }
}
