// Pages of lists. A token is made of the key of the page's last row; in most lists, which are ordered by id, that is its
// id.
import type { Page } from "../../protocol/api/schemas/common.ts";
import type { IdPrefix } from "../../protocol/ids.ts";
import { isId } from "../../protocol/ids.ts";

export interface ListRequest {
  /** Rows with ids below this one; undefined begins with the newest. */
  readonly before?: string;
  /** Rows on the page at most. */
  readonly limit: number;
}

/**
 * Makes a page of the rows of a query that asked for one more than `limit`: the extra row only tells that
 * there is a next page.
 * @param keyOf What the next page's token stands for, of the last row of this one.
 */
export function toPage<Item>(
  items: readonly Item[],
  limit: number,
  keyOf: (item: Item, index: number) => string,
): Page<Item>;
export function toPage<Item extends { readonly id: string }>(
  items: readonly Item[],
  limit: number,
): Page<Item>;
export function toPage<Item extends { readonly id: string }>(
  items: readonly Item[],
  limit: number,
  keyOf: (item: Item, index: number) => string = (item) => item.id,
): Page<Item> {
  const data = items.slice(0, limit);
  const last = data.at(-1);
  const hasMore = items.length > limit && last !== undefined;
  const nextPage = hasMore ? encodePageToken(keyOf(last, data.length - 1)) : null;
  return { data, has_more: hasMore, next_page: nextPage };
}

/** The id that a `?page=` stands for, or null when this list never gave such a token. */
export function decodePageToken(prefix: IdPrefix, token: string): string | null {
  const id = decodeToken(token);
  return id !== null && isId(prefix, id) ? id : null;
}

/** The whole number that a `?page=` stands for, or null when this list never gave such a token. */
export function decodeNumberToken(token: string): number | null {
  const text = decodeToken(token);
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** What {@link toPage} was given for the token, each character a byte; null for what is no token. */
export function decodeToken(token: string): string | null {
  try {
    return atob(token.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return null;
  }
}

export function encodePageToken(key: string): string {
  return btoa(key).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
