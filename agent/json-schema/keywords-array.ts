// Keywords of arrays.
import { canonicalJson } from "./canonical-json.ts";
import type { Keyword } from "./keyword.ts";
import { listOf, numberOf } from "./keyword-values.ts";
import type { Visit } from "./visit.ts";

type List = readonly unknown[];

export const KEYWORDS_OF_ARRAYS: ReadonlyMap<string, Keyword<List>> = new Map<
  string,
  Keyword<List>
>([
  [
    "minItems",
    (visit, value) => {
      const least = numberOf(visit, "minItems");
      if (value.length < least) visit.fail(() => `has ${value.length} items, and needs ${least}`);
    },
  ],
  [
    "maxItems",
    (visit, value) => {
      const most = numberOf(visit, "maxItems");
      if (value.length > most) visit.fail(() => `has ${value.length} items, and may have ${most}`);
    },
  ],
  ["prefixItems", checkItems],
  [
    "items",
    (visit, value) => {
      if (!Object.hasOwn(visit.schema, "prefixItems")) checkItems(visit, value);
    },
  ],
  ["contains", checkContains],
  ["uniqueItems", checkUnique],
]);

/** Before draft 2020-12 `items` could be a list, with `additionalItems` for the rest. */
function checkItems(visit: Visit, value: List): void {
  const { schema } = visit;
  const isOld = Array.isArray(schema["items"]);
  const first = Object.hasOwn(schema, "prefixItems") ? "prefixItems" : isOld ? "items" : null;
  const prefix = first === null ? [] : listOf(visit, first);
  const rest = isOld ? "additionalItems" : "items";
  const hasRest = Object.hasOwn(schema, rest);
  for (const [index, item] of value.entries()) {
    visit.spend(1);
    if (index >= prefix.length && !hasRest) break;
    visit.mustFitWithin(index < prefix.length ? prefix[index] : schema[rest], item, index);
    visit.markEvaluated(index);
  }
}

function checkContains(visit: Visit, value: List): void {
  const { schema } = visit;
  const least = Object.hasOwn(schema, "minContains") ? numberOf(visit, "minContains") : 1;
  const most = Object.hasOwn(schema, "maxContains") ? numberOf(visit, "maxContains") : Infinity;
  let count = 0;
  for (const [index, item] of value.entries()) {
    visit.spend(1);
    if (visit.checkWithin(schema["contains"], item, index).problems.length > 0) continue;
    count += 1;
    visit.markEvaluated(index);
  }
  if (count < least) visit.fail(() => `has ${count} items of the kind that it needs ${least} of`);
  if (count > most) visit.fail(() => `has ${count} items of a kind that it may have ${most} of`);
}

function checkUnique(visit: Visit, value: List): void {
  if (visit.schema["uniqueItems"] !== true) return;
  const places = new Map<string, number>();
  for (const [index, item] of value.entries()) {
    const key = canonicalJson(item, visit.checker.budget);
    const before = places.get(key);
    if (before !== undefined)
      return visit.fail(() => `has the same item at ${before} and ${index}`);
    places.set(key, index);
  }
}

/** Checked last: elements that other keywords have evaluated do not count. */
export function checkUnevaluatedItems(visit: Visit, value: List): void {
  for (const [index, item] of value.entries()) {
    visit.spend(1);
    if (visit.evaluated.has(index)) continue;
    visit.mustFitWithin(visit.schema["unevaluatedItems"], item, index);
    visit.markEvaluated(index);
  }
}
