// A page of a store's memories: the newest first, or those that a search finds.
import type { MemoryApi, StoreCall } from "../../durable-objects/api/memory-api.ts";
import { MemoryQuerySchema, type Memory } from "../../protocol/memory/contract.ts";
import { MAX_RETRIEVED } from "../../protocol/memory/limits.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { decodePageToken } from "../../storage/statements/page.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError, unwrap } from "../http-error.ts";
import { badPageToken, readQuery } from "../requests/read-query.ts";

/** A store with its object. */
export interface PlacedStore {
  readonly id: string;
  readonly stub: MemoryApi;
  readonly call: StoreCall;
}

export async function findMemories(
  context: AppContext,
  { stub, call }: Omit<PlacedStore, "id">,
): Promise<Page<Memory> & { readonly note: string | null }> {
  const { page, limit, search, path } = readQuery(context, MemoryQuerySchema);
  if (search === undefined) {
    const before = page === undefined ? undefined : decodePageToken("mem", page);
    if (before === null) throw badPageToken();
    return { ...(await stub.list({ before, path, limit })), note: null };
  }
  for (const [name, value] of Object.entries({ page, path })) {
    if (value === undefined) continue;
    const detail = `a search gives the best memories at once: ${name} and search exclude each other`;
    throw fieldError("validation_failed", `#/query/${name}`, detail);
  }
  const most = Math.min(limit, MAX_RETRIEVED);
  const found = unwrap(await stub.search({ ...call, texts: [search], limit: most }));
  return { data: found.memories, has_more: false, next_page: null, note: found.note };
}

export function etagOf({ version }: Pick<Memory, "version">): string {
  return `"${version}"`;
}
