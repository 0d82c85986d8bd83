// Takes a page of items of very different sizes: at most as many as asked for, and at most so many bytes.
import { MAX_PAGE_BYTES } from "../../protocol/requests/limits.ts";

export interface Sized<Item> {
  readonly item: Item;
  readonly bytes: number;
}

/** Takes items while they fit, and the first one in any case; reads one more to know whether more follow. */
export function takePage<Item>(
  items: Iterable<Sized<Item>>,
  limit: number,
): { data: Item[]; hasMore: boolean } {
  const data: Item[] = [];
  let size = 0;
  for (const { item, bytes } of items) {
    size += bytes;
    if (data.length === limit || (size > MAX_PAGE_BYTES && data.length > 0)) {
      return { data, hasMore: true };
    }
    data.push(item);
  }
  return { data, hasMore: false };
}
