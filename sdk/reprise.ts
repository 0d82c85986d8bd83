import { Agents } from "./agents.ts";
import { ApiKeys } from "./api-keys.ts";
import { readOptions, type RepriseOptions } from "./client-options.ts";
import { SessionHandle } from "./session-handle.ts";
import { Sessions } from "./sessions.ts";
import { Tenants } from "./tenants.ts";
import { Transport } from "./transport.ts";

/** A client of one platform with one credential. Making it sends nothing. */
export class Reprise {
  readonly tenants: Tenants;
  readonly apiKeys: ApiKeys;
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
    this.agents = new Agents(this.#transport);
    this.sessions = new Sessions(this.#transport);
  }

  /** The handle of a session that exists. Sends nothing. */
  session(id: string): SessionHandle {
    return new SessionHandle(this.#transport, id);
  }
}
