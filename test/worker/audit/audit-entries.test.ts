// Entries of the audit, and the acts that have one.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { FileLink } from "../../../protocol/files/contract.ts";
import type { AuditEntry } from "../../../protocol/audit/contract.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { SessionRule } from "../../../protocol/permission/contract.ts";
import { MAX_AUDIT_SIDE_BYTES } from "../../../protocol/audit/limits.ts";
import type { Call } from "../support/api.ts";
import { PNG, upload } from "../files/files.ts";
import { ask, makeAgent, makeSession, makeTenant, openSession, OPERATOR } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";
import { changeTenant } from "../support/tenant-use.ts";
import { makeEndpoint } from "../webhooks/endpoint.ts";

async function readAudit(call: Call, query = ""): Promise<readonly AuditEntry[]> {
  const { json } = await ask<Page<AuditEntry>>("GET", `/v1/audit?limit=100${query}`, call);
  return json.data;
}

async function actionsOf(call: Call, query = ""): Promise<readonly string[]> {
  return (await readAudit(call, query)).map(({ action }) => action);
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

  test("is there for each kind of act on credentials, keys, agents, endpoints and sessions", async () => {
    const { call } = await makeTenant();
    const made: Record<string, string> = {};
    const act = async (name: string, method: string, path: string, json?: object) => {
      const answer = await ask<{ id?: string }>(method, path, { ...call, json });
      if (answer.status >= 300) throw new Error(`${name}: ${answer.text}`);
      made[name] ??= answer.json.id ?? "";
    };
    await act("credential", "POST", "/v1/credentials", {
      name: "Shop",
      type: "tool",
      secret: "shop-token",
      allowed_hosts: ["shop.example"],
    });
    const credential = `/v1/credentials/${made["credential"]}`;
    await act("", "PATCH", credential, { secret: "shop-token-2" });
    await act("", "DELETE", credential);
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
    const keys = { issuer: "https://login.example", jwks_url: "https://login.example/keys" };
    await act("issuer", "POST", "/v1/token-issuers", { name: "T", ...keys });
    await act("", "DELETE", `/v1/token-issuers/${made["issuer"]}`);
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
      "tenant.created",
      "credential.created",
      "credential.updated",
      "credential.deleted",
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
      "token_issuer.created",
      "token_issuer.deleted",
      "session.permission_changed",
      "session.rules_added",
      "session.rule_removed",
      "session.deleted",
      "agent.deleted",
    ]);
  });

  test(
    "is there for each of the operator's acts on a tenant, which outlives it",
    BROAD,
    async () => {
      const { id } = await makeTenant();
      const path = `/v1/tenants/${id}`;
      for (const json of [
        { status: "suspended" },
        { status: "active", quotas: { agents: 3 } },
        { name: "Renamed" },
        { status: "closed" },
        { status: "closed" },
      ]) {
        await ask("PATCH", path, { ...OPERATOR, json });
      }

      const entries = [...(await readAudit(OPERATOR, `&tenant_id=${id}`))].reverse();

      expect(entries.map(({ action, actor }) => [action, actor.kind])).toEqual(
        ["created", "updated", "updated", "updated", "closed"].map((act) => [
          `tenant.${act}`,
          "operator",
        ]),
      );
      expect(entries[1]).toMatchObject({
        before: { status: "active" },
        after: { status: "suspended" },
      });
      expect(entries[2]?.after).toMatchObject({ status: "active", quotas: { agents: 3 } });
    },
  );

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
      after: { revoked_at: expect.any(String), revoked_reason: "leaked", revoked_keys: 3 },
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
    for (let brought = 0; brought < 2; brought += 1) {
      await ask("PUT", `/v1/sessions/${plain.id}/state`, { ...call, json: state });
    }

    const entries = await readAudit(call, "&action=session.permission_changed");
    expect(entries.map(({ target_id }) => target_id)).toEqual([plain.id, fork.json.id, session.id]);
    expect(entries.map(({ after }) => after)).toMatchObject([
      { mode: "dont_ask" },
      { permission: { mode: "explore" }, forked_from: { session_id: session.id } },
      { permission },
    ]);
  });

  test(
    "is there for each link to a file that a key makes, and for none of a client token",
    BROAD,
    async () => {
      const { call, path } = await openSession();
      const { json: file } = await upload(call, PNG, {
        query: `?session_id=${path.split("/")[3]}`,
      });
      const token = await mintCall(path, call, { verbs: ["read"] });
      const links = [];
      for (const maker of [call, token, call]) {
        const made = await ask<FileLink>("POST", `/v1/files/${file.id}/links`, {
          ...maker,
          json: {},
        });
        links.push(made.json);
      }
      await ask("POST", `/v1/files/fil_${"0".repeat(26)}/links`, { ...call, json: {} });
      const entries = await readAudit(call, "&action=file.link_created");

      expect(entries.map(({ target_id, after }) => [target_id, after])).toEqual([
        [file.id, { expires_at: links[2]?.expires_at }],
        [file.id, { expires_at: links[0]?.expires_at }],
      ]);
      expect(JSON.stringify(entries)).not.toContain("file-links");
    },
  );

  test("is there for each check of an agent and each test of an endpoint that is made", async () => {
    const { id, call } = await makeTenant();
    const agent = await makeAgent(call);
    const endpoint = await makeEndpoint(call);
    const tested = `/v1/webhook-endpoints/${endpoint.id}/test`;
    await ask("POST", `/v1/agents/${agent.id}/check`, { ...call, json: {} });
    const once = { ...call, headers: { "Idempotency-Key": "check-1" } };
    const delivery = await ask<{ id: string }>("POST", tested, once);
    await ask("POST", tested, once);
    await ask("PATCH", `/v1/webhook-endpoints/${endpoint.id}`, {
      ...call,
      json: { disabled: true },
    });
    await changeTenant(id, { quotas: { running_replies: 0 } });
    const refused = [
      await ask("POST", tested, call),
      await ask("POST", `/v1/agents/${agent.id}/check`, { ...call, json: {} }),
    ];
    const entries = (await readAudit(call)).filter(({ action }) => /check|test/.test(action));

    expect(refused.map(({ status }) => status)).toEqual([409, 429]);
    expect(entries.map(({ action, target_id, after }) => [action, target_id, after])).toEqual([
      ["webhook_endpoint.tested", endpoint.id, { delivery_id: delivery.json.id }],
      ["agent.checked", agent.id, { version: 1 }],
    ]);
  });

  test(
    "is there for an import that vouches for what tools have said, once, and for no other",
    BROAD,
    async () => {
      const { call } = await makeTenant();
      const agent = await makeAgent(call);
      const created_at = "2026-03-01T12:00:00.000Z";
      const content = [
        { type: "tool_call", id: "call_1", name: "read_mail", input: "{}", state: "finished" },
        { type: "tool_result", id: "call_1", name: "read_mail", output: "Hi.", state: "success" },
      ];
      const context = [{ id: "m_1", name: "Desk", role: "assistant", content, created_at }];
      const middle_context = { untrusted_content: { results: [] } };
      const bring = async (state: object) => {
        const session = await makeSession(call, { agent_id: agent.id });
        const statuses = [];
        for (let time = 0; time < 2; time += 1) {
          const answer = await ask("PUT", `/v1/sessions/${session.id}/state`, {
            ...call,
            json: state,
          });
          statuses.push(answer.status);
        }
        return { id: session.id, statuses };
      };
      const plain = await bring({ context });
      const vouched = await bring({ context, summary: "They wrote.", middle_context });
      const entries = await readAudit(call, "&action=session.content_vouched");

      expect([plain.statuses, vouched.statuses]).toEqual([
        [200, 200],
        [200, 200],
      ]);
      expect(entries.map(({ target_id, after }) => [target_id, after])).toEqual([
        [vouched.id, { results: ["call_1"], summary: true }],
      ]);
    },
  );

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

  test("never holds a secret", BROAD, async () => {
    const { call, api_key } = await makeTenant();
    const word = `secret-${crypto.randomUUID()}`;
    const tool = {
      type: "http",
      name: "t",
      url: `https://tool.example/?key=${word}`,
      headers: { "X-Shop": word },
    };
    const key = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json: {} });
    const rotated = await ask<CreatedApiKey>("POST", `/v1/api-keys/${key.json.id}/rotate`, {
      ...call,
      json: {},
    });
    const agent = await makeAgent(call, { name: "A", tools: [tool] });
    const tools = [{ ...tool, headers: { "X-Shop": `${word}-2`, "X-Other": word } }];
    await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { tools } });
    await ask("DELETE", `/v1/agents/${agent.id}`, call);
    const url = `https://shop.example/hook?token=${word}`;
    const endpoint = { url, events: ["*"] };
    const secrets = [word, api_key, key.json.api_key, rotated.json.api_key];
    const kept = { name: "C", type: "tool", secret: word, allowed_hosts: ["tool.example"] };
    const { json: credential } = await ask<{ id: string }>("POST", "/v1/credentials", {
      ...call,
      json: kept,
    });
    const place = `/v1/credentials/${credential.id}`;
    await ask("PATCH", place, { ...call, json: { secret: `${word}-3` } });
    await ask("DELETE", place, call);
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
    expect(written).toContain("X-Shop");
  });
});
