import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { readSessionInit } from "../../../durable-objects/tables/session-tables.ts";
import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { Agent } from "../../../protocol/agents/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Credential } from "../../../protocol/credentials/contract.ts";
import { openPinnedCredentials } from "../../../storage/credentials/pinned-credentials.ts";
import { readAgentSnapshot } from "../../../storage/agents/agent-snapshot.ts";
import type { Call } from "../support/api.ts";
import { ask, makeAgent, makeSession, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";

const SECRET = "sk-live-1234567890";
const HOSTS = ["api.openai.com", "shop.example"];

function createCredential(call: Call, json: object = {}) {
  const body = { name: "Model key", type: "model", secret: SECRET, allowed_hosts: HOSTS, ...json };
  return ask<Credential>("POST", "/v1/credentials", { ...call, json: body });
}

function onModel(credential_id: string) {
  return { name: "Desk", model: { provider: "openai", name: "m", credential_id } };
}

/** The settings that the session's object has written down. */
function initOf(tenantId: string, sessionId: string): Promise<SessionInit> {
  const object = env.SESSION.getByName(sessionObjectName(tenantId, sessionId));
  return runInDurableObject(object, (_, { storage }) => {
    const init = readSessionInit(storage.sql);
    if (!init || init === "unreadable") throw new Error("the session has no init");
    return init;
  });
}

describe("credentials", () => {
  test("a secret goes in, and no answer and no table holds it", async () => {
    const { call } = await makeTenant();

    const created = await createCredential(call);
    const listed = await ask<Page<Credential>>("GET", "/v1/credentials", call);
    const tables = await Promise.all(
      ["credentials", "tenant_keys"].map((table) => env.DB.prepare(`SELECT * FROM ${table}`).all()),
    );

    const { id, created_at } = created.json;
    const change = { version: 1, created_at, updated_at: created_at };
    const shown = { id, name: "Model key", type: "model", allowed_hosts: HOSTS, ...change };
    expect({ status: created.status, created: created.json, listed: listed.json }).toEqual({
      status: 201,
      created: shown,
      listed: { data: [shown], has_more: false, next_page: null },
    });
    expect(JSON.stringify(tables.map(({ results }) => results))).not.toContain(SECRET.slice(3));
  });

  test("a deleted credential is gone", async () => {
    const { call } = await makeTenant();
    const { json } = await createCredential(call);
    const path = `/v1/credentials/${json.id}`;

    const statuses = [
      (await ask("DELETE", path, call)).status,
      (await ask("DELETE", path, call)).status,
    ];

    const { json: list } = await ask<Page<Credential>>("GET", "/v1/credentials", call);
    expect([statuses, list.data]).toEqual([[204, 404], []]);
  });

  test("the list goes page by page, the newest first", async () => {
    const { call } = await makeTenant();
    const ids: string[] = [];
    for (const name of ["A", "B", "C"]) ids.push((await createCredential(call, { name })).json.id);

    const first = await ask<Page<Credential>>("GET", "/v1/credentials?limit=2", call);
    const next = `/v1/credentials?limit=2&page=${first.json.next_page}`;
    const second = await ask<Page<Credential>>("GET", next, call);

    const found = [...first.json.data, ...second.json.data].map(({ id }) => id);
    expect([found, second.json.has_more]).toEqual([ids.sort().reverse(), false]);
  });

  test.each<[string, object, string]>([
    ["no secret", { secret: undefined }, "#/secret"],
    ["an empty secret", { secret: "" }, "#/secret"],
    ["a secret that no header can carry", { secret: "a\nb" }, "#/secret"],
    ["a secret with a space at its end", { secret: "a " }, "#/secret"],
    ["a secret that is too long", { secret: "x".repeat(4_097) }, "#/secret"],
    ["an unknown type", { type: "database" }, "#/type"],
    ["no name", { name: " " }, "#/name"],
  ])("refuses %s and does not repeat it", async (_, json, pointer) => {
    const { call } = await makeTenant();

    const answer = await createCredential(call, json);

    expect(refusalOf(answer as never)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: [pointer],
    });
    expect(answer.text).not.toContain(SECRET);
  });

  test("an agent names only credentials that its tenant has, each for what it is", async () => {
    const { call } = await makeTenant();
    const [model, tool] = [
      (await createCredential(call)).json.id,
      (await createCredential(call, { type: "tool" })).json.id,
    ];
    const unknown = `crd_${"0".repeat(26)}`;
    const http = { type: "http", name: "t", url: "https://shop.example/" };
    const tools = [{ ...http, credential_id: model, signing_credential_id: tool }];
    const fallback_models = [{ provider: "openai", name: "m", credential_id: unknown }];

    const answers = [
      await ask("POST", "/v1/agents", { ...call, json: onModel(unknown) }),
      await ask("POST", "/v1/agents", { ...call, json: onModel(tool) }),
      await ask("POST", "/v1/agents", { ...call, json: { name: "A", tools, fallback_models } }),
      await ask("POST", "/v1/agents", { ...call, json: onModel(model) }),
    ];

    const refusal = { status: 400, code: "validation_failed" };
    expect(answers.map(refusalOf)).toEqual([
      { ...refusal, pointers: ["#/model/credential_id"] },
      { ...refusal, pointers: ["#/model/credential_id"] },
      { ...refusal, pointers: ["#/fallback_models/0/credential_id", "#/tools/0/credential_id"] },
      { status: 201, code: undefined, pointers: undefined },
    ]);
  });

  test("an agent whose credential is gone can be changed elsewhere, but opens no session", async () => {
    const { call } = await makeTenant();
    const { json: credential } = await createCredential(call);
    const agent = await makeAgent(call, onModel(credential.id));
    await ask("DELETE", `/v1/credentials/${credential.id}`, call);
    const path = `/v1/agents/${agent.id}`;

    const renamed = await ask<Agent>("PATCH", path, { ...call, json: { name: "Renamed" } });
    const repeated = await ask("PATCH", path, { ...call, json: onModel(credential.id) });
    const opened = await ask("POST", "/v1/sessions", { ...call, json: { agent_id: agent.id } });

    expect([renamed.status, refusalOf(repeated).pointers, refusalOf(opened).code]).toEqual([
      200,
      ["#/model/credential_id"],
      "conflict",
    ]);
  });

  test("a session keeps the sealed secrets of its agent, and only the master secret opens them", async () => {
    const tenant = await makeTenant();
    const { json: credential } = await createCredential(tenant.call);
    const agent = await makeAgent(tenant.call, onModel(credential.id));
    const session = await makeSession(tenant.call, { agent_id: agent.id });
    await ask("DELETE", `/v1/credentials/${credential.id}`, tenant.call);

    const init = await initOf(tenant.id, session.id);

    const opened = await openPinnedCredentials(init, { current: env.MASTER_KEY });
    expect(opened).toEqual(new Map([[credential.id, { secret: SECRET, allowed_hosts: HOSTS }]]));
    expect(JSON.stringify(init)).not.toContain(SECRET.slice(3));
    const other = btoa("another-master-key-of-32-bytes!!");
    await expect(openPinnedCredentials(init, { current: other })).rejects.toThrow(
      "cannot be decrypted",
    );
    const copied = { ...init, tenant_id: "ten_other" };
    await expect(openPinnedCredentials(copied, { current: env.MASTER_KEY })).rejects.toThrow(
      "cannot be decrypted",
    );
  });

  test("a snapshot of an agent brings the secrets that it names, and no others", async () => {
    const tenant = await makeTenant();
    const [named] = [await createCredential(tenant.call), await createCredential(tenant.call)];
    const agent = await makeAgent(tenant.call, onModel(named.json.id));

    const snapshot = await readAgentSnapshot(env.DB, tenant.id, agent.id, "latest");
    const strangers = await readAgentSnapshot(env.DB, "ten_other", agent.id, 1);

    expect([Object.keys(snapshot?.credentials ?? {}), snapshot?.version, strangers]).toEqual([
      [named.json.id],
      1,
      null,
    ]);
  });

  test("a deleted tenant's secrets are erased, and what sealed them", async () => {
    const tenant = await makeTenant();
    await createCredential(tenant.call);

    await ask("DELETE", `/v1/tenants/${tenant.id}`, OPERATOR);

    const left = await env.DB.prepare(
      `SELECT id FROM credentials WHERE tenant_id = ?1
       UNION ALL SELECT tenant_id FROM tenant_keys WHERE tenant_id = ?1`,
    )
      .bind(tenant.id)
      .all();
    expect(left.results).toEqual([]);
  });
});
