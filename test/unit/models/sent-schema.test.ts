// Schemas that vendors refuse, as public reports have them, and what is sent in their place.
import { describe, expect, it } from "vitest";

import { sentSchema } from "../../../model/conversation/sent-schema.ts";

const text = { type: "string" };
const number = { type: "number" };

const CASES: readonly [string, Record<string, unknown>, Record<string, unknown>][] = [
  [
    "an object without properties (github/github-mcp-server#1548)",
    { type: "object" },
    { type: "object", properties: {} },
  ],
  ["a schema of nothing (CopilotKit/CopilotKit#3884)", {}, { type: "object", properties: {} }],
  [
    "arrays without items (spring-projects/spring-ai#2561)",
    {
      type: "object",
      properties: { tags: { type: "array" }, deep: { anyOf: [{ type: ["array", "null"] }] } },
    },
    {
      type: "object",
      properties: {
        tags: { type: "array", items: {} },
        deep: { anyOf: [{ type: ["array", "null"], items: {} }] },
      },
    },
  ],
  [
    "a list of items, as older drafts have it",
    { type: "object", properties: { pair: { type: "array", items: [text, number] } } },
    {
      type: "object",
      properties: { pair: { type: "array", prefixItems: [text, number], items: {} } },
    },
  ],
  [
    "a choice at the top",
    {
      type: "object",
      properties: { id: text },
      required: ["id"],
      additionalProperties: false,
      oneOf: [
        { properties: { by: text, amount: number }, required: ["by", "amount"] },
        { type: "object", properties: { by: number }, required: ["by"] },
      ],
    },
    {
      type: "object",
      properties: { id: text, by: { anyOf: [text, number] }, amount: number },
      required: ["id", "by"],
    },
  ],
  [
    "a reference, all of two, and what must not be, at the top",
    {
      $defs: { Base: { type: "object", properties: { id: text }, required: ["id"] } },
      $ref: "#/$defs/Base",
      allOf: [{ properties: { amount: number }, required: ["amount"] }],
      not: { required: ["no"] },
    },
    {
      $defs: { Base: { type: "object", properties: { id: text }, required: ["id"] } },
      type: "object",
      properties: { id: text, amount: number },
      required: ["id", "amount"],
    },
  ],
  [
    "a reference to itself",
    { $ref: "#", properties: { id: text } },
    { type: "object", properties: { id: text } },
  ],
];

describe("the schema that is sent for", () => {
  it.each(CASES)("%s", (_case, given, meant) => {
    expect(sentSchema(given)).toEqual(meant);
  });

  it("a good one is the same", () => {
    const schema = { type: "object", properties: { id: text }, required: ["id"], $comment: "x" };

    expect(JSON.stringify(sentSchema(schema))).toBe(JSON.stringify(schema));
  });
});
