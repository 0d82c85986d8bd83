import { expect, test } from "vitest";

import { mergeFirstPage } from "../../../console/components/merge-first-page.ts";

interface Row {
  readonly id: string;
  readonly status: string;
}

const row = (text: string): Row => ({ id: text.charAt(0), status: text.slice(1) });
/** @param next The token behind the page; "" for the last one. */
const page = (rows: string, next: string) => ({
  data: rows.split(" ").filter(Boolean).map(row),
  has_more: next !== "",
  next_page: next || null,
});
const keyOf = ({ id }: Row) => id;

function show(merged: ReturnType<typeof mergeFirstPage<Row>>) {
  const pages = merged.pages.map(({ data, next_page }) => [
    data.map(({ id, status }) => id + status).join(" "),
    next_page ?? "",
  ]);
  return { pages, hidden: merged.hidden };
}

test("new rows come first, states change, and what is known behind the first page stays", () => {
  const shown = [page("d c", "c"), page("b a", "")];
  const merge = (first: ReturnType<typeof page>, of = shown) =>
    show(mergeFirstPage(of, first, { keyOf, isHeld: false }));

  expect({
    changed: merge(page("d! c", "c")),
    added: merge(page("e d", "d")),
    gone: merge(page("c b", "b")),
    whole: merge(page("d c!", "")),
    allNew: merge(page("z y", "y")),
    empty: merge(page("", "")),
    fromEmpty: merge(page("a", ""), [page("", "")]),
    onlyFirst: merge(page("e d", "d"), [page("d c", "c")]),
  }).toEqual({
    changed: { pages: [["d! c b a", ""]], hidden: 0 },
    added: { pages: [["e d c b a", ""]], hidden: 0 },
    gone: { pages: [["c b a", ""]], hidden: 0 },
    whole: { pages: [["d c!", ""]], hidden: 0 },
    allNew: { pages: [["z y", "y"]], hidden: 0 },
    empty: { pages: [["", ""]], hidden: 0 },
    fromEmpty: { pages: [["a", ""]], hidden: 0 },
    onlyFirst: { pages: [["e d c", "c"]], hidden: 0 },
  });
});

test("while a person points at the list no row moves, and new ones are counted", () => {
  const merged = mergeFirstPage([page("d c", "c"), page("b a", "")], page("f e d! b!", "b"), {
    keyOf,
    isHeld: true,
  });

  expect(show(merged)).toEqual({
    pages: [
      ["d! c", "c"],
      ["b! a", ""],
    ],
    hidden: 2,
  });
});

test("pages without a fresh row are not made anew while a person reads there", () => {
  const shown = [page("d c", "c"), page("b a", "")];
  const { pages } = mergeFirstPage(shown, page("d! c", "c"), { keyOf, isHeld: true });

  expect(pages[0]?.data[0]).toEqual(row("d!"));
  expect(pages[1]).toBe(shown[1]);
});
