import type {
  Session,
  SessionCreateSchema,
  SessionListQuery,
  SessionSummary,
  SessionUpdate,
} from "../protocol/api/sessions.ts";
import type { RequestOptions } from "./api-request.ts";
import type { InputOf } from "./input-of.ts";
import type { ListQuery, Paged } from "./paged.ts";
import { SessionHandle } from "./session-handle.ts";
import type { Transport } from "./transport.ts";

export type SessionListFilter = Omit<SessionListQuery, "limit" | "page"> & ListQuery;

export class Sessions {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Opens a session, and gives the handle that speaks with it. */
  async create(
    session: InputOf<typeof SessionCreateSchema>,
    options?: RequestOptions,
  ): Promise<SessionHandle> {
    const created = await this.#transport.create<Session>(["sessions"], session, options);
    return new SessionHandle(this.#transport, created.id);
  }

  /** Newest first. */
  list(filter?: SessionListFilter, options?: RequestOptions): Paged<SessionSummary> {
    return this.#transport.list(["sessions"], { ...filter }, options);
  }

  get(id: string, options?: RequestOptions): Promise<Session> {
    return this.#transport.get(["sessions", id], options);
  }

  /** What is left out stays as it is; another version of the agent takes effect with the next reply. */
  update(id: string, changes: SessionUpdate, options?: RequestOptions): Promise<Session> {
    return this.#transport.update(["sessions", id], changes, options);
  }

  /** Stops what runs and erases the session. */
  async delete(id: string, options?: RequestOptions): Promise<void> {
    await this.#transport.delete(["sessions", id], options);
  }
}
