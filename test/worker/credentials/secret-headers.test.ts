// A secret in a tool's definition would be read by everybody with `agents:read`: it has to be a credential.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { Agent, AgentVersion } from "../../../protocol/agents/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { ask, makeAgent, makeTenant, refusalOf, type Call } from "../support/api.ts";
import { makeCredential } from "../support/credentials.ts";

const TOOL = { type: "http", name: "t", url: "https://shop.example/t" };
const HOSTS = { type: "tool", allowed_hosts: ["shop.example"] };
const LEGACY = { "X-Shop": "berlin", Authorization: "Bearer old", "x-api-key": "sk-old" };

/** An agent as the platform stored it before it refused secrets in `headers`. */
async function makeLegacyAgent(call: Call): Promise<Agent> {
  const agent = await makeAgent(call, { name: "Old", tools: [{ ...TOOL, headers: {} }] });
  await env.DB.prepare(
    "UPDATE agent_versions SET definition = json_set(definition, '$.tools[0].headers', json(?)) WHERE agent_id = ?",
  )
    .bind(JSON.stringify(LEGACY), agent.id)
    .run();
  return agent;
}

async function storedHeaders(agentId: string) {
  const { results } = await env.DB.prepare(
    "SELECT definition FROM agent_versions WHERE agent_id = ? ORDER BY version",
  )
    .bind(agentId)
    .all<{ definition: string }>();
  return results.map(({ definition }) => (JSON.parse(definition) as Agent).tools[0]);
}

describe("a tool's headers", () => {
  test.each([
    "Authorization",
    "proxy-authorization",
    "Cookie",
    "X-Api-Key",
    "x-apikey",
    "X-Auth-Token",
    "x_secret",
    "X-Shop-Password",
    "x-client-credential",
    "x-jwt",
    "x-auth",
  ])("are not %s, and the refusal does not repeat its value", async (header) => {
    const { call } = await makeTenant();
    const tools = [TOOL, { ...TOOL, name: "t2", headers: { [header]: "sk-PROD" } }];

    const answer = await ask("POST", "/v1/agents", { ...call, json: { name: "A", tools } });

    expect(refusalOf(answer)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: [`#/tools/1/headers/${header}`],
    });
    expect(answer.json.errors?.[0]?.detail).toContain("name it in secret_headers");
    expect(answer.text).not.toContain("sk-PROD");
  });

  test("may say what is no secret, and are shown as they are", async () => {
    const { call } = await makeTenant();
    const headers = { "X-Shop": "berlin", "x-keyboard": "qwertz", "Idempotency-Key": "mine" };

    const agent = await makeAgent(call, { name: "A", tools: [{ ...TOOL, headers }] });

    expect(agent.tools).toMatchObject([{ headers }]);
  });

  test("name their secrets by credential, one for each header", async () => {
    const { call } = await makeTenant();
    const [tool, model] = [await makeCredential(call, HOSTS), await makeCredential(call)];
    const secrets = (secret_headers: object, rest: object = {}) => ({
      ...call,
      json: { name: "A", tools: [{ ...TOOL, secret_headers, ...rest }] },
    });

    const answers = [
      await ask("POST", "/v1/agents", secrets({ "X-Api-Key": tool.id, Authorization: tool.id })),
      await ask("POST", "/v1/agents", secrets({ "X-Api-Key": model.id })),
      await ask("POST", "/v1/agents", secrets({ "x~key": `crd_${"0".repeat(26)}` })),
      await ask("POST", "/v1/agents", secrets({ Host: tool.id })),
      await ask("POST", "/v1/agents", secrets({ "x shop": tool.id })),
      await ask("POST", "/v1/agents", secrets({ "x-a": tool.id, "X-A": tool.id })),
      await ask("POST", "/v1/agents", secrets({ "x-a": tool.id }, { headers: { "X-A": "b" } })),
      await ask(
        "POST",
        "/v1/agents",
        secrets({ AUTHORIZATION: tool.id }, { credential_id: tool.id }),
      ),
    ];

    const refused = (pointer: string) => [400, [pointer]];
    const place = "#/tools/0/secret_headers";
    expect(answers.map(({ status, json }) => [status, json.errors?.map((e) => e.pointer)])).toEqual(
      [
        [201, undefined],
        refused(`${place}/X-Api-Key`),
        refused(`${place}/x~0key`),
        refused(`${place}/Host`),
        refused(`${place}/x%20shop`),
        refused(place),
        refused(`${place}/x-a`),
        refused(`${place}/AUTHORIZATION`),
      ],
    );
  });
});

describe("an agent of an older version with secrets in its headers", () => {
  const hidden = { "X-Shop": "berlin", Authorization: "[redacted]", "x-api-key": "[redacted]" };

  test("is shown without them, wherever it is shown", async () => {
    const { call } = await makeTenant();
    const { id } = await makeLegacyAgent(call);
    const path = `/v1/agents/${id}`;

    const read = await ask<Agent>("GET", path, call);
    const listed = await ask<Page<Agent>>("GET", "/v1/agents", call);
    const same = await ask<Agent>("PATCH", path, { ...call, json: { name: "Old" } });
    const changed = await ask<Agent>("PATCH", path, { ...call, json: { name: "New" } });
    const version = await ask<AgentVersion>("GET", `${path}/versions/1`, call);
    const versions = await ask<Page<AgentVersion>>("GET", `${path}/versions`, call);

    const shown = [
      read.json,
      ...listed.json.data,
      same.json,
      changed.json,
      version.json,
      ...versions.json.data,
    ];
    expect(shown.map(({ tools }) => tools)).toMatchObject(shown.map(() => [{ headers: hidden }]));
    expect([same.json.version, changed.json.version]).toEqual([1, 2]);
  });

  test("keeps them when something else is changed", async () => {
    const { call } = await makeTenant();
    const { id } = await makeLegacyAgent(call);

    await ask("PATCH", `/v1/agents/${id}`, { ...call, json: { name: "New" } });

    expect(await storedHeaders(id)).toMatchObject([{ headers: LEGACY }, { headers: LEGACY }]);
  });

  test("is not written back as it is shown: it would lose them, or have them sent elsewhere", async () => {
    const { call } = await makeTenant();
    const { id } = await makeLegacyAgent(call);
    const path = `/v1/agents/${id}`;
    const { tools } = (await ask<Agent>("GET", path, call)).json;
    const moved = tools.map((tool) => ({ ...tool, url: "https://evil.example/" }));

    const answers = [
      await ask("PATCH", path, { ...call, json: { tools } }),
      await ask("PATCH", path, { ...call, json: { tools: moved } }),
    ];

    const pointers = ["#/tools/0/headers/Authorization", "#/tools/0/headers/x-api-key"];
    expect(answers.map(refusalOf)).toEqual(
      answers.map(() => ({ status: 400, code: "validation_failed", pointers })),
    );
    expect(await storedHeaders(id)).toMatchObject([{ headers: LEGACY }]);
  });
});
