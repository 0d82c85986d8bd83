// The rows of a list whose first page was read again.
import type { Page } from "../../sdk/index.ts";

export interface MergedRows<Row> {
  readonly pages: readonly Page<Row>[];
  /** New rows that are not shown yet. */
  readonly hidden: number;
}

interface MergeOptions<Row> {
  readonly keyOf: (row: Row) => string;
  /** A person points at the list, or reads further down: no row may move. */
  readonly isHeld: boolean;
}

/**
 * Rows that are shown get their new state where they are. New rows come first and vanished ones go, but only while
 * no pointer or focus is on the list and it is not scrolled. Rows of later pages stay. Pages without a row of the new first
 * page are returned as the same objects, so that a look at a list of 100,000 rows compares one page.
 */
export function mergeFirstPage<Row>(
  shown: readonly Page<Row>[],
  first: Page<Row>,
  { keyOf, isHeld }: MergeOptions<Row>,
): MergedRows<Row> {
  const fresh = new Map(first.data.map((row) => [keyOf(row), row]));
  if (isHeld) {
    const found = new Set<string>();
    const pages = shown.map((page) => {
      const keys = page.data.map(keyOf).filter((key) => fresh.has(key));
      if (keys.length === 0) return page;
      for (const key of keys) found.add(key);
      return { ...page, data: page.data.map((row) => fresh.get(keyOf(row)) ?? row) };
    });
    return { pages, hidden: fresh.size - found.size };
  }
  const known = shown.flatMap(({ data }) => data);
  const last = first.data.at(-1);
  const end = last === undefined ? -1 : known.findIndex((row) => keyOf(row) === keyOf(last));
  // The page behind it is not known, where all of the first page is new.
  if (first.next_page === null || end === -1) return { pages: [first], hidden: 0 };
  const behind = known.slice(end + 1).filter((row) => !fresh.has(keyOf(row)));
  const next = behind.length > 0 ? shown.at(-1) : undefined;
  const { has_more, next_page } = next ?? first;
  return {
    pages: [{ ...first, data: [...first.data, ...behind], has_more, next_page }],
    hidden: 0,
  };
}
