// A tenant that is closed: everything of it stops first, then it is erased in bounded steps, however large it is.
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { ERASURE_STEP_SESSIONS } from "../../../protocol/operator/limits.ts";
import type { WrappedKey } from "../../../storage/secrets/credential-cipher.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { eraseStep } from "../../../worker/jobs/erase-tenant.ts";
import { scheduled } from "../../../worker/jobs/sweep.ts";
import { BROAD } from "../../support/breadth.ts";
import { waitFor } from "../../support/wait-for.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { ask, makeAgent, makeSession, makeTenant, OPERATOR } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";
import { changeTenant, HANG, hangingTool } from "../support/tenant-use.ts";

/** Tables in which a tenant's rows stand; `tenants` keeps one, without its name. */
const TABLES = [
  "sessions",
  "session_states",
  "agents",
  "agent_versions",
  "skills",
  "skill_versions",
  "files",
  "api_keys",
  "credentials",
  "tenant_keys",
  "tenant_counts",
  "webhook_endpoints",
  "webhook_deliveries",
  "webhook_attempts",
  "token_issuers",
  "members",
  "passkeys",
  "sign_in_providers",
  "member_identities",
  "answered_challenges",
  "console_sessions",
  "inbound_endpoints",
  "inbound_messages",
  "idempotency_keys",
  "usage",
  "usage_days",
  "search_changes",
  "search_indexes",
];

beforeEach(() => {
  const logs = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const log of logs) log.mockImplementation(() => {});
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
});

