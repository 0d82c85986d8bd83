/** @module-tag broad */
// Schemas, patterns, broken JSON and rules that are made to be slow: an end user's, a client's, a model's and a tenant's
// own. Each comes to its documented end, and beside it another tenant is answered as ever.
import { beforeAll, describe, expect, inject, it } from "vitest";

import type { Reply } from "../../protocol/replies/contract.ts";
import type { Problem } from "../../protocol/problem.ts";
import { createAgent, createSession, createTenant, request } from "../support/platform-client.ts";
import { mintToken } from "../support/refund-office.ts";

const STRUCTURED = "The input of GenerateStructuredOutput";
const SPENT =
  "cannot be checked against its schema within 4000000 steps. Call it again with a smaller input, or with fewer calls beside it.";
const COMPLETE = "The structured output is complete.";

let key: string;
let neighbour: { readonly key: string; readonly path: string };

beforeAll(async () => {
  ({ key } = await createTenant("Attacked"));
  const other = await createTenant("Neighbour");
  neighbour = { key: other.key, path: `/v1/sessions/${await createSession(other.key)}` };
});

/** Answers to another tenant while the attack goes on: a reply, and its message. */
async function askNeighbour(): Promise<unknown> {
  const { key: own, path } = neighbour;
  const body = { input: "/say here" };
  const reply = await request<Reply>("POST", `${path}/replies`, { key: own, body });
  const page = await request<{ data: { id: string }[] }>("GET", `${path}/messages?limit=1`, {
    key: own,
  });
  return [reply.body.status, page.body.data[0]?.id === reply.body.message?.id];
}

/** @returns How the attacked reply ended, and the texts of the results that it has. */
async function attack(path: string, credential: string, body: object): Promise<unknown> {
  const attacked = request<Reply>("POST", `${path}/replies`, { key: credential, body });
  expect(await askNeighbour()).toEqual(["completed", true]);
  const { body: reply } = await attacked;
  return [reply.status, resultsOf(reply)];
}

function resultsOf({ message }: Reply): readonly unknown[] {
  return (message?.content ?? []).flatMap((block) => {
    if (block.type !== "tool_result") return [];
    if (typeof block.output === "string") return [block.output];
    const [first] = block.output;
    return [first && "text" in first ? first.text : null];
  });
}

function nested(levels: number): object {
  return JSON.parse('{"a":'.repeat(levels) + "{}" + "}".repeat(levels)) as object;
}

/** For each item every branch is asked. */
function branches() {
  const anyOf = Array.from({ length: 900 }, (_, kind) => ({
    properties: { kind: { const: kind } },
  }));
  const items = Array.from({ length: 2_000 }, () => ({ kind: -1 }));
  return {
    schema: { type: "object", properties: { items: { items: { anyOf } } } },
    value: { items },
  };
}

