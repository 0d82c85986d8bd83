// A tenant's objects: counted by D1 itself, row by row.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import {
  COUNTED_QUOTAS,
  type CountedQuota,
  DEFAULT_QUOTAS,
} from "../../../protocol/quotas/contract.ts";
import type { Tenant } from "../../../protocol/tenants/contract.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { ask, makeAgent, makeTenant, openSession, OPERATOR, type Call } from "../support/api.ts";
import { changeTenant, readLimits } from "../support/tenant-use.ts";

interface Maker {
  readonly path: string;
  readonly body: (agentId: string) => object;
}

/** One more of each that is made by a POST, and where it is deleted. */
const MAKERS: Readonly<Partial<Record<CountedQuota, Maker>>> = {
  sessions: { path: "/v1/sessions", body: (agent_id) => ({ agent_id }) },
  agents: { path: "/v1/agents", body: () => ({ name: "Another" }) },
  credentials: {
    path: "/v1/credentials",
    body: () => ({
      name: "Key",
      type: "model",
      secret: "s3cret",
      allowed_hosts: ["models.example"],
    }),
  },
  skills: {
    path: "/v1/skills",
    body: () => ({
      files: [{ path: "SKILL.md", text: "---\nname: a\ndescription: A.\n---\n" }],
    }),
  },
  api_keys: { path: "/v1/api-keys", body: () => ({}) },
  members: { path: "/v1/members", body: () => ({ name: "Ada", role: "viewer" }) },
  webhook_endpoints: {
    path: "/v1/webhook-endpoints",
    body: () => ({ url: "https://shop.example/hook", events: ["*"] }),
  },
  inbound_endpoints: { path: "/v1/inbound-endpoints", body: () => ({ name: "Shop" }) },
  triggers: {
    path: "/v1/triggers",
    body: (agent_id) => ({ name: "Daily", agent_id, input: "Hello" }),
  },
  rooms: {
    path: "/v1/rooms",
    body: (agent_id) => ({ participants: [{ name: "ann", agent_id }] }),
  },
  memory_stores: {
    path: "/v1/memory-stores",
    body: (agent_id) => ({ agent_id, end_user_id: crypto.randomUUID() }),
  },
  mcp_servers: {
    path: "/v1/mcp-servers",
    body: () => ({ name: `s${crypto.randomUUID().slice(0, 8)}`, url: "https://mcp.example/" }),
  },
};

async function make(call: Call, { path, body }: Maker, agentId: string) {
  return ask<{ id: string; code?: string; quota?: string }>("POST", path, {
    ...call,
    json: body(agentId),
  });
}

/** The counts of its rows, one by one. */
async function countRows(tenantId: string) {
  const { results } = await env.DB.prepare(
    `SELECT (SELECT count(*) FROM sessions WHERE tenant_id = ?1) AS sessions,
      (SELECT count(*) FROM agents WHERE tenant_id = ?1 AND deleted_at IS NULL) AS agents,
      (SELECT count(*) FROM agent_versions WHERE tenant_id = ?1) AS agent_versions,
      (SELECT count(*) FROM skills WHERE tenant_id = ?1) AS skills,
      (SELECT count(*) FROM credentials WHERE tenant_id = ?1) AS credentials,
      (SELECT count(*) FROM api_keys WHERE tenant_id = ?1 AND revoked_at IS NULL) AS api_keys,
      (SELECT count(*) FROM members WHERE tenant_id = ?1 AND removed_at IS NULL) AS members,
      (SELECT count(*) FROM webhook_endpoints WHERE tenant_id = ?1) AS webhook_endpoints,
      (SELECT count(*) FROM inbound_endpoints WHERE tenant_id = ?1) AS inbound_endpoints,
      (SELECT count(*) FROM mcp_servers WHERE tenant_id = ?1) AS mcp_servers,
      (SELECT count(*) FROM memory_stores WHERE tenant_id = ?1) AS memory_stores,
      (SELECT count(*) FROM rooms WHERE tenant_id = ?1) AS rooms,
      (SELECT count(*) FROM triggers WHERE tenant_id = ?1) AS triggers,
      (SELECT count(*) FROM a2a_tasks WHERE tenant_id = ?1) AS a2a_tasks,
      (SELECT coalesce(sum(length(CAST(definition AS BLOB))), 0) FROM agent_versions WHERE tenant_id = ?1)
      + (SELECT coalesce(sum(max(bytes, 4096)), 0) FROM files WHERE tenant_id = ?1)
      + (SELECT coalesce(sum(bytes), 0) FROM memory_stores WHERE tenant_id = ?1)
      + (SELECT coalesce(sum(bytes), 0) FROM rooms WHERE tenant_id = ?1)
      + (SELECT coalesce(sum(bytes), 0) FROM session_states WHERE tenant_id = ?1) AS stored_bytes`,
  )
    .bind(tenantId)
    .all();
  return results[0];
}

