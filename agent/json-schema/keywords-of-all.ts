// Keywords that apply to values of every type.
import { asDouble } from "../exact-number.ts";
import type { Keyword } from "./keyword.ts";
import { listOf, textOf } from "./keyword-values.ts";
import { shorten } from "./quote.ts";
import type { Verdict, Visit } from "./visit.ts";

/** A verdict that is kept while other branches are checked. */
const BRANCH_STEPS = 16;

export const KEYWORDS_OF_ALL: ReadonlyMap<string, Keyword<unknown>> = new Map<
  string,
  Keyword<unknown>
>([
  ["$ref", (visit, value) => visit.mustFitReferred(textOf(visit, "$ref"), value)],
  ["$recursiveRef", (visit, value) => visit.mustFitReferred("#", value)],
  ["type", checkType],
  ["const", checkConst],
  ["enum", checkEnum],
  [
    "allOf",
    (visit, value) => {
      for (const schema of listOf(visit, "allOf")) visit.mustFit(schema, value);
    },
  ],
  ["anyOf", checkAnyOf],
  ["oneOf", checkOneOf],
  [
    "not",
    (visit, value) => {
      if (isFit(visit.check(visit.schema["not"], value)))
        visit.fail(() => "fits what it may not fit");
    },
  ],
  ["if", checkIf],
]);

function isFit({ problems }: Verdict): boolean {
  return problems.length === 0;
}

function checkType(visit: Visit, value: unknown): void {
  const { type } = visit.schema;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  visit.spend(types.length);
  const double = asDouble(value);
  const actual = typeOf(double);
  const fits = types.some(
    (each) => each === actual || (each === "integer" && Number.isInteger(double)),
  );
  if (!fits)
    visit.fail(() => `has to be of type ${shorten(types.join(" or "))}, and is of type ${actual}`);
}

function typeOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function checkConst(visit: Visit, value: unknown): void {
  if (visit.checker.isListed(visit.schema, "const", value)) return;
  visit.fail(() => `has to be ${shorten(JSON.stringify(visit.schema["const"]))}`);
}

function checkEnum(visit: Visit, value: unknown): void {
  const values = listOf(visit, "enum");
  if (visit.checker.isListed(visit.schema, "enum", value)) return;
  visit.fail(() => `has to be one of ${shorten(JSON.stringify(values))}`);
}

function askAll(visit: Visit, keyword: "anyOf" | "oneOf", value: unknown): readonly Verdict[] {
  const schemas = listOf(visit, keyword);
  visit.spend(BRANCH_STEPS * schemas.length);
  return schemas.map((schema) => visit.check(schema, value));
}

/** Every branch is checked, since each one that fits may evaluate other members. */
function checkAnyOf(visit: Visit, value: unknown): void {
  const verdicts = askAll(visit, "anyOf", value);
  if (!verdicts.some(isFit)) return visit.reportAll(verdicts);
  for (const verdict of verdicts) visit.addEvaluated(verdict);
}

function checkOneOf(visit: Visit, value: unknown): void {
  const verdicts = askAll(visit, "oneOf", value);
  const fitting = verdicts.filter(isFit);
  if (fitting.length === 0) return visit.reportAll(verdicts);
  if (fitting.length > 1) {
    visit.fail(() => `may fit only one of the schemas in oneOf, and fits ${fitting.length}`);
  }
  for (const verdict of fitting) visit.addEvaluated(verdict);
}

function checkIf(visit: Visit, value: unknown): void {
  const condition = visit.check(visit.schema["if"], value);
  visit.addEvaluated(condition);
  const branch = isFit(condition) ? "then" : "else";
  if (Object.hasOwn(visit.schema, branch)) visit.mustFit(visit.schema[branch], value);
}
