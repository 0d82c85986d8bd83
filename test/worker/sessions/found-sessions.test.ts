import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import { MAX_SCANNED_SESSIONS } from "../../../protocol/sessions/limits.ts";
import type { Session, SessionSummary } from "../../../protocol/sessions/contract.ts";
import { deliverOutbox } from "../../../storage/outbox/deliver-outbox.ts";
import type { Call } from "../support/api.ts";
import { ask, makeAgent, makeSession, makeTenant, refusalOf } from "../support/api.ts";
import { listInDatabase, momentAt, sessionId } from "./listed-sessions.ts";
import { makeEntry, makeUsage } from "./outbox-entry.ts";

async function list(call: Call, query = ""): Promise<Page<SessionSummary>> {
  return (await ask<Page<SessionSummary>>("GET", `/v1/sessions?${query}`, call)).json;
}

async function ids(call: Call, query: string): Promise<readonly string[]> {
  return (await list(call, query)).data.map(({ id }) => id);
}

/** All pages, each with as many sessions as it has. */
async function pages(call: Call, query: string): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  let page: string | null = "";
  while (page !== null) {
    const next: Page<SessionSummary> = await list(call, `${query}${page && `&page=${page}`}`);
    expect(next.has_more).toBe(next.next_page !== null);
    found.push(next.data.map(({ id }) => id));
    page = next.next_page;
  }
  return found;
}

describe("a session's title", () => {
  test("is what the client has set, and else the first words of the first user message", async () => {
    const { call } = await makeTenant();
    const { id: agent_id } = await makeAgent(call);
    const { id } = await makeSession(call, { agent_id });
    const path = `/v1/sessions/${id}`;
    const titles = async () => {
      const { json } = await ask<Session>("GET", path, call);
      const listed = (await list(call)).data.find((session) => session.id === id);
      return [json.title, listed?.title];
    };
    const seen = [await titles()];
    await ask("POST", `${path}/replies`, { ...call, json: { input: "Where is\nmy order?" } });
    await ask("POST", `${path}/replies`, { ...call, json: { input: "And the other?" } });
    seen.push(await titles());

    const { json: set } = await ask<Session>("PATCH", path, { ...call, json: { title: " 退款 " } });
    seen.push(await titles());
    const { json: fork } = await ask<Session>("POST", `${path}/fork`, { ...call, json: {} });
    await ask("PATCH", path, { ...call, json: { title: null } });
    seen.push(await titles());

    const words = "Where is my order?";
    expect(seen).toEqual([
      [null, null],
      [words, words],
      ["退款", "退款"],
      [words, words],
    ]);
    expect([set.title, fork.title]).toEqual(["退款", "退款"]);
  });

  test("is one line with a bound, at creation as later", async () => {
    const { call } = await makeTenant();
    const { id: agent_id } = await makeAgent(call);
    const { json: session } = await ask<Session>("POST", "/v1/sessions", {
      ...call,
      json: { agent_id, title: "VIP" },
    });

    const refusals = [];
    for (const title of ["", " ", "two\nlines", "a\u2028b", "x".repeat(201), 1]) {
      const changed = { ...call, json: { title } };
      refusals.push(refusalOf(await ask("PATCH", `/v1/sessions/${session.id}`, changed)));
      const created = { ...call, json: { agent_id, title } };
      refusals.push(refusalOf(await ask("POST", "/v1/sessions", created)));
    }

    expect(session.title).toBe("VIP");
    const refusal = { status: 400, code: "validation_failed", pointers: ["#/title"] };
    expect(refusals).toEqual(Array.from({ length: 12 }, () => refusal));
  });
});

