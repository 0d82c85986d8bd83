// The words of refusals: plain sentences, with a suggestion where a name is misspelled.
import { describe, expect, test } from "vitest";
import * as z from "zod";

import { AgentCreateSchema } from "../../../protocol/agents/contract.ts";
import { ApiKeyCreateSchema } from "../../../protocol/keys/contract.ts";
import { ReplyCreateSchema } from "../../../protocol/replies/contract.ts";
import { PageQuerySchema } from "../../../protocol/schemas/common.ts";
import { didYouMean, suggestName } from "../../../protocol/words/suggest-name.ts";
import { checkFields } from "../../../worker/requests/check-fields.ts";
import { describeUnknownRoute } from "../../../worker/requests/describe-unknown-route.ts";
import { findJsonError } from "../../../worker/requests/find-json-error.ts";

function wordsOf(schema: z.ZodType, value: unknown): readonly string[] {
  const checked = checkFields(schema, value);
  return checked.ok ? [] : checked.errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
}

const http = { type: "http", name: "refund", url: "https://shop.example/refund" };

test.each<[string, z.ZodType, unknown, readonly string[]]>([
  ["a missing field", AgentCreateSchema, {}, ["#/name is required"]],
  ["a body of null", AgentCreateSchema, null, ["# must be an object, not null"]],
  ["another type", AgentCreateSchema, { name: 5 }, ["#/name must be a string, not a number"]],
  ["an empty text", AgentCreateSchema, { name: "" }, ["#/name must not be empty"]],
  [
    "a long text",
    AgentCreateSchema,
    { name: "x".repeat(201) },
    ["#/name must be at most 200 characters, has 201"],
  ],
  [
    "a number out of range",
    AgentCreateSchema,
    { name: "a", max_iters: 0 },
    ["#/max_iters must be at least 1, is 0"],
  ],
  [
    "half a number",
    AgentCreateSchema,
    { name: "a", max_iters: 1.5 },
    ["#/max_iters must be a whole number, not 1.5"],
  ],
  [
    "a field in another spelling",
    AgentCreateSchema,
    { name: "a", systemPrompt: "b", tols: [] },
    [
      "#/systemPrompt is not a known field; did you mean `system_prompt`?",
      "#/tols is not a known field; did you mean `tools`?",
    ],
  ],
  [
    "a field that resembles none",
    AgentCreateSchema,
    { name: "a", colour: 1 },
    ["#/colour is not a known field"],
  ],
  [
    "a misspelled value of a list",
    AgentCreateSchema,
    { name: "a", permission: { mode: "defualt" } },
    [
      "#/permission/mode must be one of default, accept_edits, explore, bypass, dont_ask; did you mean `default`?",
    ],
  ],
  [
    "a tool of an unknown type",
    AgentCreateSchema,
    { name: "a", tools: [{ ...http, type: "htp" }] },
    ["#/tools/0/type must be one of http, external, code, agent, a2a, mcp; did you mean `http`?"],
  ],
  [
    "a tool without a type",
    AgentCreateSchema,
    { name: "a", tools: [{ name: "refund" }] },
    ["#/tools/0/type is required: http, external, code, agent, a2a, mcp"],
  ],
  [
    "a field of one kind of tool, in its words alone",
    AgentCreateSchema,
    { name: "a", tools: [{ ...http, timeoutMs: 5 }] },
    ["#/tools/0/timeoutMs is not a known field; did you mean `timeout_ms`?"],
  ],
  [
    "no address",
    AgentCreateSchema,
    { name: "a", tools: [{ ...http, url: "shop.example" }] },
    ["#/tools/0/url must be an address such as https://shop.example/path"],
  ],
  [
    "a value that fits no alternative",
    ReplyCreateSchema,
    { input: 5 },
    ["#/input must be a string, an object or an array, not a number"],
  ],
  ["a missing value of alternatives", ReplyCreateSchema, {}, ["#/input is required"]],
  [
    "an empty list where a text or a list may be",
    ReplyCreateSchema,
    { input: [] },
    ["#/input must not be empty"],
  ],
  [
    "a list there that is too long",
    ReplyCreateSchema,
    { input: Array.from({ length: 1_000 }, () => ({ type: "text", text: "a" })) },
    ["#/input must have at most 100 items, has 1000"],
  ],
  [
    "a scope",
    z.strictObject({ scopes: ApiKeyCreateSchema.shape.scopes }),
    { scopes: ["agent:read"] },
    [expect.stringMatching(/^#\/scopes\/0 must be one of .*; did you mean `agents:read`\?$/)],
  ],
  [
    "a text of a query that is no number",
    PageQuerySchema,
    { limit: "many" },
    ["#/limit must be a number"],
  ],
  [
    "a number of a query that is too large",
    PageQuerySchema,
    { limit: "500" },
    ["#/limit must be at most 100, is 500"],
  ],
  [
    "a list that is too long",
    z.object({ list: z.array(z.string()).max(2) }),
    { list: ["a", "b", "c"] },
    ["#/list must have at most 2 items, has 3"],
  ],
])("%s is told in a sentence", (_, schema, value, expected) => {
  expect(wordsOf(schema, value)).toEqual(expected);
});

test("twenty thousand unknown fields cost no more than the twenty that are shown", () => {
  const fields = Array.from({ length: 20_000 }, (_, index) => [`field_${index}`, index]);

  expect(wordsOf(AgentCreateSchema, { name: "a", ...Object.fromEntries(fields) })).toHaveLength(20);
});

describe("a suggestion", () => {
  test.each([
    ["systemPrompt", ["system_prompt"], "system_prompt"],
    ["system-prompt", ["name", "system_prompt"], "system_prompt"],
    ["naem", ["name", "tools"], "name"],
    ["nam", ["name"], "name"],
    ["x", ["y", "ab"], null],
    ["colour", ["tools", "model"], null],
    ["name", ["name"], null],
    ["a".repeat(65), ["a".repeat(64)], null],
    ["", ["a"], null],
  ])("for %s among %j is %s", (written, known, expected) => {
    expect(suggestName(written, known)).toBe(expected);
  });

  test("is left out of the words where there is none", () => {
    expect([didYouMean("naem", ["name"]), didYouMean("colour", ["name"])]).toEqual([
      "; did you mean `name`?",
      "",
    ]);
  });
});

describe("the place of a JSON error", () => {
  test.each([
    ['{"a": 1,}', 'line 1, column 9: expected a name in double quotes behind the comma, found "}"'],
    ['{\n  "a": 1\n  "b": 2}', 'line 3, column 3: expected "," or "}", found a double quote'],
    ["{'a': 1}", `line 1, column 2: expected a name in double quotes, found "'"`],
    ['{"a" 1}', 'line 1, column 6: expected a colon ":" behind the name, found "1"'],
    ["[1, 2", 'line 1, column 6: expected "," or "]", found the end of the body'],
    ["[1,]", 'line 1, column 4: expected a JSON value, found "]"'],
    [
      '{"a": undefined}',
      'line 1, column 7: expected a JSON value (a string needs double quotes), found "u"',
    ],
    [
      '{"a": NaN}',
      'line 1, column 7: expected a JSON value (a string needs double quotes), found "N"',
    ],
    ["{} {}", 'line 1, column 4: expected nothing behind the JSON value, found "{"'],
    ["\ufeff{}", "line 1, column 1: expected a JSON value, found a byte order mark (U+FEFF)"],
    [
      '"a\nb"',
      "line 1, column 3: expected the closing double quote of a string, or a line break written as \\n, found a line break (U+000A)",
    ],
    [
      '{"a": "b',
      "line 1, column 9: expected the closing double quote of a string, found the end of the body",
    ],
    [
      '["\\x"]',
      'line 1, column 3: expected an escape that JSON knows behind the backslash, found "\\"',
    ],
    [
      "name=Ada",
      'line 1, column 1: expected a JSON value (a string needs double quotes), found "n"',
    ],
    ["[01]", 'line 1, column 3: expected "," or "]", found "1"'],
    ["[+1]", 'line 1, column 2: expected a JSON value, found "+"'],
  ])("in %j is named", (text, expected) => {
    expect(() => JSON.parse(text) as unknown).toThrow();
    expect(findJsonError(text)).toBe(expected);
  });

  test("is found behind megabytes of line breaks and of escapes", () => {
    expect(findJsonError(`${"\n".repeat(8_000_000)}x`)).toMatch(/^line 8000001, column 1: /);
    expect(findJsonError('\n["a\\n\\u00e9\\"",\n\n ]')).toMatch(/^line 4, column 2: /);
    expect(findJsonError(`["${"\\n".repeat(4_000_000)}\\`)).toMatch(/^line 1, column 8000003: /);
  });

  test("is found behind megabytes of strings and a hundred thousand brackets", () => {
    expect(findJsonError(`["${"x".repeat(8_000_000)}" "`)).toMatch(/^line 1, column 8000005: /);
    expect(findJsonError("[".repeat(100_000))).toBe(
      "line 1, column 100001: expected a JSON value, found the end of the body",
    );
  });

  test("is found wherever a text is cut, at its end or where the last token begins", () => {
    const text = '{"a": [1.5e3, true, null, {"b\\u00e9": "c\\n"}], "d": -0.1}';
    for (let length = 0; length < text.length; length += 1) {
      const column = Number(
        /^line 1, column (\d+): /.exec(findJsonError(text.slice(0, length)))?.[1],
      );
      expect([length, column > length - 6 && column <= length + 1]).toEqual([length, true]);
    }
  });
});

test.each([
  ["POST", "/v1/agent", "POST /v1/agents?"],
  ["GET", "/agents", "GET /v1/agents?"],
  ["GET", "/v1/agents/", "GET /v1/agents?"],
  ["GET", "/v2/agents", "GET /v1/agents?"],
  ["POST", "/v1/session/ses_1/replies", "POST /v1/sessions/{session_id}/replies?"],
  ["POST", "/v1/sessions/ses_1/reply", null],
  ["GET", "/v1/nowhere", null],
  ["GET", `/${"v1/".repeat(50)}`, null],
])("an unknown route %s %s leads to %s", (method, path, expected) => {
  const words = describeUnknownRoute(method, path);
  expect(words).toContain(`there is no route ${method} `);
  if (expected === null) expect(words).not.toContain("did you mean");
  else expect(words).toMatch(new RegExp(`did you mean ${expected.replace(/[?{}]/g, "\\$&")}$`));
});

test.each<[string, string | null]>([
  ["image/png", null],
  ["application/vnd.api+json; charset=utf-8", null],
  ["application/octet-stream", null],
  ["image/*", null],
  ["jpg", "is no media type; did you mean `image/jpeg`?"],
  [".PDF", "is no media type; did you mean `application/pdf`?"],
  ["constructor", "is no media type; send one such as image/jpeg"],
  ["", "is no media type; send one such as image/jpeg"],
  ["image/", "is no media type; send one such as image/jpeg"],
  ["a b/c", "is no media type; send one such as image/jpeg"],
])("the media type %j of a picture or a file: %s", (media_type, problem) => {
  const block = { type: "data", source: { type: "base64", data: "YQ==", media_type } };
  expect(wordsOf(ReplyCreateSchema, { input: [block] })).toEqual(
    problem === null ? [] : [`#/input/0/source/media_type ${problem}`],
  );
});
