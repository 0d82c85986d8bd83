// The record of administrative acts: whose it is, how it is read, and how long it is kept.
import { env } from "cloudflare:workers";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import { SCOPES } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import {
  AUDIT_EXPORT_ROWS,
  MAX_SCANNED_AUDIT_ENTRIES,
  MAX_PURGED_AUDIT_ENTRIES,
} from "../../../protocol/audit/limits.ts";
import { sweep } from "../../../worker/jobs/sweep.ts";
import type { Call } from "../support/api.ts";
import { HeldQueue } from "../webhooks/endpoint.ts";
import { ask, makeAgent, makeSession, OPERATOR, refusalOf } from "../support/api.ts";
import { makeUnrecordedTenant } from "../support/unrecorded-tenant.ts";

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

describe("the audit", () => {
  test("has no entry of an act that was refused, or failed", async () => {
    const { call } = await makeUnrecordedTenant();
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
    const [tenant, full] = [await makeUnrecordedTenant(), await makeUnrecordedTenant()];
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
    const { call } = await makeUnrecordedTenant();
    const agent = await makeAgent(call);
    const session = await makeSession(call, { agent_id: agent.id });
    const headers = { "Idempotency-Key": crypto.randomUUID() };
    const rules = { rules: [{ tool_name: "x", rule_content: null, behavior: "ask" }] };
    for (let sent = 0; sent < 2; sent += 1) {
      await ask("POST", "/v1/api-keys", { ...call, headers, json: { name: "Till" } });
      const path = `/v1/sessions/${session.id}/permission-rules`;
      await ask("POST", path, { ...call, headers, json: rules });
      // The same rule is no rule more.
      await ask("POST", path, { ...call, json: rules });
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
    const { call } = await makeUnrecordedTenant();
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
    const { id, call } = await makeUnrecordedTenant();
    const count = AUDIT_EXPORT_ROWS * 2 + 5;
    const { results } = await env.DB.prepare(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
       INSERT INTO audit_entries (tenant_id, id, created_at, actor_kind, action, target_id, request_id)
       SELECT ?, 'aud_0000000000' || printf('%016d', n), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'operator', 'agent.created', 'a', 'r'
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

  test("is looked through in parts by a filter that leaves most of it out", async () => {
    const { id, call } = await makeUnrecordedTenant();
    const count = MAX_SCANNED_AUDIT_ENTRIES * 2;
    await env.DB.prepare(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
       INSERT INTO audit_entries (tenant_id, id, created_at, actor_kind, action, target_id, request_id)
       SELECT ?, 'aud_0000000000' || printf('%016d', n), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 'operator', 'agent.created',
         'agt_' || n, 'r'
       FROM n`,
    )
      .bind(count, id)
      .run();
    const pages = [];
    let page = "";
    do {
      const path = `/v1/audit?target_id=agt_1${page}`;
      const { json } = await ask<Page<AuditEntry>>("GET", path, call);
      pages.push(json.data.length);
      page = json.next_page === null ? "" : `&page=${json.next_page}`;
    } while (page !== "");
    const exported = await ask("GET", `/v1/audit?target_id=agt_${count}&format=jsonl`, call);

    expect(pages).toEqual([0, 1, 0]);
    expect(exported.text.trimEnd().split("\n")).toHaveLength(1);
  });

  test("is nobody else's, and nobody's who lacks its scope", async () => {
    const [tenant, other] = [await makeUnrecordedTenant(), await makeUnrecordedTenant()];
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
    const { id, call } = await makeUnrecordedTenant();
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

  test("is kept for a year, or as long as the deployment says, and purged in steps by the sweep", async () => {
    const { id, call } = await makeUnrecordedTenant();
    const writeOld = (days: number, count: number) =>
      env.DB.prepare(
        `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ?)
         INSERT INTO audit_entries (tenant_id, id, created_at, actor_kind, action, target_id, request_id)
         SELECT ?, 'aud_000000' || ? || printf('%016d', n), ?, 'operator', 'agent.created', 'a', 'r' FROM n`,
      )
        .bind(count, id, String(days).padStart(4, "0"), daysAgo(days))
        .run();
    await writeOld(364, 1);
    await writeOld(366, MAX_PURGED_AUDIT_ENTRIES + 1);
    const held = new HeldQueue();
    const bindings = { ...env, WEBHOOK_QUEUE: held.binding as never };
    const lefts = [];
    for (const AUDIT_KEPT_DAYS of [undefined, undefined, "30"]) {
      await sweep({ ...bindings, AUDIT_KEPT_DAYS }, { kind: "walk", after: "" });
      const left = (await ask("GET", "/v1/audit?format=jsonl", call)).text.split("\n").length - 1;
      lefts.push([left, held.take().length]);
    }

    expect(lefts).toEqual([
      [2, 1],
      [1, 0],
      [0, 0],
    ]);
  });
});

function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}
