// Hosts that a secret may be sent to are said when it is made, and held against each agent that names it.
import { describe, expect, test } from "vitest";

import type { Agent } from "../../../protocol/agents/contract.ts";
import { SCOPES, type CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Credential } from "../../../protocol/credentials/contract.ts";
import { ask, makeAgent, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";
import { forgeHosts, keyWith, makeCredential } from "../support/credentials.ts";

const REFUSED = { status: 400, code: "validation_failed" };

function modelAt(base_url: string | undefined, credential_id: string) {
  return { provider: "openai", name: "m", base_url, credential_id };
}
function toolAt(url: string, credential: object) {
  return { type: "http", name: "t", url, ...credential };
}

describe("the hosts of a credential", () => {
  test.each<[string, unknown, string]>([
    ["none", undefined, "#/allowed_hosts"],
    ["null", null, "#/allowed_hosts"],
    ["an empty list", [], "#/allowed_hosts"],
    ["too many", Array.from({ length: 33 }, (_, n) => `h${n}.example`), "#/allowed_hosts"],
    ["an address", ["https://api.openai.com"], "#/allowed_hosts/0"],
    ["a path", ["api.openai.com", "api.openai.com/v1"], "#/allowed_hosts/1"],
    ["a user", ["me@api.openai.com"], "#/allowed_hosts/0"],
    ["everything", ["*"], "#/allowed_hosts/0"],
    ["all of a top level", ["*.com"], "#/allowed_hosts/0"],
    ["a port beyond the last", ["api.openai.com:65536"], "#/allowed_hosts/0"],
    ["a host that is too long", [`${"x".repeat(258)}.com`], "#/allowed_hosts/0"],
  ])("are not %s", async (_, allowed_hosts, pointer) => {
    const { call } = await makeTenant();
    const json = { name: "Key", type: "model", secret: "sk-PROD", allowed_hosts };

    const answer = await ask("POST", "/v1/credentials", { ...call, json });

    expect(refusalOf(answer)).toEqual({ ...REFUSED, pointers: [pointer] });
    expect(answer.text).not.toContain("sk-PROD");
  });

  test("are shown in one spelling, each once", async () => {
    const { call } = await makeTenant();
    const allowed_hosts = ["API.OpenAI.com.", "api.openai.com", "*.Bücher.example", "localhost:80"];

    const made = await makeCredential(call, { allowed_hosts });

    const read = await ask<Credential>("GET", `/v1/credentials/${made.id}`, call);
    expect(made.allowed_hosts).toEqual([
      "api.openai.com",
      "*.xn--bcher-kva.example",
      "localhost:80",
    ]);
    expect(read.json).toEqual(made);
  });
});

describe("a key without the secret", () => {
  test.each([
    "https://evil.example/v1",
    "https://evil.example/api.openai.com",
    "https://evil.example\\@api.openai.com/",
    "https://evil.example#@api.openai.com/",
    "https://api.openai.com.evil.example/",
    "https://xapi.openai.com/",
    "https://openai.com/",
    "https://api.openai.com:8443/",
    "https://api.openаi.com/",
  ])("has it sent to %s by no agent", async (address) => {
    const { call } = await makeTenant();
    const [model, tool] = [
      await makeCredential(call),
      await makeCredential(call, { type: "tool", secret: "whsec_c2hvcA==" }),
    ];
    const attacker = await keyWith(call, ["agents:read", "agents:write"]);
    const agent = await makeAgent(call);
    const stolen = [
      { model: modelAt(address, model.id) },
      { fallback_models: [modelAt(address, model.id)] },
      { tools: [toolAt(address, { credential_id: tool.id })] },
      { tools: [toolAt(address, { signing_credential_id: tool.id })] },
      { tools: [toolAt(address, { secret_headers: { "X-Api-Key": tool.id } })] },
    ];

    const answers = [];
    for (const json of stolen) {
      const made = { ...attacker, json: { name: "Thief", ...json } };
      answers.push(refusalOf(await ask("POST", "/v1/agents", made)));
      const changed = { ...attacker, json };
      answers.push(refusalOf(await ask("PATCH", `/v1/agents/${agent.id}`, changed)));
    }

    const places = [
      "#/model/credential_id",
      "#/fallback_models/0/credential_id",
      "#/tools/0/credential_id",
      "#/tools/0/signing_credential_id",
      "#/tools/0/secret_headers/X-Api-Key",
    ];
    expect(answers).toEqual(
      places.flatMap((pointer) => [
        { ...REFUSED, pointers: [pointer] },
        { ...REFUSED, pointers: [pointer] },
      ]),
    );
  });

  test("does not get the host into the list, nor another secret under the id", async () => {
    const { call } = await makeTenant();
    const { id } = await makeCredential(call);
    const attacker = await keyWith(call, ["agents:read", "agents:write", "credentials:read"]);

    const answers = [];
    for (const json of [{ allowed_hosts: ["evil.example"] }, { secret: "mine" }, { name: "N" }]) {
      answers.push(await ask("PATCH", `/v1/credentials/${id}`, { ...attacker, json }));
    }

    expect(answers.map(refusalOf)).toEqual(
      answers.map(() => ({ status: 403, code: "insufficient_scope", pointers: undefined })),
    );
    const { json } = await ask<Credential>("GET", `/v1/credentials/${id}`, attacker);
    expect([json.allowed_hosts, json.version]).toEqual([["api.openai.com"], 1]);
  });

  test("makes itself no key that may change it, if it was made before there was a scope for that", async () => {
    const tenant = await makeTenant();
    const older = SCOPES.filter((scope) => !scope.startsWith("credentials:"));
    const key = await keyWith(tenant.call, older);
    const scopes = ["credentials:write"];

    const own = await ask("POST", "/v1/api-keys", { ...key, json: { scopes } });
    const all = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...key, json: {} });
    const json = { scopes, tenant_id: tenant.id };
    const operators = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...OPERATOR, json });

    expect([refusalOf(own).code, all.json.scopes]).toEqual(["insufficient_scope", older]);
    expect([operators.status, operators.json.scopes]).toEqual([201, scopes]);
  });

  test("is told where the secret may go, and who may change that", async () => {
    const { call } = await makeTenant();
    const { id } = await makeCredential(call);
    const json = { name: "A", model: modelAt("https://proxy.example:8443/v1", id) };

    const answer = await ask("POST", "/v1/agents", { ...call, json });

    expect(answer.json.errors).toEqual([
      {
        pointer: "#/model/credential_id",
        detail:
          "this credential may not be sent to proxy.example:8443; name another one, or add the host to its allowed_hosts with a key that has credentials:write",
      },
    ]);
  });
});

