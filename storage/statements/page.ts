// Pagination. A page token encodes the sort key of the page's last row, in most lists its id. Clients must treat it as
// opaque.
import type { Page } from "../../protocol/schemas/common.ts";
import type { IdPrefix } from "../../protocol/ids.ts";
import { isId } from "../../protocol/ids.ts";

export interface ListRequest {
  /** Rows with ids below this one; undefined starts with the newest. */
  readonly before?: string;
  /** Maximum number of rows on the page. */
  readonly limit: number;
}

/**
 * Makes a page from the rows of a query with `limit + 1`: the extra row only shows that there is a next page.
 * @param keyOf The sort key of the last row, which the next page's token encodes; its id by default.
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

/** Decodes a page token to the id that it encodes; null for an invalid token. */
export function decodePageToken(prefix: IdPrefix, token: string): string | null {
  const id = decodeToken(token);
  return id !== null && isId(prefix, id) ? id : null;
}

/** Decodes a page token to the positive integer that it encodes; null for an invalid token. */
export function decodeNumberToken(token: string): number | null {
  const text = decodeToken(token);
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

/** Decodes a page token to its key, one character per byte; null for invalid base64. */
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
