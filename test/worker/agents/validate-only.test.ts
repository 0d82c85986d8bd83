// Refusals when an agent is written, and asking for them beforehand.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { Agent } from "../../../protocol/agents/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { ask, makeAgent, makeTenant } from "../support/api.ts";

const DRY = "/v1/agents?validate_only=true";
const TOOL = { type: "http", name: "refund", url: "https://shop.example/refund" };
const LOCAL = { ...env, ENVIRONMENT: "local", LOOPBACK_PORTS: "8080" };
const PRODUCTION = { ...env, ENVIRONMENT: "production" };

function withSchema(input_schema: object) {
  return { name: "a", tools: [{ ...TOOL, input_schema }] };
}

describe("an agent is refused when it is written", () => {
  test.each<[string, object, string, RegExp]>([
    [
      "plain http",
      { name: "a", tools: [{ ...TOOL, url: "http://shop.example/refund" }] },
      "#/tools/0/url",
      /use https/,
    ],
    [
      "plain http of a model",
      { name: "a", model: { provider: "openai", name: "m", base_url: "http://m.example/v1" } },
      "#/model/base_url",
      /use https/,
    ],
    [
      "an unknown type",
      withSchema({ type: "objekt" }),
      "#/tools/0/input_schema",
      /#\/type: give one of array, /,
    ],
    [
      "required as a text",
      withSchema({ required: "a" }),
      "#/tools/0/input_schema",
      /#\/required: give names/,
    ],
    [
      "properties as a list",
      withSchema({ properties: [] }),
      "#/tools/0/input_schema",
      /give an object of schemas/,
    ],
    [
      "a lost reference",
      withSchema({ properties: { a: { $ref: "#/$defs/A" } } }),
      "#/tools/0/input_schema",
      /#\/properties\/a\/\$ref: there is no schema at #\/\$defs\/A/,
    ],
    [
      "a reference to elsewhere",
      withSchema({ properties: { a: { $ref: "order.json" } } }),
      "#/tools/0/input_schema",
      /there is no schema at order.json/,
    ],
    [
      "a pattern that cannot be read",
      withSchema({ properties: { a: { pattern: "(" } } }),
      "#/tools/0/input_schema",
      /pattern/,
    ],
    [
      "a credential that is not there",
      { name: "a", tools: [{ ...TOOL, credential_id: "crd_01kaj2v6f0h5n8q2r7s4t1v9w3" }] },
      "#/tools/0/credential_id",
      /no such credential/,
    ],
  ])("for %s, also by a change and in a dry run", async (_, json, pointer, detail) => {
    const { call } = await makeTenant();
    const agent = await makeAgent(call, { name: "Desk" });
    const place = `/v1/agents/${agent.id}`;

    const refused = [
      await ask("POST", "/v1/agents", { ...call, json }),
      await ask("POST", DRY, { ...call, json }),
      await ask("PATCH", place, { ...call, json }),
      await ask("PATCH", `${place}?validate_only=true`, { ...call, json }),
    ];

    expect(refused.map(({ status, json: { errors } }) => [status, errors])).toEqual(
      refused.map(() => [400, [{ pointer, detail: expect.stringMatching(detail) }]]),
    );
    expect((await ask("GET", place, call)).json).toEqual(agent);
  });

  test("and loopback is allowed exactly where requests to it are", async () => {
    const { call } = await makeTenant();
    const tool = (url: string) => ({ name: "a", tools: [{ ...TOOL, url }] });
    const asked: [Env, string, number][] = [
      [LOCAL, "http://127.0.0.1:8080/x", 200],
      [LOCAL, "http://localhost:9090/x", 400],
      [LOCAL, "http://shop.example/x", 400],
      [PRODUCTION, "http://127.0.0.1:8080/x", 400],
      [PRODUCTION, "https://127.0.0.1:8080/x", 400],
    ];
    for (const [bindings, url, expected] of asked) {
      const { status } = await ask("POST", DRY, { ...call, bindings, json: tool(url) });
      expect([url, status]).toEqual([url, expected]);
    }
  });
});

describe("validate_only", () => {
  test("answers with the definition, writes nothing, and keeps no key", async () => {
    const { call } = await makeTenant();
    const keyed = { ...call, headers: { "Idempotency-Key": "one" }, json: { name: "Desk" } };

    const dry = [await ask<Agent>("POST", DRY, keyed), await ask<Agent>("POST", DRY, keyed)];
    const list = await ask<Page<Agent>>("GET", "/v1/agents", call);
    const made = await ask<Agent>("POST", "/v1/agents", keyed);

    const {
      id: _id,
      version: _version,
      created_at: _created,
      updated_at: _updated,
      ...definition
    } = made.json;
    expect(dry.map(({ status, json, headers }) => [status, json, headers.get("Location")])).toEqual(
      [
        [200, definition, null],
        [200, definition, null],
      ],
    );
    expect([list.json.data, made.status, made.headers.get("Idempotent-Replayed")]).toEqual([
      [],
      201,
      null,
    ]);
    expect((await ask("GET", "/v1/audit?action=agent.created", call)).json).toMatchObject({
      data: [expect.anything()],
    });
  });

  test("of a change shows the agent with it, in the version that it has", async () => {
    const { call } = await makeTenant();
    const agent = await makeAgent(call, { name: "Desk" });
    const place = `/v1/agents/${agent.id}`;

    const dry = await ask("PATCH", `${place}?validate_only=true`, {
      ...call,
      json: { max_iters: 3 },
    });

    expect([dry.status, dry.json]).toEqual([200, { ...agent, max_iters: 3 }]);
    expect((await ask("GET", place, call)).json).toEqual(agent);
    const other = await makeTenant();
    const foreign = await ask("PATCH", `${place}?validate_only=true`, { ...other.call, json: {} });
    expect(foreign.status).toBe(404);
  });

  test("that is misspelled writes nothing either", async () => {
    const { call } = await makeTenant();
    const asked = [
      await ask("POST", "/v1/agents?validateOnly=true", { ...call, json: { name: "a" } }),
      await ask("POST", "/v1/agents?validate_only=yes", { ...call, json: { name: "a" } }),
    ];

    expect(asked.map(({ status, json }) => [status, json.errors])).toEqual([
      [
        400,
        [
          {
            pointer: "#/query/validateOnly",
            detail: "is not a known field; did you mean `validate_only`?",
          },
        ],
      ],
      [400, [{ pointer: "#/query/validate_only", detail: "must be one of true, false" }]],
    ]);
    expect((await ask<Page<Agent>>("GET", "/v1/agents", call)).json.data).toEqual([]);
  });
});
