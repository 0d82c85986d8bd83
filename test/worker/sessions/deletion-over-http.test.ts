// Remains of a session or a tenant that was deleted, whatever was under way and wherever the deletion was cut off.
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { UsageRow } from "../../../protocol/usage/contract.ts";
import { BROAD } from "../../support/breadth.ts";
import type { Call } from "../support/api.ts";
import { ask, makeAgent, makeSession, makeTenant, openSession, OPERATOR } from "../support/api.ts";
import { askDown, brokenDatabase } from "../support/broken-database.ts";

const REFUND = { type: "http", name: "refund", url: "https://tools.example/refund" };
const CONTENT = ["sessions", "session_states", "pending_calls", "webhook_announcements"];

type Opened = Awaited<ReturnType<typeof openSession>>;

beforeEach(() => {
  const logs = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const log of logs) log.mockImplementation(() => {});
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
});

function objectOf(tenantId: string, sessionId: string) {
  return env.SESSION.getByName(sessionObjectName(tenantId, sessionId));
}

async function replyTo({ path, call }: Opened, input: string, more: object = {}): Promise<Reply> {
  const json = { input, ...more };
  return (await ask<Reply>("POST", `${path}/replies`, { ...call, json })).json;
}

/** Resolves when D1 has heard of everything. */
async function isTold({ tenantId, session }: Opened): Promise<void> {
  const count = "SELECT count(*) AS n FROM outbox";
  await expect
    .poll(() =>
      runInDurableObject(objectOf(tenantId, session.id), (_, { storage }) =>
        storage.sql.exec(count).one(),
      ),
    )
    .toEqual({ n: 0 });
}

async function rowsOf(table: string, column: string, id: string): Promise<readonly unknown[]> {
  const query = `SELECT * FROM ${table} WHERE ${column} = ?`;
  return (await env.DB.prepare(query).bind(id).all()).results;
}

/** Numbers of rows that each table of content has about the session, and the tables of its object. */
async function whatIsLeft(tenantId: string, sessionId: string) {
  const rows = await Promise.all(
    CONTENT.map(async (table) => {
      const column = table === "sessions" ? "id" : "session_id";
      return (await rowsOf(table, column, sessionId)).length;
    }),
  );
  const object = await runInDurableObject(objectOf(tenantId, sessionId), async (_, { storage }) => [
    storage.sql.exec("SELECT name FROM sqlite_master").toArray().length,
    await storage.getAlarm(),
  ]);
  return { rows, object };
}

const NOTHING = { rows: CONTENT.map(() => 0), object: [0, null] };

async function usageOf(call: Call): Promise<readonly UsageRow[]> {
  return (await ask<Page<UsageRow>>("GET", "/v1/usage?group_by=model", call)).json.data;
}

async function addEndpoint(call: Call): Promise<string> {
  const json = {
    url: `${inject("webhookReceiverUrl")}/hook/200`,
    events: ["session.*", "confirmation.required"],
  };
  return (await ask<{ id: string }>("POST", "/v1/webhook-endpoints", { ...call, json })).json.id;
}

async function deliveredTypes(endpointId: string): Promise<readonly unknown[]> {
  const rows = await rowsOf("webhook_deliveries", "endpoint_id", endpointId);
  return (rows as { type: string }[]).map(({ type }) => type).toSorted();
}

