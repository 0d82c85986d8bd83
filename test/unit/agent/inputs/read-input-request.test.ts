import { expect, it } from "vitest";

import { readInputRequest } from "../../../../agent/inputs/read-input-request.ts";

function formOf(properties: object, more: object = {}) {
  const requestedSchema = { type: "object", properties, ...more };
  const read = readInputRequest({ message: "Which?", requestedSchema });
  return read.type === "request" && read.request.mode === "form"
    ? read.request.requested_schema["properties"]
    : read;
}

it.each([
  ["a text", { type: "string", title: "A", minLength: 1, maxLength: 9, format: "email" }],
  ["a number", { type: "number", minimum: -1, maximum: 1.5, default: 0 }],
  ["a whole number", { type: "integer", description: "how many" }],
  ["yes or no", { type: "boolean", default: true }],
  ["a choice", { type: "string", enum: ["a", "b"], enumNames: ["A", "B"] }],
  ["a choice with titles", { type: "string", oneOf: [{ const: "a", title: "A" }] }],
])("a form may ask for %s, which is kept as it is", (_what, field) => {
  expect(formOf({ one: field })).toEqual({ one: field });
});

it("a form may ask for several of some choices", () => {
  const items = { type: "string", anyOf: [{ const: "a", title: "A" }, { const: "b" }] };
  const field = { type: "array", minItems: 1, maxItems: 2, items };
  expect(formOf({ one: field })).toEqual({
    one: {
      type: "array",
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      items: { type: "string", oneOf: [{ const: "a", title: "A" }, { const: "b" }] },
    },
  });
});

it("nothing else of a field is taken over", () => {
  const field = { type: "string", pattern: "(a+)+$", format: "regex", "x-run": "me", $ref: "#" };
  expect(formOf({ one: field })).toEqual({ one: { type: "string" } });
});

it.each([
  ["an object", { type: "object", properties: {} }],
  ["a list of texts", { type: "array", items: { type: "string" } }],
  ["null", { type: "null" }],
  ["a type of several", { type: ["string", "number"] }],
  ["an empty choice", { type: "string", enum: [] }],
  ["a choice of numbers", { type: "string", enum: [1] }],
])("a form that asks for %s is refused", (_what, field) => {
  expect(formOf({ one: field })).toMatchObject({ type: "unusable" });
});

it("a form has 32 fields at most", () => {
  const fields = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`f${index}`, { type: "boolean" }]),
    );
  expect(formOf(fields(32))).toEqual(fields(32));
  expect(formOf(fields(33))).toMatchObject({ type: "unusable" });
});

it("a choice below a question about a password is shown, a text is not", () => {
  const ask = (field: object) =>
    readInputRequest({
      message: "Shall we reset your password?",
      requestedSchema: { type: "object", properties: { answer: field } },
    }).type;
  expect(ask({ type: "string", enum: ["yes", "no"] })).toBe("request");
  expect(ask({ type: "string" })).toBe("secret");
});

it("a text that is cut ends with a whole character", () => {
  const read = readInputRequest({
    mode: "url",
    message: "x".repeat(1_998) + "😀 and more",
    url: "https://pay.example/",
  });
  expect(read.type === "request" && read.request.message).toBe(`${"x".repeat(1_998)}…`);
});

it.each(["https://pay.example", "http://127.0.0.1:8787/pay?order=1#now"])("%s is a link", (url) => {
  expect(readInputRequest({ mode: "url", message: "Pay", url })).toEqual({
    type: "request",
    request: { mode: "url", message: "Pay", url },
  });
});

it.each([
  "javascript:alert(1)",
  "data:text/html,<b>",
  "https://",
  "https://a b.example/",
  "https://user@pay.example/",
  "https:\\\\pay.example\\",
  "//pay.example",
  `https://pay.example/${"x".repeat(2_048)}`,
  "https://pay.example/\u202egpj.exe",
  42,
])("%j is none", (url) => {
  expect(readInputRequest({ mode: "url", message: "Pay", url }).type).toBe("unusable");
});