describe("an end user's schema for structured output", () => {
  let path: string;
  let token: string;

  beforeAll(async () => {
    const agent = await createAgent(key, { tools: [], max_iters: 1 });
    path = `/v1/sessions/${await createSession(key, agent)}`;
    token = await mintToken(key, path, ["read", "reply"]);
  });

  function fill(structured_schema: object, output: unknown): Promise<unknown> {
    const input = `/structured ${JSON.stringify(output)}\n/then\n/say done`;
    return attack(path, token, { input, structured_schema });
  }

  it("with a pattern that goes back is matched in one pass", async () => {
    const schema = {
      type: "object",
      properties: { value: { type: "string", pattern: "^(a+)+$" } },
    };
    const value = `${"a".repeat(50_000)}!`;
    const told = `${STRUCTURED} does not fit its schema: #/value does not match the pattern ^(a+)+$. Call it again with a valid input.`;

    expect(await fill(schema, { value })).toEqual(["exceed_max_iters", [told]]);
    expect(await fill(schema, { value: "a".repeat(50_000) })).toEqual(["completed", [COMPLETE]]);
  });

  it("with the pattern of a library for addresses is matched, though it looks ahead", async () => {
    const pattern =
      "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$";
    const schema = { type: "object", properties: { value: { type: "string", pattern } } };

    expect(await fill(schema, { value: "ann.lee@shop.example" })).toEqual([
      "completed",
      [COMPLETE],
    ]);
    expect(await fill(schema, { value: "a".repeat(50_000) })).toEqual([
      "exceed_max_iters",
      [expect.stringContaining("does not match the pattern")],
    ]);
  });

  it("that goes from definition to definition too often is not usable", async () => {
    const definitions = Array.from({ length: 900 }, (_, index) => [
      `d${index}`,
      { $ref: `#/$defs/d${index + 1}` },
    ]);
    const schema = {
      type: "object",
      $ref: "#/$defs/d0",
      $defs: { ...Object.fromEntries(definitions), d900: {} },
    };
    const told = `${STRUCTURED} cannot be checked, as its schema is not usable: it goes on too deep, or asks for itself of the same value. It cannot be called until its schema is changed.`;

    expect(await fill(schema, {})).toEqual(["exceed_max_iters", [told]]);
  });

  it("that asks itself twice of each level costs no more than it is deep", async () => {
    const deeper = { properties: { a: { $ref: "#/$defs/twice" } } };
    const schema = {
      type: "object",
      anyOf: [{ $ref: "#/$defs/twice" }],
      $defs: { twice: { allOf: [deeper, deeper] } },
    };

    expect(await fill(schema, nested(19))).toEqual(["completed", [COMPLETE]]);
  });

  it("with defaults that it asks for twice of each level costs no more than it is deep", async () => {
    const deeper = { properties: { a: { $ref: "#/$defs/twice" }, b: { default: 1 } } };
    const schema = {
      type: "object",
      $ref: "#/$defs/twice",
      $defs: { twice: { allOf: [deeper, deeper] } },
    };

    expect(await fill(schema, nested(40))).toEqual(["completed", [COMPLETE]]);
  });

  it("with thousands of items that have to differ is compared in one pass", async () => {
    const schema = { type: "object", properties: { items: { type: "array", uniqueItems: true } } };
    const items = Array.from({ length: 8_000 }, (_, number) => ({ number }));

    expect(await fill(schema, { items })).toEqual(["completed", [COMPLETE]]);
  });

  it("with many branches for many items ends at the budget", async () => {
    const { schema, value } = branches();

    expect(await fill(schema, value)).toEqual(["exceed_max_iters", [`${STRUCTURED} ${SPENT}`]]);
  });

  it.each([
    ["(?=a)".repeat(17), "looks ahead or behind more than 16 times"],
    ["(a)\\1", "refers back to what a group has found: write it out, or check it in the tool"],
    ["(?:a{1000}){1000}", "repeats too much: give lengths with minLength and maxLength"],
  ])("with the pattern %s is refused with what to write instead", async (pattern, problem) => {
    const structured_schema = { type: "object", properties: { value: { pattern } } };
    const { status, body } = await request<Problem>("POST", `${path}/replies`, {
      key: token,
      body: { input: "x", structured_schema },
    });

    expect([status, body.code, body.errors?.[0]]).toMatchObject([
      400,
      "validation_failed",
      {
        pointer: "#/structured_schema",
        detail: `the schema cannot be used: #/properties/value/pattern: ${JSON.stringify(pattern)} ${problem}`,
      },
    ]);
  });
});

