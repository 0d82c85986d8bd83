// Schemas of tools that clients bring: anybody may have written them, and the object that checks them is shared.
import { describe, expect, it } from "vitest";

import { readCallInput } from "../../../agent/tool-call/call-input.ts";
import type { ToolCallBlock } from "../../../protocol/messages/blocks.ts";
import { declareTools } from "../../../tools/tool-runner.ts";

/**
 * The model's result for a call with this input, of an agent's external tool and of a client's with the same schema.
 */
function toldOf(input_schema: Record<string, unknown>, input: unknown) {
  const ofTheAgent = declareTools({
    tools: [
      {
        type: "external",
        name: "show",
        description: "",
        input_schema: input_schema as Record<string, never>,
        read_only: true,
        concurrency_safe: true,
        idempotent: false,
        edits_files: false,
      },
    ],
  });
  const ofItsClient = declareTools({
    tools: [],
    client_tools: [{ name: "show", description: "", input_schema }],
  });
  const call = { name: "show", input: JSON.stringify(input) } as ToolCallBlock;
  const [external, ofClient] = [...ofTheAgent, ...ofItsClient].map((tool) => {
    const read = readCallInput(call, tool, { calls: 1 });
    return read.ok ? null : read.text;
  });
  expect(ofClient).toEqual(external);
  return ofClient;
}

describe("the input of a call of a client's tool", () => {
  it("is held against the tool's schema, like that of any tool", () => {
    const schema = {
      type: "object",
      properties: { page: { $ref: "#/$defs/page" } },
      required: ["page"],
      $defs: { page: { type: "integer" } },
    };
    expect(toldOf(schema, { page: 1 })).toBeNull();
    expect(toldOf(schema, { page: "one" })).toBe(
      "The input of show does not fit its schema: #/page has to be of type integer, and is of type string. Call it again with a valid input.",
    );
  });

  it("is matched by patterns, whatever they are", () => {
    const slow = { properties: { text: { pattern: "^(a+)+$" } } };
    expect(toldOf(slow, { text: "a".repeat(64) })).toBeNull();
    expect(toldOf(slow, { text: `${"a".repeat(64)}!` })).toBe(
      "The input of show does not fit its schema: #/text does not match the pattern ^(a+)+$. Call it again with a valid input.",
    );
    expect(toldOf({ patternProperties: { "^(a+)+$": false } }, { aaaa: 1 })).toBe(
      "The input of show does not fit its schema: #/aaaa may not be there. Call it again with a valid input.",
    );
  });

  it("is not checked by a schema that goes round in circles", () => {
    expect(toldOf({ allOf: [{ $ref: "#" }] }, {})).toBe(
      "The input of show cannot be checked, as its schema is not usable: it goes on too deep, or asks for itself of the same value. It cannot be called until its schema is changed.",
    );
  });

  it("is checked by one that asks the same thing many times", () => {
    const twice = (name: string) => ({ allOf: [{ $ref: name }, { $ref: name }] });
    const names = Array.from({ length: 30 }, (_, index) => `d${index}`);
    const $defs = {
      ...Object.fromEntries(names.map((name, index) => [name, twice(`#/$defs/d${index + 1}`)])),
      d30: { required: ["page"] },
    };
    expect(toldOf({ $ref: "#/$defs/d0", $defs }, { page: 1 })).toBeNull();
  });
});
