// Keywords of objects.
import type { Keyword } from "./keyword.ts";
import { listOf, membersOf, numberOf } from "./keyword-values.ts";
import { quote } from "./quote.ts";
import type { Fields, Visit } from "./visit.ts";
import { isJsonObject } from "../../protocol/json-object.ts";

export const KEYWORDS_OF_OBJECTS: ReadonlyMap<string, Keyword<Fields>> = new Map<
  string,
  Keyword<Fields>
>([
  [
    "required",
    (visit, value) => {
      checkRequired(visit, value, listOf(visit, "required"));
    },
  ],
  [
    "minProperties",
    (visit, value) => {
      const least = numberOf(visit, "minProperties");
      if (countNames(visit, value) < least) visit.fail(() => `has fewer than ${least} properties`);
    },
  ],
  [
    "maxProperties",
    (visit, value) => {
      const most = numberOf(visit, "maxProperties");
      if (countNames(visit, value) > most) visit.fail(() => `has more than ${most} properties`);
    },
  ],
  [
    "propertyNames",
    (visit, value) => {
      for (const name of Object.keys(value)) {
        visit.mustFitWithin(visit.schema["propertyNames"], name, name);
      }
    },
  ],
  [
    "dependentRequired",
    (visit, value) => {
      for (const [name, names] of presentOf(visit, "dependentRequired", value)) {
        if (Array.isArray(names)) checkRequired(visit, value, names as unknown[], name);
      }
    },
  ],
  [
    "dependentSchemas",
    (visit, value) => {
      for (const [, schema] of presentOf(visit, "dependentSchemas", value)) {
        visit.mustFit(schema, value);
      }
    },
  ],
  [
    "dependencies",
    (visit, value) => {
      for (const [name, needed] of presentOf(visit, "dependencies", value)) {
        if (Array.isArray(needed)) checkRequired(visit, value, needed as unknown[], name);
        else visit.mustFit(needed, value);
      }
    },
  ],
  ["properties", checkMembers],
  ["patternProperties", (visit, value) => onlyWithout(visit, value, ["properties"])],
  [
    "additionalProperties",
    (visit, value) => onlyWithout(visit, value, ["properties", "patternProperties"]),
  ],
]);

function onlyWithout(visit: Visit, value: Fields, keywords: readonly string[]): void {
  if (!keywords.some((keyword) => Object.hasOwn(visit.schema, keyword))) checkMembers(visit, value);
}

/**
 * `properties`, `patternProperties` and `additionalProperties` together: the last applies to members that the others
 * leave.
 */
function checkMembers(visit: Visit, value: Fields): void {
  const { schema } = visit;
  const properties = Object.hasOwn(schema, "properties") ? membersOf(visit, "properties") : {};
  const patterns = Object.hasOwn(schema, "patternProperties")
    ? Object.entries(membersOf(visit, "patternProperties"))
    : [];
  const hasRest = Object.hasOwn(schema, "additionalProperties");
  for (const name of Object.keys(value)) {
    visit.spend(1 + patterns.length);
    const member = value[name];
    let isKnown = Object.hasOwn(properties, name);
    if (isKnown) visit.mustFitWithin(properties[name], member, name);
    for (const [pattern, own] of patterns) {
      if (!visit.checker.finds(pattern, name)) continue;
      isKnown = true;
      visit.mustFitWithin(own, member, name);
    }
    if (!isKnown && hasRest) visit.mustFitWithin(schema["additionalProperties"], member, name);
    if (isKnown || hasRest) visit.markEvaluated(name);
  }
}

/** Checked last: members that other keywords have evaluated do not count. */
export function checkUnevaluatedProperties(visit: Visit, value: Fields): void {
  for (const name of Object.keys(value)) {
    visit.spend(1);
    if (visit.evaluated.has(name)) continue;
    visit.mustFitWithin(visit.schema["unevaluatedProperties"], value[name], name);
    visit.markEvaluated(name);
  }
}

function checkRequired(
  visit: Visit,
  value: Fields,
  names: readonly unknown[],
  because?: string,
): void {
  visit.spend(names.length);
  for (const name of names) {
    if (Object.hasOwn(value, String(name))) continue;
    const reason = because === undefined ? "" : `, which ${quote(because)} needs`;
    visit.fail(() => `lacks the property ${quote(String(name))}${reason}`);
  }
}

/** The entries of a keyword whose names are members of the value. */
function presentOf(visit: Visit, keyword: string, value: Fields): readonly [string, unknown][] {
  const members = Object.entries(membersOf(visit, keyword));
  visit.spend(members.length);
  return members.filter(([name]) => isJsonObject(value) && Object.hasOwn(value, name));
}

function countNames(visit: Visit, value: Fields): number {
  const { length } = Object.keys(value);
  visit.spend(length / 4);
  return length;
}
