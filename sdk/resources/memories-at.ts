import type { FoundMemories, Memory, MemoryUpdate } from "../../protocol/memory/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";

export interface MemoryFilter extends ListQuery {
  /** Finds memories by words; the best at once, and none by page. */
  readonly search?: string;
  /** Memories at this path and below it. */
  readonly path?: string;
}

/** Memories of the session's end user; a client token needs the verb `memory`. */
export interface MemoriesHandle {
  /** Newest first. Of a search a page has a `note` about what was not found or not possible. */
  list(query?: MemoryFilter, options?: RequestOptions): Paged<Memory, FoundMemories>;
  /** With `ifVersion` only that version is corrected, else refused with `version_mismatch`. */
  update(
    id: string,
    change: MemoryUpdate,
    options?: RequestOptions & { readonly ifVersion?: number },
  ): Promise<Memory>;
  /** With all its versions. */
  delete(id: string, options?: RequestOptions): Promise<void>;
}

/** @param path The list of the memories. */
export function memoriesAt(transport: Transport, path: readonly string[]): MemoriesHandle {
  return {
    list: (query, options) => transport.list(path, query, options),
    update: (id, body, options) => {
      // Repeated over a version, it would be refused though it was done.
      const answersOnce = options?.ifVersion !== undefined;
      return transport.call({
        ...options,
        method: "PATCH",
        path: [...path, id],
        body,
        answersOnce,
      });
    },
    delete: (id, options) =>
      transport.call({
        ...options,
        method: "DELETE",
        path: [...path, id],
        isDone: ({ status }) => status === 404,
      }),
  };
}