describe("a deleted session", () => {
  test("leaves nothing in D1 but the numbers of its usage, which say nobody's name", async () => {
    const { id: tenantId, call } = await makeTenant();
    await addEndpoint(call);
    const agent = await makeAgent(call, { name: "Desk", tools: [REFUND] });
    const session = await makeSession(call, { agent_id: agent.id, end_user_id: "customer-17" });
    const opened = { tenantId, call, agent, session, path: `/v1/sessions/${session.id}` };
    await replyTo(opened, "/say hello");
    await replyTo(opened, "/call refund {}\n/say done");
    await isTold(opened);
    const before = await usageOf(call);
    const told = await whatIsLeft(tenantId, session.id);

    const { status } = await ask("DELETE", opened.path, call);

    expect([status, told.rows, await whatIsLeft(tenantId, session.id)]).toEqual([
      204,
      [1, 1, 1, 1],
      NOTHING,
    ]);
    expect(await usageOf(call)).toEqual(before);
    expect(before).toMatchObject([{ replies: 2 }]);
    const kept = await rowsOf("usage", "session_id", session.id);
    expect(kept).toHaveLength(2);
    expect(JSON.stringify(kept)).not.toContain("customer-17");
  });

  test("is billed for what D1 had not heard of: replies that ended or wait, and the one that runs", async () => {
    const endless = vi.spyOn(globalThis, "fetch").mockImplementation(() => new Promise(() => {}));
    onTestFinished(() => endless.mockRestore());
    const tools = [{ ...REFUND, name: "look", read_only: true }, REFUND];
    const opened = await openSession({ name: "Desk", tools });
    const { call, path, tenantId, session } = opened;
    await env.DB.exec("ALTER TABLE session_states RENAME TO states_away");
    const ended = await replyTo(opened, "/say hello");
    await replyTo(opened, "/call look {}\n/say never", { background: true });
    await expect.poll(() => endless.mock.calls.length).toBe(1);
    await env.DB.exec("ALTER TABLE states_away RENAME TO session_states");
    const untold = await usageOf(call);

    const { status } = await ask("DELETE", path, call);

    const [billed] = await usageOf(call);
    expect([untold, status, billed?.replies]).toEqual([[], 204, 2]);
    expect(billed?.output_tokens).toBeGreaterThan(ended.usage?.output_tokens ?? 0);
    expect(await whatIsLeft(tenantId, session.id)).toEqual(NOTHING);
  });

  test("stops its reply: the stream ends, whoever waits gets 404, and so does every later request", async () => {
    const opened = await openSession();
    const { tenantId, session, path, call } = opened;
    const running = replyTo(opened, "/rate 50\n/words 20000");
    await expect
      .poll(async () => (await ask<Session>("GET", path, call)).json.status)
      .toBe("running");
    const stream = ask("GET", `${path}/events?after=0`, {
      ...call,
      headers: { Accept: "text/event-stream" },
    });

    const { status } = await ask("DELETE", path, call);

    const answers = [
      await ask("GET", path, call),
      await ask("POST", `${path}/replies`, { ...call, json: { input: "hi" } }),
      await ask("GET", `${path}/events`, call),
      await ask("GET", `${path}/messages`, call),
      await ask("POST", `${path}/interrupt`, call),
      await ask("DELETE", path, call),
    ];
    expect([status, ...answers.map((answer) => answer.status)]).toEqual([
      204, 404, 404, 404, 404, 404, 404,
    ]);
    expect(await running).toMatchObject({ code: "not_found" });
    expect((await stream).text).not.toContain("REPLY_END");
    expect(await whatIsLeft(tenantId, session.id)).toEqual(NOTHING);
  });

  test(
    "answers requests that race with its deletion with what they did or with 404, and keeps nothing",
    BROAD,
    async () => {
      const opened = await openSession({ name: "Desk", tools: [REFUND] });
      const { tenantId, session, path, call } = opened;
      await replyTo(opened, "/call refund {}");
      const answers = await Promise.all([
        ask("POST", `${path}/interrupt`, call),
        ask("PATCH", path, { ...call, json: { metadata: { a: 1 } } }),
        ask("DELETE", path, call),
        ask("POST", `${path}/replies`, {
          ...call,
          json: { input: "/say hi", on_busy: "interrupt" },
        }),
        ask("POST", `${path}/observe`, { ...call, json: { messages: [{ content: "a note" }] } }),
        ask("DELETE", path, call),
        ask("GET", path, call),
      ]);

      const [, , first, , , second] = answers.map(({ status }) => status);
      expect([first, second].toSorted()).toEqual(expect.arrayContaining([204]));
      for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status);
      await expect.poll(() => whatIsLeft(tenantId, session.id)).toEqual(NOTHING);
    },
  );

  test(
    "whose object dies during its deletion is erased by that request or by the same one again",
    BROAD,
    async () => {
      for (const delayMs of [0, 1, 2, 4, 8, 16]) {
        const opened = await openSession();
        const { tenantId, session, path, call } = opened;
        await replyTo(opened, "/rate 50\n/words 20000", { background: true });
        const deleting = ask("DELETE", path, call);
        await new Promise((resolve) => setTimeout(resolve, delayMs));
        await abortAllDurableObjects();
        const first = await deleting;
        const again = await ask("DELETE", path, call);

        expect(first.status === 204 ? [404] : [204, 404]).toContain(again.status);
        expect(await whatIsLeft(tenantId, session.id)).toEqual(NOTHING);
      }
    },
  );

  test(
    "whose deletion was cut off at any step is finished by the same request, and is told of once",
    BROAD,
    async () => {
      const { call, id: tenantId } = await makeTenant();
      const endpoint = await addEndpoint(call);
      const agent = await makeAgent(call);
      for (let callsThatWork = 0; callsThatWork <= 8; callsThatWork += 1) {
        const session = await makeSession(call, { agent_id: agent.id });
        const path = `/v1/sessions/${session.id}`;
        await ask("POST", `${path}/replies`, { ...call, json: { input: "/say hello" } });
        const database = brokenDatabase(callsThatWork);
        const cut = await askDown("DELETE", path, { ...call, database });
        const again = await ask("DELETE", path, call);

        expect([204, 503]).toContain(cut.status);
        expect(again.status).toBe(cut.status === 204 ? 404 : 204);
        await expect.poll(() => whatIsLeft(tenantId, session.id)).toEqual(NOTHING);
      }
      const types = await deliveredTypes(endpoint);
      expect(types.filter((type) => type === "session.deleted")).toHaveLength(9);
    },
  );
});

