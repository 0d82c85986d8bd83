import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { Agent } from "../../../protocol/agents/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { app } from "../../../worker/app.ts";
import { ask, makeAgent, makeTenant, refusalOf } from "../support/api.ts";

const lookUp = {
  type: "http",
  name: "look_up_order",
  url: "https://shop.example/orders",
  read_only: true,
};

describe("agents", () => {
  test("a name is enough; the answer shows every default", async () => {
    const { call } = await makeTenant();

    const { status, headers, json } = await ask<Agent>("POST", "/v1/agents", {
      ...call,
      json: { name: "Desk" },
    });

    expect({ status, location: headers.get("Location"), json }).toEqual({
      status: 201,
      location: `/v1/agents/${json.id}`,
      json: {
        id: expect.stringMatching(/^agt_/),
        version: 1,
        name: "Desk",
        system_prompt: "",
        model: { provider: "scripted", name: "refund-desk", parameters: { tokens_per_second: 0 } },
        tools: [],
        max_iters: 20,
        permission: { mode: "default", rules: [] },
        metadata: {},
        created_at: expect.any(String),
        updated_at: json.created_at,
      },
    });
    expect((await ask("GET", `/v1/agents/${json.id}`, call)).json).toEqual(json);
  });

  test("a change makes the next version and keeps what it does not name", async () => {
    const { call } = await makeTenant();
    const agent = await makeAgent(call, {
      name: "Desk",
      system_prompt: "Be kind.",
      tools: [lookUp],
    });

    const { json: changed } = await ask<Agent>("PATCH", `/v1/agents/${agent.id}`, {
      ...call,
      json: { max_iters: 3 },
    });
    const { json: same } = await ask<Agent>("PATCH", `/v1/agents/${agent.id}`, {
      ...call,
      json: { max_iters: 3 },
    });

    expect(changed).toEqual({ ...agent, version: 2, max_iters: 3, updated_at: changed.updated_at });
    expect(same).toEqual(changed);
    expect((await ask("GET", `/v1/agents/${agent.id}`, call)).json).toEqual(changed);
  });

  test("of two changes of one version the second is undone whole", async () => {
    const { id, call } = await makeTenant();
    const agent = await makeAgent(call);
    const { agents } = tenantStorage(env.DB, id);

    const first = await agents.update(agent, { ...agent, name: "First" }, agent.created_at);
    const second = await agents.update(agent, { ...agent, name: "Second" }, agent.created_at);

    expect([first?.version, second, (await agents.read(agent.id))?.name]).toEqual([
      2,
      null,
      "First",
    ]);
  });

  test("changes at the same time lose nothing without a word", async () => {
    const { call } = await makeTenant();
    const agent = await makeAgent(call);

    const answers = await Promise.all(
      ["A", "B", "C", "D"].map((name) =>
        ask<Agent>("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { name } }),
      ),
    );

    const versions = answers.filter(({ status }) => status === 200).map(({ json }) => json.version);
    expect(new Set(versions).size).toBe(versions.length);
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  });

  test("a deleted agent is gone", async () => {
    const { call } = await makeTenant();
    const agent = await makeAgent(call);

    const deleted = await ask("DELETE", `/v1/agents/${agent.id}`, call);

    const path = `/v1/agents/${agent.id}`;
    const after = [
      await ask("GET", path, call),
      await ask("PATCH", path, { ...call, json: { name: "Zombie" } }),
      await ask("DELETE", path, call),
      await ask("POST", "/v1/sessions", { ...call, json: { agent_id: agent.id } }),
    ];
    expect([deleted.status, ...after.map(({ status }) => status)]).toEqual([
      204, 404, 404, 404, 404,
    ]);
    expect((await ask("GET", "/v1/agents", call)).json).toEqual({
      data: [],
      has_more: false,
      next_page: null,
    });
  });

  test("a list has the newest first", async () => {
    const { call } = await makeTenant();
    const made = [await makeAgent(call, { name: "A" }), await makeAgent(call, { name: "B" })];
    made.sort((left, right) => (left.id < right.id ? 1 : -1));

    const { json: first } = await ask<Page<Agent>>("GET", "/v1/agents?limit=1", call);
    const { json: second } = await ask<Page<Agent>>(
      "GET",
      `/v1/agents?limit=1&page=${first.next_page}`,
      call,
    );

    expect([first, second]).toEqual([
      { data: [made[0]], has_more: true, next_page: expect.any(String) },
      { data: [made[1]], has_more: false, next_page: null },
    ]);
  });

  test.each<[string, object, string[]]>([
    ["no name", {}, ["#/name"]],
    ["a name of another type", { name: 5 }, ["#/name"]],
    ["an unknown field", { name: "A", colour: "red" }, ["#/colour"]],
    ["an unknown provider", { name: "A", model: { provider: "abacus" } }, ["#/model/provider"]],
    [
      "a tool without its url",
      { name: "A", tools: [{ type: "http", name: "t" }] },
      ["#/tools/0/url"],
    ],
    [
      "a tool's unknown field",
      { name: "A", tools: [{ ...lookUp, "a/b~c": 1 }] },
      ["#/tools/0/a~1b~0c"],
    ],
    [
      "a function that was not deployed",
      { name: "A", tools: [{ type: "code", name: "convert" }] },
      ["#/tools/0/name"],
    ],
    [
      "a name that models refuse",
      { name: "A", tools: [{ ...lookUp, name: "look up" }] },
      ["#/tools/0/name"],
    ],
    [
      "a tool's name that is no key of an object",
      { name: "A", tools: [{ ...lookUp, name: "__proto__" }] },
      ["#/tools/0/name"],
    ],
    ["two tools of one name", { name: "A", tools: [lookUp, lookUp] }, ["#/tools"]],
    [
      "a tool on another scheme",
      { name: "A", tools: [{ ...lookUp, url: "file:///etc/passwd" }] },
      ["#/tools/0/url"],
    ],
    [
      "addresses that the door out refuses",
      {
        name: "A",
        model: { provider: "openai", name: "m", base_url: "https://169.254.169.254/v1" },
        fallback_models: [
          { provider: "openai", name: "m", base_url: "https://models.example/v1" },
          { provider: "openai", name: "m", base_url: "https://[::ffff:a00:1]/v1" },
        ],
        tools: [
          lookUp,
          { ...lookUp, name: "b", url: "http://shop.example/" },
          { ...lookUp, name: "c", url: "https://0xa000001/" },
          { ...lookUp, name: "d", url: "https://vault.internal./" },
          { ...lookUp, name: "e", url: "https://a:b@shop.example/" },
        ],
      },
      [
        "#/model/base_url",
        "#/fallback_models/1/base_url",
        "#/tools/1/url",
        "#/tools/2/url",
        "#/tools/3/url",
        "#/tools/4/url",
      ],
    ],
    ["no rounds at all", { name: "A", max_iters: 0 }, ["#/max_iters"]],
  ])("refuses a definition and points at it: %s", async (_, json, pointers) => {
    const { call } = await makeTenant();

    const answer = await ask("POST", "/v1/agents", { ...call, json });

    expect(refusalOf(answer)).toEqual({ status: 400, code: "validation_failed", pointers });
    expect((await ask<Page<Agent>>("GET", "/v1/agents", call)).json.data).toEqual([]);
  });

  test("a change is refused for an address that it brings, and for no other", async () => {
    const { call } = await makeTenant();
    const agent = await makeAgent(call, { name: "Desk", tools: [lookUp] });

    const refused = await ask("PATCH", `/v1/agents/${agent.id}`, {
      ...call,
      json: { tools: [{ ...lookUp, url: "https://10.0.0.1/" }] },
    });

    expect(refusalOf(refused)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: ["#/tools/0/url"],
    });
    expect(refused.json.errors?.[0]?.detail).toBe(
      "the host is private, local or reserved; use a public one",
    );
    expect((await ask("GET", `/v1/agents/${agent.id}`, call)).json).toEqual(agent);
  });

  test("names this machine on a local platform alone", async () => {
    const { call } = await makeTenant();
    const definition = { name: "Desk", tools: [{ ...lookUp, url: "https://127.0.0.1:9/" }] };

    const local = await makeAgent(call, definition);
    const headers = { Authorization: `Bearer ${call.key}`, "Content-Type": "application/json" };
    const production = { ...env, ENVIRONMENT: "production" };
    const made = await app.request(
      "/v1/agents",
      { method: "POST", headers, body: JSON.stringify(definition) },
      production,
    );
    const renamed = await app.request(
      `/v1/agents/${local.id}`,
      { method: "PATCH", headers, body: JSON.stringify({ name: "Counter" }) },
      production,
    );

    // Its own old address stands in no change's way; the door refuses it.
    expect([made.status, renamed.status]).toEqual([400, 200]);
  });
});
