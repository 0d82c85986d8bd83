// The record of administrative acts, through the door.
import { env } from "cloudflare:workers";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import type { AuditEntry } from "../../../protocol/api/audit.ts";
import type { CreatedApiKey } from "../../../protocol/api/api-keys.ts";
import { SCOPES } from "../../../protocol/api/api-keys.ts";
import type { Page } from "../../../protocol/api/common.ts";
import type { SessionRule } from "../../../protocol/api/permission-rules.ts";
import { AUDIT_EXPORT_ROWS, MAX_AUDIT_SIDE_BYTES } from "../../../protocol/limits-audit.ts";
import type { Call } from "../support/api.ts";
import { ask, makeAgent, makeSession, makeTenant, OPERATOR, refusalOf } from "../support/api.ts";

async function readAudit(call: Call, query = ""): Promise<readonly AuditEntry[]> {
  const { json } = await ask<Page<AuditEntry>>("GET", `/v1/audit?limit=100${query}`, call);
  return json.data;
}

async function actionsOf(call: Call, query = ""): Promise<readonly string[]> {
  return (await readAudit(call, query)).map(({ action }) => action);
}

function whole({ action, before, after }: AuditEntry) {
  return { action, before, after };
}

describe("an entry", () => {
  test("says who did what with which credential, from where, and what changed alone", async () => {
    const { call } = await makeTenant();
    const agent = await makeAgent(call, { name: "Desk", system_prompt: "Be kind." });
    const headers = { "CF-Connecting-IP": "203.0.113.7" };
    const json = { system_prompt: "Be brief." };
    const changed = await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json, headers });
    const [entry] = await readAudit(call);
    const [key] = (await ask<Page<{ id: string }>>("GET", "/v1/api-keys", call)).json.data;

    expect(entry).toEqual({
      id: expect.stringMatching(/^aud_/),
      created_at: expect.any(String),
      actor: { kind: "api_key", id: key?.id },
      action: "agent.updated",
      target_id: agent.id,
      before: { version: 1, system_prompt: "Be kind." },
      after: { version: 2, system_prompt: "Be brief." },
      address: "203.0.113.7",
      request_id: changed.headers.get("X-Request-Id"),
    });
  });

  test("is there for each kind of act on keys, agents, endpoints and sessions", async () => {
    const { call } = await makeTenant();
    const made: Record<string, string> = {};
    const act = async (name: string, method: string, path: string, json?: object) => {
      const answer = await ask<{ id?: string }>(method, path, { ...call, json });
      if (answer.status >= 300) throw new Error(`${name}: ${answer.text}`);
      made[name] ??= answer.json.id ?? "";
    };
    await act("key", "POST", "/v1/api-keys", {});
    await act("", "POST", `/v1/api-keys/${made["key"]}/rotate`, {});
    await act("", "DELETE", `/v1/api-keys/${made["key"]}`);
    await act("agent", "POST", "/v1/agents", { name: "A" });
    await act("", "PATCH", `/v1/agents/${made["agent"]}`, { name: "B" });
    const url = "https://shop.example/hook";
    await act("webhook", "POST", "/v1/webhook-endpoints", { url, events: ["*"] });
    const webhook = `/v1/webhook-endpoints/${made["webhook"]}`;
    await act("", "PATCH", webhook, { disabled: true });
    await act("", "POST", `${webhook}/rotate-secret`, {});
    await act("", "DELETE", webhook);
    await act("inbound", "POST", "/v1/inbound-endpoints", { name: "I" });
    await act("", "POST", `/v1/inbound-endpoints/${made["inbound"]}/rotate-secret`, {});
    await act("", "DELETE", `/v1/inbound-endpoints/${made["inbound"]}`);
    await act("session", "POST", "/v1/sessions", { agent_id: made["agent"] });
    const session = `/v1/sessions/${made["session"]}`;
    await act("", "PATCH", session, { permission: { mode: "explore" } });
    await act("", "PATCH", session, { metadata: { told: "nobody" } });
    const rules = [{ tool_name: "x", rule_content: null, behavior: "ask" }];
    const added = await ask<{ data: readonly SessionRule[] }>(
      "POST",
      `${session}/permission-rules`,
      {
        ...call,
        json: { rules },
      },
    );
    await act("", "DELETE", `${session}/permission-rules/${added.json.data[0]?.id}`);
    await act("", "DELETE", session);
    await act("", "DELETE", `/v1/agents/${made["agent"]}`);

    expect([...(await actionsOf(call))].reverse()).toEqual([
      "api_key.created",
      "api_key.rotated",
      "api_key.revoked",
      "agent.created",
      "agent.updated",
      "webhook_endpoint.created",
      "webhook_endpoint.updated",
      "webhook_endpoint.secret_rotated",
      "webhook_endpoint.deleted",
      "inbound_endpoint.created",
      "inbound_endpoint.secret_rotated",
      "inbound_endpoint.deleted",
      "session.permission_changed",
      "session.rules_added",
      "session.rule_removed",
      "session.deleted",
      "agent.deleted",
    ]);
  });

  test("of a revocation names the keys that went with it, and those alone", async () => {
    const { call } = await makeTenant();
    const make = async (by: Call) =>
      (await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...by, json: {} })).json;
    const child = await make(call);
    const grandchild = await make({ key: child.api_key });
    const gone = await make({ key: child.api_key });
    await ask("DELETE", `/v1/api-keys/${gone.id}`, call);
    const json = { reason: "leaked" };
    await ask("POST", `/v1/api-keys/${child.id}/revoke`, { ...call, json });
    const [entry, ...before] = await readAudit(call);

    expect(entry).toMatchObject({
      action: "api_key.revoked",
      target_id: child.id,
      after: { revoked_at: expect.any(String), revoked_reason: "leaked" },
    });
    const ids = entry?.after?.["revoked_key_ids"] as string[];
    // The one that was revoked before has a reason now.
    expect([...ids].sort()).toEqual([child.id, grandchild.id, gone.id].sort());
    expect(before.filter(({ action }) => action === "api_key.revoked")).toHaveLength(1);
  });

  test("of a session's permission is there when it opens with one, and when that is copied or brought in", async () => {
    const { call } = await makeTenant();
    const agent = await makeAgent(call);
    const permission = {
      mode: "explore",
      rules: [{ tool_name: "x", rule_content: null, behavior: "deny" }],
    };
    const session = await makeSession(call, { agent_id: agent.id, permission });
    const plain = await makeSession(call, { agent_id: agent.id });
    const fork = await ask<{ id: string }>("POST", `/v1/sessions/${session.id}/fork`, {
      ...call,
      json: {},
    });
    const state = { permission_context: { mode: "dont_ask" } };
    await ask("PUT", `/v1/sessions/${plain.id}/state`, { ...call, json: state });

    const entries = await readAudit(call, "&action=session.permission_changed");
    expect(entries.map(({ target_id }) => target_id)).toEqual([plain.id, fork.json.id, session.id]);
    expect(entries.map(({ after }) => after)).toMatchObject([
      { mode: "dont_ask" },
      { permission: { mode: "explore" }, forked_from: { session_id: session.id } },
      { permission },
    ]);
  });

  test("of what is large has its size instead, and what is small beside it", async () => {
    const { call } = await makeTenant();
    await makeAgent(call, { name: "Desk", system_prompt: "x".repeat(100_000) });
    const [entry] = await readAudit(call);

    expect(entry?.after).toMatchObject({
      name: "Desk",
      system_prompt: { omitted_bytes: expect.any(Number) },
    });
    expect(JSON.stringify(entry?.after).length).toBeLessThan(MAX_AUDIT_SIDE_BYTES + 1_000);
  });

  test("never holds a secret", async () => {
    const { call, api_key } = await makeTenant();
    const word = `secret-${crypto.randomUUID()}`;
    const tool = {
      type: "http",
      name: "t",
      url: `https://tool.example/?key=${word}`,
      headers: { "X-Key": word },
    };
    const key = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: {} });
    const rotated = await ask<CreatedApiKey>("POST", `/v1/api-keys/${key.json.id}/rotate`, {
      ...call,
      json: {},
    });
    const agent = await makeAgent(call, { name: "A", tools: [tool] });
    const tools = [{ ...tool, headers: { "X-Key": `${word}-2`, "X-Other": word } }];
    await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { tools } });
    await ask("DELETE", `/v1/agents/${agent.id}`, call);
    const url = `https://shop.example/hook?token=${word}`;
    const endpoint = { url, events: ["*"] };
    const secrets = [word, api_key, key.json.api_key, rotated.json.api_key];
    for (const [path, json] of [
      ["/v1/webhook-endpoints", endpoint],
      ["/v1/inbound-endpoints", { name: "I" }],
    ] as const) {
      const made = await ask<{ id: string; secret: string }>("POST", path, { ...call, json });
      const again = `${path}/${made.json.id}/rotate-secret`;
      const { json: fresh } = await ask<{ secret: string }>("POST", again, { ...call, json: {} });
      secrets.push(made.json.secret, fresh.secret);
      await ask("DELETE", `${path}/${made.json.id}`, call);
    }
    const { results } = await env.DB.prepare("SELECT * FROM audit_entries").all();
    const written = JSON.stringify(results);

    expect(secrets.map((secret) => secret.length > 20)).toEqual(secrets.map(() => true));
    expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
    expect(written).toContain("X-Key");
  });
});

