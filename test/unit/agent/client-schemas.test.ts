// Schemas of tools that clients bring: anybody may have written them, and the object that checks them is shared.
import { describe, expect, it } from "vitest";

import { findSchemaProblems } from "../../../agent/call-input.ts";
import { declareTools } from "../../../tools/tool-runner.ts";

/** Whether the input is refused for an agent's external tool, and for a client's with the same schema. */
function refusedFor(input_schema: Record<string, unknown>, input: unknown) {
  const [external, ofClient] = declareTools({
    tools: [
      {
        type: "external",
        name: "print",
        description: "",
        input_schema: input_schema as Record<string, never>,
        read_only: true,
        concurrency_safe: true,
        idempotent: false,
        edits_files: false,
      },
    ],
    client_tools: [{ name: "show", description: "", input_schema }],
  });
  if (!external || !ofClient) throw new Error("a tool is missing");
  return [external, ofClient].map((tool) => findSchemaProblems(input, tool).length > 0);
}

describe("the input of a call of a client's tool", () => {
  it("is held against the tool's schema, like that of any tool", () => {
    const schema = {
      type: "object",
      properties: { page: { $ref: "#/$defs/page" } },
      required: ["page"],
      $defs: { page: { type: "integer" } },
    };
    expect(refusedFor(schema, { page: 1 })).toEqual([false, false]);
    expect(refusedFor(schema, { page: "one" })).toEqual([true, true]);
  });

  it("is left to the client where a check may take for ever", () => {
    const slow = { properties: { text: { pattern: "^(a+)+$" } } };
    expect(refusedFor(slow, { text: "aaaaaa!" })).toEqual([true, false]);
    expect(refusedFor({ patternProperties: { "^(a+)+$": false } }, { aaaa: 1 })).toEqual([
      true,
      false,
    ]);

    const twice = (name: string) => ({ allOf: [{ $ref: name }, { $ref: name }] });
    const names = Array.from({ length: 12 }, (_, index) => `d${index}`);
    const $defs = {
      ...Object.fromEntries(names.map((name, index) => [name, twice(`#/$defs/d${index + 1}`)])),
      d12: { required: ["page"] },
    };
    expect(refusedFor({ $ref: "#/$defs/d0", $defs }, {})).toEqual([true, false]);
    expect(refusedFor({ allOf: [{ $ref: "#" }] }, {})).toEqual([true, false]);
  });
});
