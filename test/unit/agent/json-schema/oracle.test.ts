// Another validator of JSON Schema is the oracle, where it comes to an end.
import { Validator, type Schema } from "@cfworker/json-schema";
import fc from "fast-check";
import { expect, it } from "vitest";

import { findMisfit } from "../../../../agent/json-schema/find-misfit.ts";
import type { JsonSchema } from "../../../../protocol/schemas/structured-output.ts";
import { runs } from "../../../support/breadth.ts";

const name = fc.constantFrom("a", "b", "c");
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, 1, 2, 2.5, -3, "", "a", "ab", "abc", "2026-01-31"),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

/** As text, since an object with `then` can be taken for a promise. */
function conditional([condition, then, otherwise]: readonly unknown[]): string {
  const [first, second, third] = [condition, then, otherwise].map((each) => JSON.stringify(each));
  return `{"if": ${first}, "then": ${second}, "else": ${third}}`;
}

const schema = fc.letrec<{ schema: unknown; keywords: object }>((tie) => ({
  keywords: fc
    .array(
      fc.oneof(
        fc.record({
          type: fc.constantFrom(
            "object",
            "array",
            "string",
            "integer",
            "number",
            "boolean",
            "null",
          ),
        }),
        fc.record({ type: fc.constant(["string", "array", "null"]) }),
        fc.record({ enum: fc.array(value, { minLength: 1, maxLength: 3 }) }),
        fc.record({ const: value }),
        fc.record({ minimum: fc.integer({ min: -3, max: 3 }), exclusiveMaximum: fc.constant(2) }),
        fc.record({ multipleOf: fc.constantFrom(1, 2, 0.5) }),
        fc.record({ minLength: fc.nat(2), maxLength: fc.nat(3) }),
        fc.record({ pattern: fc.constantFrom("^a", "b$", "^(a|ab)+c?$", "[bc]", "\\d{4}") }),
        fc.record({ format: fc.constantFrom("date", "email", "made-up") }),
        fc.record({ minItems: fc.nat(2), maxItems: fc.nat(3) }),
        fc.record({ uniqueItems: fc.constant(true) }),
        fc.record({ items: tie("schema") }),
        fc.record({ prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
        fc.record({ contains: tie("schema"), minContains: fc.integer({ min: 1, max: 2 }) }),
        fc.record({ required: fc.uniqueArray(name, { maxLength: 2 }) }),
        fc.record({ minProperties: fc.nat(2), maxProperties: fc.nat(3) }),
        fc.record({ properties: fc.dictionary(name, tie("schema"), { noNullPrototype: true }) }),
        fc.record({ additionalProperties: tie("schema") }),
        fc.record({
          patternProperties: fc.dictionary(fc.constantFrom("^a", "b|c"), tie("schema"), {
            noNullPrototype: true,
          }),
        }),
        fc.record({ propertyNames: tie("schema") }),
        fc.record({ dependentRequired: fc.constant({ a: ["b"] }) }),
        fc.record({ dependentSchemas: fc.record({ a: tie("schema") }) }),
        fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
        fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
        fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
        fc.record({ not: tie("schema") }),
        fc
          .tuple(tie("schema"), tie("schema"), tie("schema"))
          .map((branches) => JSON.parse(conditional(branches)) as object),
        fc.record({ $ref: fc.constantFrom("#/$defs/deeper", "#/$defs/a~1b%20c") }),
      ),
      { maxLength: 3 },
    )
    .map((parts) => Object.assign({}, ...parts) as object),
  schema: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.boolean(), tie("keywords")),
})).keywords;

/** The second leads back to the whole, of what a value holds. */
const document = fc.tuple(schema, schema).map(([root, definition]) => ({
  ...root,
  $defs: {
    "a/b c": { type: ["string", "object"] },
    deeper: { items: { $ref: "#" }, properties: { a: { $ref: "#" } } },
    own: definition,
  },
}));

it("a value fits a schema for another validator just where it fits here", () => {
  fc.assert(
    fc.property(document, fc.array(value, { minLength: 1, maxLength: 4 }), (drawn, values) => {
      const root = JSON.parse(JSON.stringify(drawn)) as JsonSchema;
      const oracle = new Validator(structuredClone(root) as Schema, "2020-12", false);

      const own = values.map((each) => findMisfit(each, root, { schemaName: "it" }) === null);
      expect(own).toEqual(values.map((each) => oracle.validate(each).valid));
    }),
    { numRuns: runs(1_000) },
  );
});
