import type { Connection, ConnectionListQuery } from "../../../protocol/mcp/connections.ts";
import type { RequestOptions } from "../../transport/api-request.ts";
import type { ListQuery, Paged } from "../../transport/paged.ts";
import type { Transport } from "../../transport/transport.ts";
import { postTo } from "../../transport/write-requests.ts";
import { collection } from "../collection.ts";

interface ConnectionFilter
  extends ListQuery, Pick<ConnectionListQuery, "mcp_server_id" | "end_user_id" | "status"> {}

/** Grants at MCP servers, of the tenant or of its end users. Never their tokens. */
export interface Connections {
  list(query?: ConnectionFilter, options?: RequestOptions): Paged<Connection>;
  get(id: string, options?: RequestOptions): Promise<Connection>;
  /** @param code As the page at the end of the sign-in shows it. */
  complete(id: string, code: string, options?: RequestOptions): Promise<Connection>;
  /** Revokes it, at its issuer too as far as that can be done. */
  delete(id: string, options?: RequestOptions): Promise<void>;
}

export function connectionsOf(transport: Transport): Connections {
  const path = "connections";
  return {
    ...collection<Connection, never, Connection, never, ConnectionFilter>(transport, path),
    complete: (id, code, options) => postTo(transport, [path, id, "complete"], { code }, options),
  };
}