async function rowsLeft(tenantId: string): Promise<Readonly<Record<string, number>>> {
  const counted = await env.DB.batch<{ n: number }>(
    TABLES.map((table) =>
      env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = ?`).bind(tenantId),
    ),
  );
  const left = TABLES.map((table, index) => [table, counted[index]?.results[0]?.n ?? 0] as const);
  return Object.fromEntries(left.filter(([, n]) => n > 0));
}

/** Rows of D1 alone: their sessions' objects were never made. */
async function addRows(tenantId: string, agentId: string, count: number): Promise<void> {
  const at = "2026-01-01T00:00:00.000Z";
  await changeTenant(tenantId, { quotas: { sessions: count + 100, agent_versions: count + 100 } });
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  await env.DB.batch(
    [
      `${numbers} INSERT INTO sessions (id, tenant_id, agent_id, agent_version, metadata, created_at)
         SELECT 'ses_' || ?1 || i, ?1, ?2, 1, '{}', '${at}' FROM n`,
      `${numbers} INSERT INTO agent_versions (tenant_id, agent_id, version, definition, created_at)
         SELECT ?1, ?2, i + 1, '{}', '${at}' FROM n`,
      `${numbers} INSERT INTO usage (tenant_id, session_id, reply_id, entry, agent_id, model_name,
         day, input_tokens, output_tokens, cache_input_tokens, cache_creation_input_tokens)
         SELECT ?1, 'ses_' || i, 'rep_1', 1, ?2, 'm', '2026-01-01', 1, 1, 0, 0 FROM n`,
    ].map((statement) => env.DB.prepare(statement).bind(tenantId, agentId)),
  );
}

describe("closing a tenant", () => {
  test("stops what runs and refuses every credential before anything is erased", async () => {
    const { tool, calls } = hangingTool();
    const { id, call } = await makeTenant();
    const agent = await makeAgent(call, { name: "Desk", tools: [tool] });
    const opened = await Promise.all(
      [1, 2, 3].map(async () => {
        const session = await makeSession(call, { agent_id: agent.id });
        const path = `/v1/sessions/${session.id}`;
        return { path, sessionId: session.id, token: await mintCall(path, call) };
      }),
    );
    for (const { path } of opened) {
      await ask("POST", `${path}/replies`, { ...call, json: { input: HANG, background: true } });
    }
    await expect.poll(calls).toBe(3);

    const closed = await changeTenant(id, { status: "closed" });

    const knocks = await Promise.all(
      opened.flatMap(({ path, token }) => [
        ask("POST", `${path}/replies`, { ...token, json: { input: "/say hello" } }),
        ask("GET", `${path}/messages`, token),
        ask("GET", path, call),
      ]),
    );
    expect(closed.status).toBe(204);
    expect(new Set(knocks.map(({ status }) => status))).toEqual(new Set([401]));
    expect(await rowsLeft(id)).toEqual({});
    for (const { sessionId } of opened) {
      const stub = env.SESSION.getByName(sessionObjectName(id, sessionId));
      const tables = await runInDurableObject(
        stub,
        (_, { storage }) => storage.sql.exec("SELECT name FROM sqlite_master").toArray().length,
      );
      expect(tables).toBe(0);
    }
  });

  test(
    "a large one is answered with 202, and the queue erases the rest in bounded steps",
    BROAD,
    async () => {
      const { id, call } = await makeTenant();
      const agent = await makeAgent(call);
      await addRows(id, agent.id, 3 * ERASURE_STEP_SESSIONS + 50);

      const first = await ask("DELETE", `/v1/tenants/${id}`, OPERATOR);
      const left = (await rowsLeft(id))["sessions"];
      const refused = await ask("GET", "/v1/agents", call);

      expect([first.status, refused.status]).toEqual([202, 401]);
      expect(left).toBeGreaterThan(0);
      await waitFor(async () => expect(await rowsLeft(id)).toEqual({}));
    },
  );

  test(
    "one step erases no more sessions than it may, and steps beside each other do no harm",
    BROAD,
    async () => {
      const { id, call } = await makeTenant();
      const agent = await makeAgent(call);
      await addRows(id, agent.id, 2 * ERASURE_STEP_SESSIONS + 50);
      const send = vi.spyOn(env.REMOVAL_QUEUE, "send").mockResolvedValue(undefined as never);
      onTestFinished(() => send.mockRestore());
      await ask("DELETE", `/v1/tenants/${id}`, OPERATOR);
      const before = (await rowsLeft(id))["sessions"] ?? 0;

      const isDone = await eraseStep(env, id);
      const after = (await rowsLeft(id))["sessions"] ?? 0;
      await Promise.all([eraseStep(env, id), eraseStep(env, id)]);
      while (!(await eraseStep(env, id)));

      expect([isDone, after]).toEqual([false, Math.max(0, before - ERASURE_STEP_SESSIONS)]);
      expect(await rowsLeft(id)).toEqual({});
    },
  );

  test(
    "asked for again and again it is erased by one chain of steps, not by many",
    BROAD,
    async () => {
      const { id, call } = await makeTenant();
      const agent = await makeAgent(call);
      await addRows(id, agent.id, 3 * ERASURE_STEP_SESSIONS);
      const send = vi.spyOn(env.REMOVAL_QUEUE, "send").mockResolvedValue(undefined as never);
      onTestFinished(() => send.mockRestore());

      const statuses: number[] = [];
      const left: unknown[] = [];
      // The chain is known to the tenant's object in memory, so the object must not be put away while a step takes long.
      await runInDurableObject(env.TENANT.getByName(id), async () => {
        for (let asked = 0; asked < 3; asked += 1) {
          statuses.push((await ask("DELETE", `/v1/tenants/${id}`, OPERATOR)).status);
          left.push((await rowsLeft(id))["sessions"]);
        }
      });

      expect(statuses).toEqual([202, 202, 202]);
      expect(left).toEqual([left[0], left[0], left[0]]);
      // The first chain gives its next step; each request a look after a minute.
      expect(send.mock.calls.filter(([, options]) => options === undefined)).toHaveLength(1);
    },
  );

  test("one whose jobs were all lost is found by the sweep", BROAD, async () => {
    const { id, call } = await makeTenant();
    const agent = await makeAgent(call);
    await addRows(id, agent.id, 250);
    const send = vi.spyOn(env.REMOVAL_QUEUE, "send").mockResolvedValue(undefined as never);
    await ask("DELETE", `/v1/tenants/${id}`, OPERATOR);
    send.mockRestore();
    const lost = await rowsLeft(id);

    advanceClock(1_801_000);
    await scheduled({ cron: "* * * * *" }, env);

    expect(lost["sessions"]).toBeGreaterThan(0);
    await waitFor(async () => expect(await rowsLeft(id)).toEqual({}));
  });

  test(
    "what a request has made that was admitted before goes with the look that comes later",
    BROAD,
    async () => {
      const { id } = await makeTenant();
      const send = vi.spyOn(env.REMOVAL_QUEUE, "send").mockResolvedValue(undefined as never);
      onTestFinished(() => send.mockRestore());
      await ask("DELETE", `/v1/tenants/${id}`, OPERATOR);
      const { credentials } = tenantStorage(env.DB, id);
      await credentials.keepTenantKey("v1.a.b" as WrappedKey);
      const late = await rowsLeft(id);

      const isDone = await eraseStep(env, id);

      expect([late, isDone, await rowsLeft(id)]).toEqual([{ tenant_keys: 1 }, true, {}]);
    },
  );

  test("leaves nothing in its object but that it is closed", async () => {
    const { id, call } = await makeTenant();
    const agent = await makeAgent(call);
    const session = await makeSession(call, { agent_id: agent.id });
    await ask("POST", `/v1/sessions/${session.id}/replies`, {
      ...call,
      json: { input: "/say hello" },
    });
    const counts = () =>
      runInDurableObject(env.TENANT.getByName(id), (_, { storage }) => {
        const tables = ["standing", "leases", "replies", "days", "untold"];
        return tables.map(
          (table) => storage.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n,
        );
      });
    await expect.poll(async () => (await counts())[3]).toBe(1);

    await ask("DELETE", `/v1/tenants/${id}`, OPERATOR);

    await expect.poll(counts).toEqual([1, 0, 0, 0, 0]);
  });

  test("asked for again it answers the same, also after its object was lost", BROAD, async () => {
    const { id } = await makeTenant();
    const first = await ask("DELETE", `/v1/tenants/${id}`, OPERATOR);
    await abortAllDurableObjects();

    const again = await ask("DELETE", `/v1/tenants/${id}`, OPERATOR);
    const resumed = await changeTenant(id, { status: "active" });

    expect([first.status, again.status, resumed.status]).toEqual([204, 204, 404]);
    expect((await env.TENANT.getByName(id).admission()).status).toBe("closed");
  });
});
