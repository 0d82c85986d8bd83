import type {
  Session,
  SessionCreateSchema,
  SessionListQuery,
  SessionPage,
  SessionSummary,
  SessionUpdateSchema,
  WrittenSession,
} from "../../protocol/sessions/contract.ts";
import type { SessionSearch, SessionSearchUpdateSchema } from "../../protocol/search/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import { collection, type Collection } from "../resources/collection.ts";
import { withWarnings } from "../resources/with-warnings.ts";
import { strictly, type WriteOptions } from "../resources/write-options.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import { TenantSession, type CreatedSession } from "./tenant-session.ts";
import type { Transport } from "../transport/transport.ts";
import { postTo, updateAt } from "../transport/write-requests.ts";

export type SessionListFilter = Omit<SessionListQuery, "limit" | "page"> & ListQuery;

const SEARCH_PATH = ["session-search"];

/** Sessions. A change of the agent version takes effect with the next reply. A deletion stops a running reply. */
export interface Sessions extends Omit<
  Collection<Session, never, Session, InputOf<typeof SessionUpdateSchema>>,
  "create" | "list" | "update"
> {
  /** Creates a session and returns its handle, with `warnings` about rules and tools that say nothing. */
  create(
    session: InputOf<typeof SessionCreateSchema>,
    options?: WriteOptions,
  ): Promise<CreatedSession>;
  /**
   * Members that are left out stay unchanged. The answer has `warnings` about tools that say nothing, and about rules that
   * another version or other tools leave without a call.
   */
  update(
    id: string,
    changes: InputOf<typeof SessionUpdateSchema>,
    options?: WriteOptions,
  ): Promise<WrittenSession>;
  /** Newest first. With `search`, those that have all of its words in their title or first message. */
  list(filter?: SessionListFilter, options?: RequestOptions): Paged<SessionSummary, SessionPage>;
  /** The setting of the search, and the size of its index. */
  getSearch(options?: RequestOptions): Promise<SessionSearch>;
  /** Off erases the index. */
  updateSearch(
    changes: InputOf<typeof SessionSearchUpdateSchema>,
    options?: RequestOptions,
  ): Promise<SessionSearch>;
}

export function sessionsOf(transport: Transport): Sessions {
  return {
    ...collection<Session, object, Session, object>(transport, "sessions"),
    list: (filter, options) => transport.list(["sessions"], filter, options),
    getSearch: (options) => transport.get(SEARCH_PATH, options),
    updateSearch: (changes, options) => updateAt(transport, SEARCH_PATH, changes, options),
    create: async (session, options) => {
      const made = await postTo<WrittenSession>(
        transport,
        ["sessions"],
        session,
        strictly(options),
      );
      return withWarnings(new TenantSession(transport, made.id), made);
    },
    update: (id, changes, options) =>
      updateAt(transport, ["sessions", id], changes, strictly(options)),
  };
}
