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
 * nobody would lose the row under the pointer. What is known behind the first page stays.
 */
export function mergeFirstPage<Row>(
  shown: readonly Page<Row>[],
  first: Page<Row>,
  { keyOf, isHeld }: MergeOptions<Row>,
): MergedRows<Row> {
  const known = shown.flatMap(({ data }) => data);
  const fresh = new Map(first.data.map((row) => [keyOf(row), row]));
  if (isHeld) {
    const keys = new Set(known.map(keyOf));
    const pages = shown.map((page) => {
      return { ...page, data: page.data.map((row) => fresh.get(keyOf(row)) ?? row) };
    });
    return { pages, hidden: first.data.filter((row) => !keys.has(keyOf(row))).length };
  }
  const last = first.data.at(-1);
  const end = last === undefined ? -1 : known.findIndex((row) => keyOf(row) === keyOf(last));
  // The page behind it is not known, where all of the first page is new.
  if (first.next_page === null || end === -1) return { pages: [first], hidden: 0 };
  const behind = known.slice(end + 1).filter((row) => !fresh.has(keyOf(row)));
  const next = behind.length > 0 ? shown.at(-1) : undefined;
  const { has_more, next_page } = next ?? first;
  return { pages: [{ data: [...first.data, ...behind], has_more, next_page }], hidden: 0 };
}