describe("the audit", () => {
  test("has no entry of an act that was refused, or failed", async () => {
    const { call } = await makeTenant();
    const agent = await makeAgent(call);
    const session = await makeSession(call, { agent_id: agent.id });
    const before = await actionsOf(call);
    const missing = "0".repeat(26);
    const answers = [
      await ask("POST", "/v1/agents", { ...call, json: { name: "" } }),
      await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: {} }),
      await ask("DELETE", `/v1/agents/agt_${missing}`, call),
      await ask("DELETE", `/v1/api-keys/key_${missing}`, call),
      await ask("DELETE", `/v1/sessions/ses_${missing}`, call),
      await ask("DELETE", `/v1/sessions/${session.id}/permission-rules/rul_${missing}`, call),
      await ask("PATCH", `/v1/sessions/ses_${missing}`, {
        ...call,
        json: { permission: { mode: "explore" } },
      }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([400, 200, 404, 404, 404, 404, 404]);
    expect(await actionsOf(call)).toEqual(before);
  });

  test("and an act are written together, or neither is", async () => {
    const [tenant, full] = [await makeTenant(), await makeTenant()];
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => error.mockRestore());
    await env.DB.exec(
      `CREATE TRIGGER no_audit BEFORE INSERT ON audit_entries WHEN NEW.tenant_id = '${tenant.id}' BEGIN SELECT RAISE(ABORT, 'no'); END`,
    );
    onTestFinished(async () => void (await env.DB.exec("DROP TRIGGER no_audit")));
    await env.DB.prepare("UPDATE tenants SET quotas = json_set(quotas, '$.agents', 0) WHERE id = ?")
      .bind(full.id)
      .run();
    const answers = [];
    for (const { call } of [tenant, full]) {
      answers.push(await ask("POST", "/v1/agents", { ...call, json: { name: "A" } }));
      const { json } = await ask<Page<unknown>>("GET", "/v1/agents", call);
      answers.push({ agents: json.data, acts: await actionsOf(call, "&action=agent.created") });
    }

    expect(answers).toMatchObject([
      { status: 500 },
      { agents: [], acts: [] },
      { status: expect.toSatisfy((status: number) => status >= 400) },
      { agents: [], acts: [] },
    ]);
  });

  test("has one entry of a request that is sent again, and of an act that is done again", async () => {
    const { call } = await makeTenant();
    const agent = await makeAgent(call);
    const session = await makeSession(call, { agent_id: agent.id });
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const rules = { rules: [{ tool_name: "x", rule_content: null, behavior: "ask" }] };
    for (let sent = 0; sent < 2; sent += 1) {
      await ask("POST", "/v1/api-keys", { ...call, headers, json: { name: "Till" } });
      const path = `/v1/sessions/${session.id}/permission-rules`;
      await ask("POST", path, { ...call, headers, json: rules });
      const json = { permission: { mode: "explore" } };
      await ask("PATCH", `/v1/sessions/${session.id}`, { ...call, json });
      await ask("DELETE", `/v1/sessions/${session.id}`, sent === 1 ? call : {});
    }
    const [key] = (await ask<Page<{ id: string }>>("GET", "/v1/api-keys", call)).json.data;
    await ask("DELETE", `/v1/api-keys/${key?.id}`, call);
    await ask("DELETE", `/v1/api-keys/${key?.id}`, call);

    expect(await actionsOf(call)).toEqual([
      "api_key.revoked",
      "session.deleted",
      "session.permission_changed",
      "session.rules_added",
      "api_key.created",
      "agent.created",
    ]);
  });

  test("is read a page at a time, and by what was done, by whom, to what and when", async () => {
    const { call } = await makeTenant();
    const first = await makeAgent(call, { name: "First" });
    await makeAgent(call, { name: "Second" });
    const key = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: {} });
    await makeAgent({ key: key.json.api_key }, { name: "Third" });
    const all = await readAudit(call);
    const pages = [];
    let page = "";
    do {
      const path = `/v1/audit?limit=3${page}`;
      const { json } = await ask<Page<AuditEntry>>("GET", path, call);
      pages.push(...json.data);
      page = json.next_page === null ? "" : `&page=${json.next_page}`;
    } while (page !== "");
    const [newest] = all;

    expect(all.map(({ action }) => action)).toEqual([
      "agent.created",
      "api_key.created",
      "agent.created",
      "agent.created",
    ]);
    expect(pages).toEqual(all);
    expect(await readAudit(call, `&actor_id=${key.json.id}`)).toEqual([newest]);
    expect((await readAudit(call, `&target_id=${first.id}`)).map(whole)).toMatchObject([
      { action: "agent.created", before: null, after: { name: "First" } },
    ]);
    expect(await actionsOf(call, "&action=api_key.created")).toEqual(["api_key.created"]);
    expect(await readAudit(call, `&created_after=${newest?.created_at}`)).toContainEqual(newest);
    expect(await readAudit(call, `&created_before=${all.at(-1)?.created_at}`)).toEqual([]);
    const wrong = await ask("GET", "/v1/audit?action=agent.praised", call);
    expect(refusalOf(wrong)).toMatchObject({ status: 400, pointers: ["#/query/action"] });
  });

  test.each([
    ["?format=jsonl", {}],
    ["", { Accept: "application/x-ndjson" }],
  ])("is exported whole as JSON lines, oldest first%s", async (query, headers) => {
    const { id, call } = await makeTenant();
    const count = AUDIT_EXPORT_ROWS * 2 + 5;
    const { results } = await env.DB.prepare(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
       INSERT INTO audit_entries (tenant_id, id, created_at, actor_kind, action, target_id, request_id)
       SELECT ?, 'aud_0000000000' || printf('%016d', n), '2026-01-01T00:00:00.000Z', 'operator', 'agent.created', 'a', 'r'
       FROM n`,
    )
      .bind(count, id)
      .run();
    const exported = await ask("GET", `/v1/audit${query}`, { ...call, headers });
    const lines = exported.text.trimEnd().split("\n");
    const ids = lines.map((line) => (JSON.parse(line) as AuditEntry).id);

    expect(results).toEqual([]);
    expect([exported.status, exported.headers.get("Content-Type")]).toEqual([
      200,
      "application/x-ndjson",
    ]);
    expect(ids).toHaveLength(count);
    expect(ids).toEqual([...ids].sort());
  });

  test("is nobody else's, and nobody's who lacks its scope", async () => {
    const [tenant, other] = [await makeTenant(), await makeTenant()];
    await makeAgent(tenant.call, { name: "Mine alone" });
    const scopes = SCOPES.filter((scope) => scope !== "audit:read");
    const { json: narrow } = await ask<CreatedApiKey>("POST", "/v1/api-keys", {
      ...tenant.call,
      json: { scopes },
    });
    const theirs = await ask("GET", "/v1/audit?format=jsonl", other.call);
    const named = await ask("GET", `/v1/audit?tenant_id=${tenant.id}`, other.call);
    const without = await ask("GET", "/v1/audit", { key: narrow.api_key });

    expect([theirs.status, theirs.text]).toEqual([200, ""]);
    expect([refusalOf(named), refusalOf(without)]).toMatchObject([
      { status: 404, pointers: ["#/query/tenant_id"] },
      { status: 403, code: "insufficient_scope" },
    ]);
  });

  test("has the operator's acts for a tenant, and outlives it", async () => {
    const { id, call } = await makeTenant();
    const json = { tenant_id: id };
    const key = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...OPERATOR, json });
    const seen = await readAudit(call);
    await ask("DELETE", `/v1/tenants/${id}`, OPERATOR);
    const kept = await readAudit(OPERATOR, `&tenant_id=${id}&target_id=${key.json.id}`);

    expect(seen.find(({ target_id }) => target_id === key.json.id)).toMatchObject({
      action: "api_key.created",
      actor: { kind: "operator", id: null },
    });
    expect(kept).toEqual(seen.filter(({ target_id }) => target_id === key.json.id));
    expect(refusalOf(await ask("GET", "/v1/audit", OPERATOR))).toMatchObject({
      status: 400,
      pointers: ["#/query/tenant_id"],
    });
  });
});