describe("a tenant's quotas", () => {
  test("are the defaults until the operator sets others; null goes back to the default", async () => {
    const { id, call } = await makeTenant();
    const set = await changeTenant(id, { quotas: { agents: 7, requests: 100 } });
    const seen = (await readLimits(call)).quotas;

    await changeTenant(id, { quotas: { agents: null } });

    expect(set.status).toBe(200);
    expect(seen).toEqual({ ...DEFAULT_QUOTAS, agents: 7, requests: 100 });
    expect((await readLimits(call)).quotas).toEqual({ ...DEFAULT_QUOTAS, requests: 100 });
  });

  test("may be set when the tenant is made", async () => {
    const json = { name: "Small shop", quotas: { sessions: 3 } };
    const { json: tenant } = await ask<Tenant>("POST", "/v1/tenants", { ...OPERATOR, json });

    expect(tenant.quotas).toEqual({ ...DEFAULT_QUOTAS, sessions: 3 });
  });

  test("leave room for the key that a tenant is made with", async () => {
    const json = { name: "Shop", quotas: { api_keys: 0 } };
    const { status, json: problem } = await ask("POST", "/v1/tenants", { ...OPERATOR, json });

    expect([status, problem.errors?.map(({ pointer }) => pointer)]).toEqual([
      400,
      ["#/quotas/api_keys"],
    ]);
  });

  test("refuse a size of requests that no brake has, with a pointer", async () => {
    const { id } = await makeTenant();

    const { status, json } = await changeTenant(id, { quotas: { requests: 50 } });

    expect([status, json.errors?.map(({ pointer }) => pointer)]).toEqual([
      400,
      ["#/quotas/requests"],
    ]);
  });

  test("are read by the operator for a tenant that it names, and by a tenant for itself alone", async () => {
    const [one, other] = [await makeTenant(), await makeTenant()];
    const path = `/v1/limits?tenant_id=${other.id}`;

    const answers = [
      await ask("GET", path, OPERATOR),
      await ask("GET", "/v1/limits", OPERATOR),
      await ask("GET", path, one.call),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404]);
  });

  test.each(Object.entries(MAKERS))(
    "%s: one more is refused with 429 that names the quota, until there is room",
    async (quota, maker) => {
      const { id, call } = await makeTenant();
      const agent = await makeAgent(call);
      await make(call, maker, agent.id);
      const used = (await readLimits(call)).used[quota as CountedQuota];
      await changeTenant(id, { quotas: { [quota]: used + 1 } });
      const last = await make(call, maker, agent.id);

      const refused = await make(call, maker, agent.id);
      const afterwards = (await readLimits(call)).used[quota as CountedQuota];
      const removed = await ask("DELETE", `${maker.path}/${last.json.id}`, call);
      const again = await make(call, maker, agent.id);

      expect([last.status, refused.status, removed.status < 300, again.status]).toEqual([
        201,
        429,
        true,
        201,
      ]);
      expect([refused.json.code, refused.json.quota, afterwards]).toEqual([
        "quota_exceeded",
        quota,
        used + 1,
      ]);
    },
  );

  test("two requests at once for the last place: one gets it", async () => {
    const { id, call } = await makeTenant();
    await changeTenant(id, { quotas: { agents: 1 } });

    const made = await Promise.all(
      [1, 2, 3].map(() => ask("POST", "/v1/agents", { ...call, json: { name: "Desk" } })),
    );

    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 429, 429]);
  });

  test("agent_versions: PATCHes stop at the quota, and deleting an agent makes room", async () => {
    const { id, call } = await makeTenant();
    const [agent, other] = [await makeAgent(call), await makeAgent(call)];
    await changeTenant(id, { quotas: { agent_versions: 3 } });
    const patch = (name: string) =>
      ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { name } });

    const answers = [await patch("One"), await patch("Two")];
    await ask("DELETE", `/v1/agents/${other.id}`, call);
    answers.push(await patch("Three"));

    expect(answers.map(({ status, json }) => [status, json.code])).toEqual([
      [200, undefined],
      [429, "quota_exceeded"],
      [200, undefined],
    ]);
  });

  test("agent_versions: a PATCH beside the agent's deletion leaves no version behind", async () => {
    const { id, call } = await makeTenant();
    const agent = await makeAgent(call);
    const { agents } = tenantStorage(env.DB, id);
    const current = await agents.read(agent.id);
    await ask("DELETE", `/v1/agents/${agent.id}`, call);

    const updated = await agents.update(current!, { ...current!, name: "Late" }, "2026-01-01");

    expect([updated, (await readLimits(call)).used.agent_versions]).toEqual([null, 0]);
  });

  test("stored_bytes: large definitions stop at the quota", async () => {
    const { id, call } = await makeTenant();
    await changeTenant(id, { quotas: { stored_bytes: 50_000 } });
    const make1 = () =>
      ask("POST", "/v1/agents", {
        ...call,
        json: { name: "Desk", system_prompt: "x".repeat(20_000) },
      });

    const answers = [await make1(), await make1(), await make1()];

    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429]);
  });

  test("a session that is refused leaves no object behind, and the same key may try again", async () => {
    const { id, call } = await makeTenant();
    const agent = await makeAgent(call);
    await changeTenant(id, { quotas: { sessions: 0 } });
    const open = () =>
      ask("POST", "/v1/sessions", {
        ...call,
        json: { agent_id: agent.id },
        headers: { "Idempotency-Key": "open-1" },
      });

    const refused = await open();
    await changeTenant(id, { quotas: { sessions: 1 } });
    const opened = await open();

    expect([refused.status, opened.status]).toEqual([429, 201]);
  });

  test("the counts are those of the rows, whatever was made, changed and deleted", async () => {
    const { tenantId, call, agent, path } = await openSession();
    await ask("POST", `${path}/replies`, { ...call, json: { input: "/say hello" } });
    for (const maker of Object.values(MAKERS)) {
      const made = await make(call, maker, agent.id);
      await make(call, maker, agent.id);
      await ask("DELETE", `${maker.path}/${made.json.id}`, call);
    }
    await ask("PATCH", `/v1/agents/${agent.id}`, { ...call, json: { name: "Newer" } });

    const { used } = await readLimits(call);

    const counted = Object.fromEntries(COUNTED_QUOTAS.map((name) => [name, used[name]]));
    await expect
      .poll(async () => (await readLimits(call)).used.stored_bytes)
      .toBeGreaterThan(9_000);
    // The bytes of rows: test/worker/quotas/database-bytes.test.ts.
    expect({ ...counted, stored_bytes: 0, database_bytes: 0 }).toEqual({
      ...(await countRows(tenantId)),
      stored_bytes: 0,
      database_bytes: 0,
    });
    await expect
      .poll(async () => (await readLimits(call)).used.stored_bytes)
      .toBe((await countRows(tenantId))?.["stored_bytes"]);
  });
});
