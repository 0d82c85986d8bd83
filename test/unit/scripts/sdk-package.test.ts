// The package that `npm run build:sdk` writes, and the gate `package of the SDK`, which finds what it is there for.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";

import { findStrays } from "../../../scripts/sdk/check-sdk.ts";
import { findTypeDifferences } from "../../../scripts/sdk/find-type-differences.ts";
import { readImport, splitStatements } from "../../../scripts/sdk/module-statements.ts";
import { printSchemaType, type Side } from "../../../scripts/sdk/print-schema-type.ts";

const ROOT = join(import.meta.dirname, "../../..");
const NamedSchema = z.object({ a: z.string() });

function print(schema: z.ZodType, side: Side): string {
  const text = printSchemaType(schema, {
    side,
    isFrozen: false,
    nameOf: (inner) => (inner === NamedSchema ? "Named" : null),
    useJson: () => undefined,
    commentOf: (member) => (member === "told" ? "/** Why. */\n" : ""),
  });
  return text.replaceAll("\n", " ");
}

describe("a schema's type", () => {
  it.each([
    ["texts of any format", z.url(), "string", "string"],
    ["literals", z.literal(["a", 1, null]), '"a" | 1 | null', '"a" | 1 | null'],
    ["enums", z.enum(["a", "b"]), '"a" | "b"', '"a" | "b"'],
    [
      "lists of unions",
      z.array(z.string().nullable()),
      "Array<string | null>",
      "Array<string | null>",
    ],
    [
      "records of JSON",
      z.record(z.string(), z.json()),
      "Record<string, JsonValue>",
      "Record<string, JsonValue>",
    ],
    ["what is coerced", z.coerce.number(), "unknown", "number"],
    [
      "members with a default",
      z.object({ a: z.string().default("") }),
      "{ a?: string | undefined; }",
      "{ a: string; }",
    ],
    [
      "members that may be left out",
      z.object({ a: z.boolean().optional() }),
      "{ a?: boolean | undefined; }",
      "{ a?: boolean | undefined; }",
    ],
    [
      "members with a comment",
      z.strictObject({ told: z.int() }),
      "{ /** Why. */ told: number; }",
      "{ /** Why. */ told: number; }",
    ],
    [
      "loose objects",
      z.looseObject({ "a-b": z.null() }),
      '{ "a-b": null; [key: string]: unknown; }',
      '{ "a-b": null; [key: string]: unknown; }',
    ],
    ["schemas with a name", z.object({ a: NamedSchema }), "{ a: Named; }", "{ a: Named; }"],
  ] as const)("is printed for %s", (_what, schema, input, output) => {
    expect([print(schema, "input"), print(schema, "output")]).toEqual([input, output]);
  });

  it("is refused where it is not known at run time", () => {
    expect(() => print(z.string().transform(Number), "output")).toThrow(
      "the type of a schema of the kind transform is not printed",
    );
  });
});

describe("a module's statements", () => {
  it("come with their doc comments, and without other comments", () => {
    const source = `// About.
import * as z from "zod";

/** A number. */
export const ASchema = z.object({
  // Inside.
  a: z.number(),
});
// Between.
export type A = z.infer<typeof ASchema>;
`;

    expect(splitStatements(source)).toEqual([
      { comment: "", text: 'import * as z from "zod";' },
      {
        comment: "/** A number. */\n",
        text: "export const ASchema = z.object({\n  // Inside.\n  a: z.number(),\n});",
      },
      { comment: "", text: "export type A = z.infer<typeof ASchema>;" },
    ]);
    expect(readImport('import { a, type B } from "./c.ts";')).toEqual({
      names: ["a", "B"],
      from: "./c.ts",
    });
    expect(readImport("export interface A {}")).toBeNull();
  });
});

describe("the gate of the SDK's package", () => {
  it("takes imports inside the package, and the peer in its entry", () => {
    const modules = new Map([
      ["index.js", 'import { a } from "./chunks/a.js"; load(import("./chunks/a.js"));'],
      ["chunks/a.js", 'export { b } from "../ag-ui.js";'],
      ["ag-ui.js", 'import { HttpAgent } from "@ag-ui/client";'],
      ["index.d.ts", 'import { A } from "./chunks/a.js";'],
      ["chunks/a.d.ts", "export interface A {}"],
    ]);

    expect(findStrays(modules)).toEqual([]);
  });

  it.each([
    ["index.js", 'import { z } from "hono";', "index.js imports hono"],
    ["index.js", 'import "./gone.js";', "index.js imports ./gone.js"],
    ["index.js", 'load(import("../protocol/a.ts"))', "index.js imports ../protocol/a.ts"],
    ["index.js", 'export { a } from "node:fs";', "index.js imports node:fs"],
    [
      "index.d.ts",
      'import { A } from "./index.js";\nimport("./a.js")',
      "index.d.ts imports ./a.js",
    ],
    ["index.js", 'import { HttpAgent } from "@ag-ui/client";', "index.js imports @ag-ui/client"],
    ["store.js", 'import { useMemo } from "react";', "store.js imports react"],
    ["react.js", 'import { HttpAgent } from "@ag-ui/client";', "react.js imports @ag-ui/client"],
    ["index.d.ts", "type A = ZodObject;", "index.d.ts names zod"],
  ])("finds in %s: %s", (name, text, problem) => {
    expect(findStrays(new Map([[name, text]]))).toEqual([problem]);
  });

  it("lets an entry import its own peer", () => {
    const modules = [
      ["react.js", 'import { useMemo } from "react";'],
      ["ag-ui.d.ts", 'import { HttpAgent } from "@ag-ui/client";'],
    ] as const;

    expect(findStrays(new Map(modules))).toEqual([]);
  });

  it("finds a type that is not what zod infers", async () => {
    mkdirSync(join(ROOT, "dist"), { recursive: true });
    const target = mkdtempSync(join(ROOT, "dist/types-"));
    onTestFinished(() => rmSync(target, { recursive: true }));
    const sources = join(target, "sources");
    const path = "protocol/messages/role.ts";
    mkdirSync(join(sources, "sdk"), { recursive: true });
    mkdirSync(join(sources, "protocol/messages"), { recursive: true });
    writeFileSync(
      join(sources, path),
      'export type Role = "user" | "assistant" | "system";\nexport type Wrong = Role | "tool";\n',
    );
    const plainTypes = ["Role", "Wrong"].map((name) => {
      return { path, name, schema: "RoleSchema", side: "output" as const, isFrozen: false };
    });

    const output = await findTypeDifferences({ folder: "", tarball: "", sources, plainTypes });

    expect(output.match(/error TS\d+/g)).toEqual(["error TS2344"]);
    expect(output).toContain("compare.ts");
  });
});
