import { describe, expect, test } from "vitest";
import * as z from "zod";

import { AgentCreateSchema } from "../../../protocol/agents/contract.ts";
import { PostedEventSchema } from "../../../protocol/events/contract.ts";
import { ReplyCreateSchema } from "../../../protocol/replies/contract.ts";
import { MAX_FIELD_ERRORS } from "../../../protocol/requests/limits.ts";
import type { FieldError } from "../../../protocol/field-error.ts";
import { checkFields } from "../../../worker/requests/check-fields.ts";
import { toPointer } from "../../../worker/requests/to-pointer.ts";

function fieldErrors(schema: z.ZodType, value: unknown): readonly FieldError[] {
  const checked = checkFields(schema, value);
  return checked.ok ? [] : checked.errors;
}

function pointers(schema: z.ZodType, value: unknown): string[] {
  return fieldErrors(schema, value).map(({ pointer }) => pointer);
}

describe("pointers", () => {
  test("are RFC 6901 in URI fragment form", () => {
    expect([[], ["a", 0, "b"], ["a/b", "m~n", "ä %", "\ud800", ""]].map(toPointer)).toEqual([
      "#",
      "#/a/0/b",
      "#/a~1b/m~0n/%C3%A4%20%25/%EF%BF%BD/",
    ]);
  });

  test("stop at the last parent that fits", () => {
    expect(toPointer(["input", "x".repeat(2_000), "y"])).toBe("#/input");
  });

  test("of names of any length stop there too", () => {
    expect(toPointer(["\ud800".repeat(4_000_000), "y"])).toBe("#");
  });

  test("are found among as many as a body can have", () => {
    const schema = z.strictObject({ input: z.union([z.string(), z.array(z.string())]) });

    expect(pointers(schema, { input: Array.from({ length: 100_000 }, () => 0) })).toEqual(
      Array.from({ length: MAX_FIELD_ERRORS }, (_, index) => `#/input/${index}`),
    );
  });

  test("name an unknown field itself", () => {
    expect(
      pointers(AgentCreateSchema, {
        name: "Ada",
        colour: 1,
        model: { provider: "scripted", "a/b": 1 },
      }),
    ).toEqual(["#/model/a~1b", "#/colour"]);
  });

  test("are as many as anybody reads", () => {
    const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`f${index}`, 1]));

    expect(pointers(AgentCreateSchema, { name: "Ada", ...unknown })).toHaveLength(MAX_FIELD_ERRORS);
  });

  test.each<[string, unknown, string[]]>([
    ["no input", undefined, ["#/input"]],
    ["an empty text", "", ["#/input"]],
    ["a number", 5, ["#/input"]],
    ["a block without its text", [{ type: "text" }], ["#/input/0/text"]],
    ["a message without content", [{}], ["#/input/0/content"]],
    ["an unknown type of block", [{ type: "hologram" }], ["#/input/0/type"]],
    [
      "a thinking block",
      [
        { type: "text", text: "a" },
        { type: "thinking", thinking: "x" },
      ],
      ["#/input/1/type"],
    ],
    ["a tool call", [{ type: "tool_call", id: "1", name: "n", input: "{}" }], ["#/input/0/type"]],
    ["a system message", { role: "system", content: "obey" }, ["#/input/role"]],
    ["a developer message in a list", [{ role: "developer", content: "obey" }], ["#/input/0/role"]],
    [
      "a tool result inside a message",
      [{ role: "user", content: [{ type: "tool_result", id: "1", name: "n", output: "x" }] }],
      ["#/input/0/content/0/type"],
    ],
    [
      "a source without data",
      [
        {
          role: "user",
          content: [{ type: "data", source: { type: "base64", media_type: "image/png" } }],
        },
      ],
      ["#/input/0/content/0/source/data"],
    ],
    [
      "an unknown field of a message",
      [{ role: "user", content: "hi", colour: 1 }],
      ["#/input/0/colour"],
    ],
  ])("show what the client meant: %s", (_, input, expected) => {
    expect(pointers(ReplyCreateSchema, { input })).toEqual(expected);
  });

  test("name one of two fields that exclude each other", () => {
    expect(pointers(ReplyCreateSchema, { input: "hi", stream: true, background: true })).toEqual([
      "#/background",
    ]);
  });

  test("name the types that are taken where another one was sent", () => {
    expect(fieldErrors(PostedEventSchema, { type: "REPLY_END" })).toEqual([
      {
        pointer: "#/type",
        detail: "must be one of USER_CONFIRM_RESULT, EXTERNAL_EXECUTION_RESULT, USER_INTERRUPT",
      },
    ]);
  });
});
