import type { AuditEntry, AuditFilter } from "../../protocol/audit/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { ApiKeyTenant } from "./api-keys.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";

/** The audit log of administrative acts. The operator names the tenant. */
export interface Audit {
  /** Newest first. */
  list(query?: ListQuery & AuditFilter & ApiKeyTenant, options?: RequestOptions): Paged<AuditEntry>;
  /** All matching entries as JSON lines, oldest first, as a response to stream to a file. Not retried. */
  export(query?: AuditFilter & ApiKeyTenant, options?: RequestOptions): Promise<Response>;
}

export function auditOf(transport: Transport): Audit {
  const path = ["audit"];
  return {
    list: (query, options) => transport.list(path, query, options),
    export: async (filter, options) => {
      const query = { ...filter, format: "jsonl" };
      return (await transport.open({ ...options, method: "GET", path, query })).response;
    },
  };
}
