import type { TenantDecision, TenantDecisionListQuery } from "../../protocol/decisions/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";

export type DecisionFilter = Omit<TenantDecisionListQuery, "limit" | "page"> & ListQuery;

/** Permission decisions of all sessions: questions, refusals and answers. */
export interface Decisions {
  /** Newest first. With a filter a page may be empty and still have a next one. */
  list(filter?: DecisionFilter, options?: RequestOptions): Paged<TenantDecision>;
}

export function decisionsOf(transport: Transport): Decisions {
  return { list: (filter, options) => transport.list(["decisions"], filter, options) };
}