describe("the news of a deletion", () => {
  test("that D1 did not take keeps it from its end, and the same request brings both", async () => {
    const { call, agent, tenantId, session, path } = await openSession();
    const endpoint = await addEndpoint(call);
    const prepare = (query: string) => {
      if (query.includes("webhook_endpoints"))
        throw new Error("D1_ERROR: Network connection lost.");
      return env.DB.prepare(query);
    };
    const database = new Proxy(env.DB, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (name === "prepare") return prepare;
        return typeof member === "function" ? member.bind(target) : member;
      },
    });

    const cut = await askDown("DELETE", path, { ...call, database });
    const left = (await rowsOf("sessions", "id", session.id)).length;
    const again = await ask("DELETE", path, call);

    expect([cut.status, left, again.status]).toEqual([503, 1, 204]);
    const [told, ...more] = await rowsOf("webhook_deliveries", "endpoint_id", endpoint);
    const { payload } = told as { payload: string };
    expect([JSON.parse(payload), more]).toEqual([
      {
        type: "session.deleted",
        timestamp: expect.any(String),
        data: { session_id: session.id, agent_id: agent.id, end_user_id: null },
      },
      [],
    ]);
    expect(await whatIsLeft(tenantId, session.id)).toEqual(NOTHING);
  });
});

describe("a deleted tenant", () => {
  test("takes everything along that is its own, whatever its sessions are doing", async () => {
    const { id: tenantId, call } = await makeTenant();
    const agent = await makeAgent(call, { name: "Desk", tools: [REFUND] });
    const inputs = ["/say hello", "/rate 50\n/words 20000", "/call refund {}"];
    const sessions: string[] = [];
    for (const input of inputs) {
      const { id } = await makeSession(call, { agent_id: agent.id });
      await ask("POST", `/v1/sessions/${id}/replies`, {
        ...call,
        json: { input, background: true },
      });
      sessions.push(id);
    }

    const { status } = await ask("DELETE", `/v1/tenants/${tenantId}`, OPERATOR);

    expect(status).toBe(204);
    for (const id of sessions) expect(await whatIsLeft(tenantId, id)).toEqual(NOTHING);
    const owned = ["agents", "agent_versions", "api_keys", "usage", "idempotency_keys", ...CONTENT];
    const rows = await Promise.all(owned.map((table) => rowsOf(table, "tenant_id", tenantId)));
    expect(rows).toEqual(owned.map(() => []));
    expect(await rowsOf("tenants", "id", tenantId)).toMatchObject([{ name: "", metadata: "{}" }]);
    expect((await ask("GET", `/v1/sessions/${sessions[1]}`, call)).status).toBe(401);
  });

  test(
    "whose deletion was cut off at any step is finished by the same request",
    BROAD,
    async () => {
      for (let callsThatWork = 0; callsThatWork <= 8; callsThatWork += 2) {
        const { tenantId, session } = await openSession();
        const database = brokenDatabase(callsThatWork);
        const path = `/v1/tenants/${tenantId}`;
        const cut = await askDown("DELETE", path, { ...OPERATOR, database });
        const again = await ask("DELETE", path, OPERATOR);

        expect([204, 503]).toContain(cut.status);
        expect(again.status).toBe(204);
        expect(await whatIsLeft(tenantId, session.id)).toEqual(NOTHING);
        expect(await rowsOf("agents", "tenant_id", tenantId)).toEqual([]);
      }
    },
  );

  test("opens no session for a request that was admitted a moment before", async () => {
    const { call, tenantId, agent } = await openSession();
    const closed = "UPDATE tenants SET deleted_at = '2026-01-01T00:00:00.000Z' WHERE id = ?";
    await env.DB.prepare(closed).bind(tenantId).run();

    const refused = await ask("POST", "/v1/sessions", { ...call, json: { agent_id: agent.id } });

    expect([refused.status, refused.json.code]).toEqual([401, "unauthenticated"]);
    expect(await rowsOf("sessions", "tenant_id", tenantId)).toHaveLength(1);
  });
});
