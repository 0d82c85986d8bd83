import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { findTwins, readSchemas } from "../../../scripts/find-twins.ts";

const SCHEMAS = new Map([
  ["PlanSchema", ["id", "name", "subtasks"]],
  ["ModeSchema", []],
]);

function twinsOf(source: string): readonly string[] {
  return findTwins(new Map([["agent/plans/plan.ts", source]]), SCHEMAS);
}

describe("an interface", () => {
  it("with the name of a schema is a twin of it", () => {
    expect(twinsOf("export interface Mode {\n  readonly is_open: boolean;\n}\n")).toEqual([
      "agent/plans/plan.ts: Mode has the name of ModeSchema",
    ]);
  });

  it("with the members of a schema is a twin of it, in any order", () => {
    const source =
      "export interface Draft {\n  readonly subtasks: readonly string[];\n  id?: string;\n  /** Its name. */\n  readonly name: string;\n}\n";

    expect(twinsOf(source)).toEqual(["agent/plans/plan.ts: Draft has the members of PlanSchema"]);
  });

  it.each([
    ["that extends what zod infers", "export interface Plan extends Frozen<Inferred> {}\n"],
    ["with a type parameter", "export interface Plan<Item> {\n  readonly id: Item;\n}\n"],
    [
      "with other members",
      "export interface Step {\n  readonly id: string;\n  readonly name: string;\n}\n",
    ],
    ["that is not exported", "interface Plan {\n  readonly id: string;\n}\n"],
  ])("%s is no twin", (_, source) => {
    expect(twinsOf(source)).toEqual([]);
  });
});

it("the schemas of a file are found with the members of objects", async () => {
  // Below the repository, where zod is found.
  const folder = mkdtempSync(join(import.meta.dirname, "schemas-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    join(folder, "shapes.ts"),
    'import * as z from "zod";\nexport const ASchema = z.object({ a: z.string(), b: z.string() });\nexport const BSchema = z.enum(["b"]);\n',
  );
  writeFileSync(join(folder, "other.ts"), "export const CSchema = {};\n");

  expect(await readSchemas(`${folder}/`, ["shapes.ts", "other.ts"])).toEqual(
    new Map([
      ["ASchema", ["a", "b"]],
      ["BSchema", []],
    ]),
  );
});