describe("an agent may name a credential", () => {
  test.each([
    [undefined, ["api.openai.com"]],
    ["https://API.OpenAI.com:443/v1", ["api.openai.com"]],
    ["https://api.openai.com./v1", ["api.openai.com"]],
    ["https://eu.api.example/v1", ["*.api.example"]],
    ["https://bücher.example/v1", ["xn--bcher-kva.example"]],
    ["http://127.0.0.1:11434/v1", ["127.0.0.1:11434"]],
  ])("at %s for %o", async (address, allowed_hosts) => {
    const { call } = await makeTenant();
    const { id } = await makeCredential(call, { allowed_hosts });
    const json = { name: "A", model: modelAt(address, id) };

    expect((await ask("POST", "/v1/agents", { ...call, json })).status).toBe(201);
  });

  test("of an older version at any host, until it is given some", async () => {
    const { call } = await makeTenant();
    const { id } = await makeCredential(call);
    await forgeHosts(id, null);
    const path = `/v1/credentials/${id}`;
    const json = { name: "A", model: modelAt("https://proxy.example/v1", id) };

    const shown = await ask<Credential>("GET", path, call);
    const before = await ask("POST", "/v1/agents", { ...call, json });
    const allowed_hosts = ["api.openai.com"];
    const bound = await ask<Credential>("PATCH", path, { ...call, json: { allowed_hosts } });
    const after = await ask("POST", "/v1/agents", { ...call, json });

    expect([shown.json.allowed_hosts, before.status]).toEqual([null, 201]);
    expect([bound.json.allowed_hosts, bound.json.version]).toEqual([allowed_hosts, 2]);
    expect(refusalOf(after)).toEqual({ ...REFUSED, pointers: ["#/model/credential_id"] });
  });

  test("no more of them than its sessions have room for", async () => {
    const { call } = await makeTenant();
    const secret_headers = (tool: number) =>
      Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`X-H${n}`, `crd_${tool}_${n}`]));
    const tools = Array.from({ length: 5 }, (_, n) => {
      return {
        ...toolAt("https://shop.example/", {}),
        name: `t${n}`,
        secret_headers: secret_headers(n),
      };
    });

    const answer = await ask("POST", "/v1/agents", { ...call, json: { name: "A", tools } });

    expect([refusalOf(answer), answer.json.detail]).toEqual([
      { ...REFUSED, pointers: undefined },
      "an agent may name 128 credentials at most; this one names 160",
    ]);
  });
});

