// Names of properties that the Messages API refuses (beautyfree/appstore-connect-mcp#2, decocms/studio#6874): the tool is
// offered all the same, and gets the names that it knows.
import { expect, it, onTestFinished } from "vitest";

import { TOOL_CALL_EDITED } from "../../../../protocol/fold/append-custom.ts";
import type { AnthropicTurn } from "../../../support/fake-anthropic.ts";
import { functionTools } from "../../../support/function-tools.ts";
import { runScript } from "../../../support/run-script.ts";
import { modelAt, start } from "./stage.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Body {
  readonly tools: readonly { readonly name: string; readonly input_schema: Fields }[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Fields[] }[];
}

const ACCEPTED = /^[a-zA-Z0-9_.-]{1,64}$/;
const LONG = "x".repeat(80);
const SPACE = " ".repeat(10_000);

const SCHEMA = {
  type: "object",
  properties: {
    $filter: { type: "string", description: "An expression." },
    "user[id]": { type: "integer" },
    plain: { type: "string" },
    who: {
      anyOf: [{ $ref: "#/$defs/person" }, { $ref: "#/properties/%24filter" }, { type: "null" }],
    },
    list: {
      type: "array",
      items: { type: "object", properties: { "a b": { type: "string" } }, required: ["a b"] },
    },
    [LONG]: { type: "string" },
    "": { type: "string" },
    'say "it"': { type: "string" },
  },
  required: ["user[id]", "plain"],
  dependentRequired: { $filter: ["user[id]"] },
  $defs: { person: { type: "object", properties: { größe: { type: "number" } } } },
  examples: [{ $filter: "a eq 1", "user[id]": 1 }],
};

const INPUT = {
  $filter: 'a eq "$filter": 1',
  "user[id]": 7,
  plain: "user[id]",
  who: { größe: 1.8 },
  list: [{ "a b": "x" }],
  [LONG]: "long",
  "": "none",
  'say "it"': "y",
};

/** The names of all properties of a schema, wherever it has them. */
function namesIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const { properties } = value as { properties?: object };
  const own = typeof properties === "object" ? Object.keys(properties) : [];
  return [...own, ...Object.values(value).flatMap(namesIn)];
}

/** The input that a model makes of the schema: each name by the true one that its description tells. */
function sentInput({ input_schema }: Body["tools"][number]): unknown {
  const sent = new Map<string, string>();
  const learn = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { properties = {} } = value as { properties?: Readonly<Record<string, Fields>> };
    for (const [name, { description }] of Object.entries(properties)) {
      const said = /^Its true name is ("(?:[^"\\]|\\.)*")\./.exec(String(description))?.[1];
      if (said !== undefined) sent.set(JSON.parse(said) as string, name);
    }
    Object.values(value).forEach(learn);
  };
  learn(input_schema);
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [sent.get(name) ?? name, rename(one)]),
    );
  };
  return rename(INPUT);
}

/** Refuses what the API refuses; else the model calls the tool, its input in pieces of so many characters. */
function endpoint(size: number): AnthropicTurn {
  return (message, { body }) => {
    const { tools, messages } = body as Body;
    const at = tools.findIndex(({ input_schema }) =>
      namesIn(input_schema).some((name) => !ACCEPTED.test(name)),
    );
    if (at >= 0) {
      const words = `tools.${at}.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`;
      message.refuse(400, {
        type: "error",
        error: { type: "invalid_request_error", message: words },
      });
      return;
    }
    message.start();
    if (messages.length > 1) {
      message.text("Done.");
      message.finish();
    } else {
      const [tool] = tools;
      const text = JSON.stringify(sentInput(tool!), null, 1);
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
      message.toolUse("call_1", tool!.name, ...pieces);
      message.finish("tool_use");
    }
    message.done();
  };
}

async function callAt(size: number) {
  const server = await start(endpoint(size));
  onTestFinished(() => server.stop());
  const inputs: unknown[] = [];
  const tools = functionTools({
    query: {
      input_schema: SCHEMA,
      run: (input: unknown) => {
        inputs.push(input);
        return "found";
      },
    },
  });
  const log = await runScript({ script: "Ask.", tools, models: [modelAt(server.url)] });
  return { log, inputs, bodies: server.requests.map(({ body }) => body as Body) };
}

it.each([1, 7, 100_000])(
  "a tool with names that are refused is called with them, its input in pieces of %d",
  async (size) => {
    const { log, inputs, bodies } = await callAt(size);

    expect(log.state.message.finished_reason).toBe("completed");
    expect(inputs).toEqual([INPUT]);
    expect(bodies).toHaveLength(2);
    const call = log.state.message.content.find((block) => block.type === "tool_call");
    expect(JSON.parse(call!.input)).toEqual(INPUT);
    expect(log.events).not.toContainEqual(expect.objectContaining({ name: TOOL_CALL_EDITED }));
  },
);

it("the call goes back to the model with the names that it gave, and the same schema", async () => {
  const { bodies } = await callAt(100_000);
  const [first, second] = bodies;

  expect(second!.tools).toEqual(first!.tools);
  const given = second!.messages[1]!.content.find(({ type }) => type === "tool_use");
  expect(given!["input"]).toEqual(sentInput(first!.tools[0]!));
});

it("references, required names and examples follow the names, and others stay as they are", async () => {
  const { bodies } = await callAt(100_000);
  const schema = bodies[0]!.tools[0]!.input_schema as typeof SCHEMA & Fields;
  const names = Object.keys(schema.properties);

  const [filter, user] = names;
  expect(names).toContain("plain");
  expect(new Set(names).size).toBe(8);
  expect(filter).toMatch(/^filter_[0-9a-f]{8}$/);
  expect(user).toMatch(/^user_id_[0-9a-f]{8}$/);
  expect(schema.required).toEqual([user, "plain"]);
  expect(schema.dependentRequired).toEqual({ [filter!]: [user] });
  expect(schema.properties.who.anyOf[1]).toEqual({ $ref: `#/properties/${filter}` });
  expect(schema.examples).toEqual([{ [filter!]: "a eq 1", [user!]: 1 }]);
  expect(Object.values(schema.properties)[0]).toEqual({
    type: "string",
    description: 'Its true name is "$filter". An expression.',
  });
});

it("white space without end behind a name is not kept", async () => {
  const server = await start((message, { body }) => {
    const [tool] = (body as Body).tools;
    const [name] = Object.keys(tool!.input_schema["properties"] as Fields);
    message.start();
    message.toolUse("call_1", tool!.name, `{"${name}"`, ...Array<string>(100).fill(SPACE));
    message.finish("tool_use");
    message.done();
  });
  onTestFinished(() => server.stop());
  const tools = functionTools({ query: { input_schema: SCHEMA, run: () => "found" } });
  const log = await runScript({
    script: "Ask.",
    tools,
    models: [modelAt(server.url)],
    max_iters: 1,
  });

  const call = log.state.message.content.find((block) => block.type === "tool_call");
  expect(call!.input.length).toBeLessThan(2 * SPACE.length);
});
