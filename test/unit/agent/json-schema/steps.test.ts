// Steps of a check are counted, so that the same value and schema get the same answer on every machine.
import { describe, expect, it } from "vitest";

import { findMisfit } from "../../../../agent/json-schema/find-misfit.ts";
import { StepBudget } from "../../../../agent/step-budget.ts";
import { MAX_CHECK_STEPS } from "../../../../protocol/schemas/limits.ts";
import { HOSTILE_CHECKS } from "./hostile-checks.ts";

const ROW = {
  type: "object",
  properties: {
    id: { type: "integer", minimum: 0 },
    name: { type: "string", maxLength: 100 },
    email: { type: "string", pattern: "^([a-zA-Z0-9_.+-]+)+@[a-z.]+$" },
    tags: { type: "array", items: { enum: ["new", "paid", "open"] }, uniqueItems: true },
    since: { type: "string", format: "date" },
    parent: { anyOf: [{ type: "null" }, { $ref: "#/$defs/row" }] },
  },
  required: ["id", "name"],
  additionalProperties: false,
};

function check(schema: Record<string, unknown>, value: unknown) {
  const budget = new StepBudget(MAX_CHECK_STEPS);
  const misfit = findMisfit(value, schema, { schemaName: "its schema", budget });
  return { misfit, steps: budget.spent };
}

describe("a check", () => {
  it.each(HOSTILE_CHECKS)("of $name ends at its budget, the same way every time", (hostile) => {
    const spent = {
      misfit: {
        cause: "steps",
        text: `cannot be checked against its schema within ${MAX_CHECK_STEPS} steps`,
      },
      steps: MAX_CHECK_STEPS,
    };

    expect(check(hostile.schema, hostile.value)).toEqual(spent);
    expect(check(hostile.schema, hostile.value)).toEqual(spent);
  });

  it("of what a model can write takes half of its budget at most, and a megabyte fits", () => {
    const rows = Array.from({ length: 8_000 }, (_, id) => ({
      id,
      name: `Customer number ${id}`,
      email: `customer.${id}@shop.example`,
      tags: ["new", "paid"],
      since: "2026-01-31",
      parent: id % 2 === 0 ? null : { id: 0, name: "x" },
    }));
    const schema = { type: "array", items: ROW, $defs: { row: ROW } };
    const some = rows.slice(0, 4_000);

    expect(JSON.stringify(some).length).toBeGreaterThan(500_000);
    expect(check(schema, rows).misfit).toBeNull();
    expect(check(schema, some).misfit).toBeNull();
    expect(check(schema, some).steps).toBeLessThan(MAX_CHECK_STEPS / 2);
  });

  it("by a schema that leads back to itself twice costs no more than the value is deep", () => {
    const inner = () => ({ properties: { a: { $ref: "#/$defs/twice" } } });
    const schema = { $ref: "#/$defs/twice", $defs: { twice: { allOf: [inner(), inner()] } } };
    const nested = (levels: number) =>
      JSON.parse('{"a":'.repeat(levels) + "{}" + "}".repeat(levels)) as object;

    const [shallow, deep] = [check(schema, nested(15)), check(schema, nested(60))];
    expect([shallow.misfit, deep.misfit]).toEqual([null, null]);
    expect(deep.steps).toBeLessThan(4 * shallow.steps);
  });

  it("of a schema that never ends is refused as the schema's fault", () => {
    for (const schema of [
      { $ref: "#" },
      { allOf: [{ anyOf: [{ $ref: "#" }] }] },
      { $ref: "#/$defs/a", $defs: { a: { not: { $ref: "#/$defs/b" } }, b: { $ref: "#/$defs/a" } } },
    ]) {
      for (const value of ["text", {}, []]) {
        expect(check(schema, value).misfit).toEqual({
          cause: "schema",
          text: "cannot be checked, as its schema is not usable: it goes on too deep, or asks for itself of the same value",
        });
      }
    }
  });
});