describe("the list of sessions", () => {
  test("finds failed sessions with the reason, until a later reply has not failed", async () => {
    const { call, tenantId } = await makeOne();
    const { id, agent_id } = call.session;
    const owner = { tenantId, id, agent_id };
    const error = { type: "upstream", message: `${"The model refused. ".repeat(20)}` } as const;
    const failed = { reply_status: "error", error, entry: 2, reply_id: "rep_2" } as const;
    await deliverOutbox(env.DB, [makeEntry(owner, failed)]);
    const found = await list(call, "status=failed");
    await deliverOutbox(env.DB, [makeEntry(owner, { entry: 3, reply_status: "completed" })]);
    // Late: the state behind it is known.
    await deliverOutbox(env.DB, [makeEntry(owner, failed)]);
    const later = await list(call, "status=failed");

    expect(found.data.map(({ failure, status }) => ({ failure, status }))).toEqual([
      {
        status: "idle",
        failure: {
          reply_id: "rep_2",
          status: "error",
          error: { ...error, message: error.message.slice(0, 200) },
          failed_at: "2026-03-01T12:00:00.000Z",
        },
      },
    ]);
    expect(later.data).toEqual([]);
  });

  test("finds running sessions by their leases, and no other tenant's", async () => {
    const [mine, others] = [await makeOne(), await makeOne()];
    for (const { tenantId, call } of [mine, others]) {
      const object = env.TENANT.getByName(tenantId);
      await object.lease({ session_id: call.session.id, use: "start" });
      await object.lease({ session_id: "rpl_1", use: "start" });
    }

    const running = await list(mine.call, "status=running");
    const filtered = [];
    for (const query of [`agent_id=${mine.call.session.agent_id}`, "agent_id=agt_x"]) {
      filtered.push((await ids(mine.call, `status=running&${query}`)).length);
    }
    await env.TENANT.getByName(mine.tenantId).settle({
      session_id: mine.call.session.id,
      replies: [],
      is_running: false,
    });

    expect(running.data.map(({ id, status }) => [id, status])).toEqual([
      [mine.call.session.id, "running"],
    ]);
    expect(filtered).toEqual([1, 0]);
    expect(await ids(mine.call, "status=running")).toEqual([]);
  });

  test("finds the sessions of all agents with a name, as it is now", async () => {
    const { call } = await makeTenant();
    const agents = [];
    for (const name of ["desk", "desk", "shop"]) agents.push(await makeAgent(call, { name }));
    const sessions: string[] = [];
    for (const index of [0, 1, 2, 1, 0]) {
      sessions.unshift((await makeSession(call, { agent_id: agents[index]!.id })).id);
    }
    const [last, fourth, , second, first] = sessions;

    const found = await pages(call, "agent_name=desk&limit=2");
    const both = await ids(call, `agent_name=desk&agent_id=${agents[0]!.id}`);
    await ask("PATCH", `/v1/agents/${agents[0]!.id}`, { ...call, json: { name: "shop" } });
    const renamed = await ids(call, "agent_name=desk");
    const none = [
      await ids(call, "agent_name=nobody"),
      await ids(call, `agent_name=shop&agent_id=${agents[1]!.id}`),
      await ids((await makeTenant()).call, "agent_name=shop"),
    ];

    expect(found).toEqual([
      [last, fourth],
      [second, first],
    ]);
    expect(both).toEqual([last, first]);
    expect(renamed).toEqual([fourth, second]);
    expect(none).toEqual([[], [], []]);
  });

  test("finds sessions by what they have cost, whatever came first", async () => {
    const { call, tenantId } = await makeOne();
    const { id, agent_id } = call.session;
    const usage = makeUsage(10);
    const reply = (reply_id: string, entry: number, cost: number | null) =>
      makeEntry({ tenantId, id, agent_id }, { reply_id, entry, cost, usage });
    const costs = [];
    // The second entry of the first reply is late; the third reply's cost is not known.
    for (const entry of [
      reply("rep_1", 1, 1e8),
      reply("rep_2", 3, 5e8),
      reply("rep_1", 2, 4e8),
      reply("rep_3", 4, null),
      reply("rep_3", 4, null),
    ]) {
      await deliverOutbox(env.DB, [entry]);
      costs.push((await list(call)).data[0]!.cost_usd);
    }

    expect(costs).toEqual([0.1, 0.6, 0.6, 0.9, 0.9]);
    expect(await ids(call, "min_cost_usd=0.9")).toEqual([id]);
    expect(await ids(call, "min_cost_usd=0.91")).toEqual([]);
  });

  test("goes on behind as many sessions as one page reads", async () => {
    const dear = [0, MAX_SCANNED_SESSIONS + 5].map((index) => ({
      id: sessionId(),
      agent_id: "agt_1",
      end_user_id: null,
      created_at: momentAt(index),
      status: "idle" as const,
      told: { usage: makeUsage(1), cost: 2e9 },
    }));
    const { tenantId, call } = await listInDatabase(dear);
    await env.DB.prepare(
      `INSERT INTO sessions (id, tenant_id, agent_id, agent_version, metadata, created_at)
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MAX_SCANNED_SESSIONS + 3})
       SELECT printf('ses_%026d', i), ?, 'agt_2', 1, '{}', ? FROM n`,
    )
      .bind(tenantId, momentAt(3))
      .run();

    const found = await pages(call, "min_cost_usd=1");

    expect(found).toEqual([[dear[1]!.id], [dear[0]!.id]]);
  });
});

async function makeOne() {
  const { id: tenantId, call } = await makeTenant();
  const session = await makeSession(call, { agent_id: (await makeAgent(call)).id });
  return { tenantId, call: { ...call, session } };
}
