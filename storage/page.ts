// Pages of lists that are ordered by id, newest first. A token is the last id of the page before it.
import type { Page } from "../protocol/api/common.ts";
import type { IdPrefix } from "../protocol/ids.ts";
import { isId } from "../protocol/ids.ts";

export interface ListRequest {
  /** Rows with ids below this one; undefined begins with the newest. */
  readonly before?: string;
  /** Rows on the page at most. */
  readonly limit: number;
}

/**
 * Makes a page of the rows of a query that asked for one more than `limit`: the extra row only tells that
 * there is a next page.
 */
export function toPage<Item extends { readonly id: string }>(
  items: readonly Item[],
  limit: number,
): Page<Item> {
  const data = items.slice(0, limit);
  const last = data.at(-1);
  const hasMore = items.length > limit && last !== undefined;
  return { data, has_more: hasMore, next_page: hasMore ? encodePageToken(last.id) : null };
}

/** The id that a `?page=` stands for, or null when this list never gave such a token. */
export function decodePageToken(prefix: IdPrefix, token: string): string | null {
  try {
    const id = atob(token.replaceAll("-", "+").replaceAll("_", "/"));
    return isId(prefix, id) ? id : null;
  } catch {
    return null;
  }
}

function encodePageToken(id: string): string {
  return btoa(id).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
