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

const $defs = {
  Place: { type: "string", enum: ["w", "a"], title: "Place" },
  Loop: { $ref: "#/$defs/Loop" },
  Secret: { type: "string", title: "Your PIN" },
};
const TITLED = { oneOf: [{ const: "w", title: "Window" }, { const: "a" }] };

it.each<[string, string, object, object]>([
  [
    "anyOf of a text and null",
    "modelcontextprotocol/python-sdk elicitation.py",
    { anyOf: [{ type: "string", maxLength: 4 }, { type: "null" }], default: null, title: "Seat" },
    { type: "string", title: "Seat", maxLength: 4 },
  ],
  ["a list of types with null", "variant", { type: ["integer", "null"] }, { type: "integer" }],
  [
    "an enum without a type",
    "PrefectHQ/fastmcp#2774",
    { enum: ["w", "a"] },
    { type: "string", enum: ["w", "a"] },
  ],
  [
    "choices with titles and no type",
    "PrefectHQ/fastmcp#2774",
    TITLED,
    { type: "string", ...TITLED },
  ],
  [
    "a reference to a definition",
    "PrefectHQ/fastmcp#1632",
    { $ref: "#/$defs/Place", default: "w" },
    { type: "string", title: "Place", enum: ["w", "a"], default: "w" },
  ],
  [
    "a reference within allOf, with a title of its own",
    "variant",
    { allOf: [{ $ref: "#/$defs/Place" }], title: "Seat", description: null },
    { type: "string", title: "Seat", enum: ["w", "a"] },
  ],
  [
    "a nullable reference",
    "variant",
    { anyOf: [{ $ref: "#/$defs/Place" }, { type: "null" }] },
    { type: "string", title: "Place", enum: ["w", "a"] },
  ],
  [
    "choices beside null",
    "variant",
    { oneOf: [...TITLED.oneOf, { const: null }] },
    { type: "string", ...TITLED },
  ],
  [
    "an enum with null",
    "variant",
    { type: "string", enum: ["w", null] },
    { type: "string", enum: ["w"] },
  ],
  ["one choice as const", "variant", { const: "w" }, { type: "string", enum: ["w"] }],
  [
    "a list of choices by reference",
    "variant",
    { type: "array", items: { $ref: "#/$defs/Place" } },
    { type: "array", uniqueItems: true, items: { type: "string", enum: ["w", "a"] } },
  ],
])("%s (%s) has one meaning, and is asked so", (_what, _source, field, asked) => {
  expect(formOf({ one: field }, { $defs })).toEqual({ one: asked });
});

it.each([
  ["a reference to itself", { $ref: "#/$defs/Loop" }],
  ["a reference to nothing", { $ref: "#/$defs/Nobody" }],
  ["a reference to a name of every object", { $ref: "#/$defs/constructor" }],
  ["a reference to another file", { $ref: "https://forms.example/place.json" }],
  ["a text or a number", { anyOf: [{ type: "string" }, { type: "number" }] }],
  ["choices of texts and numbers", { enum: ["w", 1] }],
  ["null and nothing else", { anyOf: [{ type: "null" }] }],
])("a form that asks for %s is refused as before", (_what, field) => {
  expect(formOf({ one: field }, { $defs })).toMatchObject({ type: "unusable" });
});

it.each([
  ["behind a reference", { $ref: "#/$defs/Secret" }],
  ["behind a title of its own", { $ref: "#/$defs/Secret", title: "Number" }],
  ["in a branch", { anyOf: [{ type: "string", format: "password" }, { type: "null" }] }],
])("a secret %s is none of a form's", (_what, field) => {
  expect(formOf({ one: field }, { $defs })).toEqual({ type: "secret" });
});

it.each([
  ["no properties", { type: "object" }],
  ["properties of null", { type: "object", properties: null, required: null }],
  ["no type", { properties: {} }],
])("a form with %s asks for a yes or a no", (_what, requestedSchema) => {
  // PrefectHQ/fastmcp#3910
  expect(readInputRequest({ mode: null, message: "Go on?", requestedSchema })).toEqual({
    type: "request",
    request: {
      mode: "form",
      message: "Go on?",
      requested_schema: { type: "object", properties: {}, additionalProperties: false },
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