describe("a change of a credential", () => {
  test("keeps what it does not name, and counts new secrets and other hosts", async () => {
    const { call } = await makeTenant();
    const made = await makeCredential(call);
    const path = `/v1/credentials/${made.id}`;
    const rotator = await keyWith(call, ["credentials:read", "credentials:write"]);

    const seen: unknown[] = [];
    for (const json of [
      {},
      { name: "New name" },
      { secret: "sk-NEW" },
      { allowed_hosts: ["API.openai.com"] },
      { allowed_hosts: ["api.openai.com", "eu.example"] },
      { secret: "sk-NEWER", allowed_hosts: ["api.openai.com"], name: "Last" },
    ]) {
      const {
        status,
        json: credential,
        text,
      } = await ask<Credential>("PATCH", path, {
        ...rotator,
        json,
      });
      const { name, version, allowed_hosts } = credential;
      seen.push([status, name, version, allowed_hosts?.length, text.includes("sk-")]);
    }

    expect(seen).toEqual([
      [200, "Key", 1, 1, false],
      [200, "New name", 1, 1, false],
      [200, "New name", 2, 1, false],
      [200, "New name", 2, 1, false],
      [200, "New name", 3, 2, false],
      [200, "Last", 4, 1, false],
    ]);
    const { json } = await ask<Credential>("GET", path, rotator);
    expect(json).toEqual({
      ...made,
      name: "Last",
      version: 4,
      updated_at: expect.any(String),
    });
  });

  test.each<[object, string]>([
    [{ allowed_hosts: [] }, "#/allowed_hosts"],
    [{ allowed_hosts: null }, "#/allowed_hosts"],
    [{ secret: "" }, "#/secret"],
    [{ type: "tool" }, "#/type"],
  ])("is not %o", async (json, pointer) => {
    const { call } = await makeTenant();
    const { id } = await makeCredential(call);

    const answer = await ask("PATCH", `/v1/credentials/${id}`, { ...call, json });

    expect(refusalOf(answer)).toEqual({ ...REFUSED, pointers: [pointer] });
  });

  test("of one that is not there is 404", async () => {
    const { call } = await makeTenant();
    const { id } = await makeCredential(call);
    await ask("DELETE", `/v1/credentials/${id}`, call);
    const json = { secret: "sk-2" };

    const { status } = await ask("PATCH", `/v1/credentials/${id}`, { ...call, json });

    expect([status, (await ask("GET", `/v1/credentials/${id}`, call)).status]).toEqual([404, 404]);
  });

  test("leaves the agents that name it as they are, and their next change is held against it", async () => {
    const { call } = await makeTenant();
    const { id } = await makeCredential(call);
    const agent = await makeAgent(call, { name: "A", model: modelAt(undefined, id) });
    const json = { allowed_hosts: ["eu.example"] };
    await ask("PATCH", `/v1/credentials/${id}`, { ...call, json });
    const path = `/v1/agents/${agent.id}`;

    const renamed = await ask<Agent>("PATCH", path, { ...call, json: { name: "B" } });
    const moved = { model: { ...modelAt(undefined, id), name: "m2" } };

    expect(renamed.status).toBe(200);
    expect(refusalOf(await ask("PATCH", path, { ...call, json: moved }))).toEqual({
      ...REFUSED,
      pointers: ["#/model/credential_id"],
    });
  });
});
