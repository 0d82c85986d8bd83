// The CRUD calls that the resources share, implemented once to keep bundles small.
import type { RequestOptions } from "../transport/api-request.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { deleteAt, postTo, updateAt } from "../transport/write-requests.ts";

export interface Collection<
  Item,
  Body extends object = never,
  Created = Item,
  Changes extends object = never,
  Filter extends ListQuery = ListQuery,
> {
  create(body: Body, options?: RequestOptions): Promise<Created>;
  list(query?: Filter, options?: RequestOptions): Paged<Item>;
  get(id: string, options?: RequestOptions): Promise<Item>;
  /** Members that are left out stay unchanged. */
  update(id: string, changes: Changes, options?: RequestOptions): Promise<Item>;
  delete(id: string, options?: RequestOptions): Promise<void>;
}

/**
 * The collection at this path. Resources with secrets override `create`; the caller's type leaves out routes that the
 * platform lacks.
 */
export function collection<
  Item,
  Body extends object = never,
  Created = Item,
  Changes extends object = never,
  Filter extends ListQuery = ListQuery,
>(
  transport: Transport,
  ...path: readonly string[]
): Collection<Item, Body, Created, Changes, Filter> {
  return {
    create: (body, options) => postTo(transport, path, body, options),
    list: (query, options) => transport.list(path, query, options),
    get: (id, options) => transport.get([...path, id], options),
    update: (id, changes, options) => updateAt(transport, [...path, id], changes, options),
    delete: async (id, options) => {
      await deleteAt(transport, [...path, id], options);
    },
  };
}