describe("a tool's schema", () => {
  const tool = {
    type: "http",
    name: "take",
    url: `${inject("toolsUrl")}/lookup_order`,
    read_only: true,
  };

  async function call(definition: object, input: string, more: object = {}): Promise<unknown> {
    const tools = [{ ...tool, ...definition }];
    const agent = await createAgent(key, { tools, max_iters: 2, ...more });
    const path = `/v1/sessions/${await createSession(key, agent)}`;
    return attack(path, key, { input: `/call take ${input}\n/then\n/say done` });
  }

  it("with an honest pattern for addresses is not slowed down by its end user", async () => {
    const pattern = "^([a-zA-Z0-9_.+-]+)+@shop\\.example$";
    const input_schema = { type: "object", properties: { email: { type: "string", pattern } } };
    const told = `The input of take does not fit its schema: #/email does not match the pattern ${pattern}. Call it again with a valid input.`;

    expect(await call({ input_schema }, JSON.stringify({ email: "a".repeat(50_000) }))).toEqual([
      "completed",
      [told],
    ]);
  });

  it("that cannot be matched is refused when an agent is made or changed", async () => {
    const input_schema = { properties: { a: { pattern: "(a)\\1" } } };
    const tools = [tool, { ...tool, name: "other", input_schema }];
    const agent = await createAgent(key);
    const answers = await Promise.all([
      request<Problem>("POST", "/v1/agents", { key, body: { name: "A", tools } }),
      request<Problem>("PATCH", `/v1/agents/${agent}`, { key, body: { tools } }),
    ]);

    expect(answers.map(({ status, body }) => [status, body.errors?.[0]?.pointer])).toEqual([
      [400, "#/tools/1/input_schema"],
      [400, "#/tools/1/input_schema"],
    ]);
  });

  it("may name itself and be of an older draft, and may not be without an end or a bound", async () => {
    const name = "https://shop.example/a";
    const schemas = [
      { $id: name, $ref: `${name}#/definitions/b`, definitions: { b: {} } },
      { properties: { a: { items: [{ type: "string" }], minimum: 1, exclusiveMinimum: true } } },
      { allOf: [{ $ref: "#" }] },
      { description: "x".repeat(70_000) },
    ];
    const answers = await Promise.all(
      schemas.map((input_schema) => {
        const body = { name: "A", tools: [{ ...tool, input_schema }] };
        return request("POST", "/v1/agents", { key, body });
      }),
    );

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 400, 400]);
  });

  it("is not asked about input that is no JSON, nor about what was cut off", async () => {
    const broken = `[${'"a" "b" '.repeat(18_000)}`;
    const cut = `{"order_id":"A-1001","notes":["${"x".repeat(10_000)}`;

    expect(await call({}, broken)).toEqual([
      "completed",
      [
        "The input of take is not JSON. It was not run. Call it again with one object of valid JSON.",
      ],
    ]);
    expect(await call({}, cut)).toEqual([
      "completed",
      [
        expect.stringContaining(
          "The input of take is cut off: it ends before its object is closed",
        ),
      ],
    ]);
  });

  it.each([
    ["deny", "The call of take was denied. Rule: *customer-3*"],
    ["allow", expect.stringContaining("order")],
  ])("stands beside a thousand rules that %s, over the longest text", async (behavior, result) => {
    const rules = Array.from({ length: 1_000 }, (_, number) => ({
      tool_name: "take",
      rule_content: behavior === "deny" && number === 3 ? "*customer-3*" : `*customer-${number}x*`,
      behavior,
      source: "test",
    }));
    const input = JSON.stringify({ text: `${"customer-".repeat(14_000)}3` });
    const rule = { rule_argument: "/text", rule_syntax: "glob" };

    expect(await call(rule, input, { permission: { rules } })).toEqual(["completed", [result]]);
  });
});

describe("a tool that a client of AG-UI brings", () => {
  async function run(parameters: object, input: object) {
    const agent = await createAgent(key, { tools: [], max_iters: 2 });
    const content = `/call show ${JSON.stringify(input)}\n/then\n/say done`;
    const running = fetch(`${inject("baseUrl")}/v1/agents/${agent}/ag-ui`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        threadId: "thread",
        runId: "run",
        messages: [{ id: "m1", role: "user", content }],
        tools: [{ name: "show", description: "", parameters }],
      }),
    });
    expect(await askNeighbour()).toEqual(["completed", true]);
    const response = await running;
    return { status: response.status, text: await response.text() };
  }

  it("is checked like any other, in steps", async () => {
    const { schema, value } = branches();
    const slow = await run(schema, value);
    const properties = { a: { pattern: "^(a+)+$" } };
    const back = await run({ properties }, { a: `${"a".repeat(64)}!` });

    expect([slow.status, slow.text.includes(`The input of show ${SPENT}`)]).toEqual([200, true]);
    const told = "#/a does not match the pattern ^(a+)+$";
    expect([back.status, back.text.includes(told)]).toEqual([200, true]);
  });

  it("with a pattern that cannot be matched is refused with its place", async () => {
    const { status, text } = await run({ properties: { a: { pattern: "(?<n>a)\\k<n>" } } }, {});
    const { code, errors } = JSON.parse(text) as Problem;

    expect([status, code, errors?.[0]?.pointer]).toEqual([
      400,
      "validation_failed",
      "#/tools/0/parameters",
    ]);
  });
});
