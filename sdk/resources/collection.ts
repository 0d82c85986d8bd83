// The calls that the resources of the API share: made once, so that a resource costs an app a name and a path.
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
  /** What is left out stays as it is. */
  update(id: string, changes: Changes, options?: RequestOptions): Promise<Item>;
  delete(id: string, options?: RequestOptions): Promise<void>;
}

/** The collection at this path; one whose items have secrets brings its own `create`. Routes that the platform lacks are the caller's to leave out of its type. */
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
