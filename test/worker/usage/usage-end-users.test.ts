// Usage by end user: consistent with the sums by day, without what was deleted, and as CSV.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { UsageRow } from "../../../protocol/usage/contract.ts";
import { deliverOutbox } from "../../../storage/outbox/deliver-outbox.ts";
import { deliverUsage } from "../../../storage/outbox/usage-delivery.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { type Asked, meteredDatabase, notedDatabase } from "../requests/noted-database.ts";
import { makeEntry, makeUsage } from "../sessions/outbox-entry.ts";
import {
  ask,
  type Call,
  makeAgent,
  makeSession,
  makeTenant,
  refusalOf,
  send,
} from "../support/api.ts";

const SPAN = "from=2026-03-01&to=2026-03-02";

/** Ann has two sessions, Bob one, and one is nobody's: 1, 2, 4 and 8 input tokens, Bob's on another day. */
async function makeHistory() {
  const { id: tenantId, call } = await makeTenant();
  const agent = await makeAgent(call);
  const open = async (end_user_id: string | undefined) => ({
    ...(await makeSession(call, { agent_id: agent.id, end_user_id })),
    tenantId,
  });
  const sessions = [await open("ann"), await open("ann"), await open("bob"), await open(undefined)];
  for (const [place, session] of sessions.entries()) {
    const at = `2026-03-0${place === 2 ? 2 : 1}T12:00:00.000Z`;
    const usage = makeUsage(2 ** place);
    await deliverOutbox(env.DB, [makeEntry(session, { at, usage, reply_id: `rep_${place}` })]);
  }
  return { tenantId, call, agent, sessions };
}

/** `[day, end user, replies, input tokens]` of each sum. */
async function sumsOf(call: Call, query: string) {
  const { json } = await ask<Page<UsageRow>>("GET", `/v1/usage?${SPAN}&${query}`, call);
  return json.data.map(({ day, end_user_id, replies, input_tokens }) => [
    ...(day === null ? [] : [day]),
    end_user_id,
    replies,
    input_tokens,
  ]);
}

describe("usage by end user", () => {
  test("adds up to the same whatever it is grouped by; what is nobody's comes last", async () => {
    const { call, agent } = await makeHistory();

    const reports = [];
    for (const query of [
      "group_by=end_user",
      "group_by=day,end_user",
      "group_by=day",
      "group_by=end_user&end_user_id=ann",
      "group_by=day&end_user_id=bob",
      "group_by=agent&end_user_id=carl",
      `group_by=end_user&agent_id=${agent.id}&model_name=m`,
      "group_by=end_user&agent_id=agt_other",
      "group_by=end_user&model_name=other",
    ]) {
      reports.push(await sumsOf(call, query));
    }

    const byUser = [
      ["ann", 2, 3],
      ["bob", 1, 4],
      [null, 1, 8],
    ];
    expect(reports).toEqual([
      byUser,
      [
        ["2026-03-02", "bob", 1, 4],
        ["2026-03-01", "ann", 2, 3],
        ["2026-03-01", null, 1, 8],
      ],
      [
        ["2026-03-02", null, 1, 4],
        ["2026-03-01", null, 3, 11],
      ],
      [["ann", 2, 3]],
      [["2026-03-02", null, 1, 4]],
      [],
      byUser,
      [],
      [],
    ]);
  });

  test("moves with a reply that goes on, and counts it once however often it is told", async () => {
    const { call, sessions } = await makeHistory();
    const later = {
      reply_id: "rep_0",
      entry: 5,
      at: "2026-03-02T00:00:00.000Z",
      usage: makeUsage(16),
    };
    const entry = makeEntry(sessions[0]!, later);

    await deliverOutbox(env.DB, [entry, entry]);
    await deliverOutbox(env.DB, [{ ...entry, entry: 4, usage: makeUsage(32) }]);

    expect(await sumsOf(call, "group_by=day,end_user")).toEqual([
      ["2026-03-02", "ann", 1, 16],
      ["2026-03-02", "bob", 1, 4],
      ["2026-03-01", "ann", 1, 2],
      ["2026-03-01", null, 1, 8],
    ]);
  });

  test("forgets whose it was when the session is deleted, with what is told at its very end", async () => {
    const { tenantId, call, sessions } = await makeHistory();
    const [first, , bobs] = sessions;
    await ask("DELETE", `/v1/sessions/${first!.id}`, call);
    await env.DB.prepare("UPDATE sessions SET deleted_at = 'T' WHERE id = ?").bind(bobs!.id).run();
    const last = { reply_id: "rep_2", entry: 9, at: "2026-03-02T12:00:00.000Z" };
    await deliverUsage(env.DB, [makeEntry(bobs!, { ...last, usage: makeUsage(64) })]);
    await env.DB.prepare("UPDATE sessions SET deleted_at = NULL WHERE id = ?").bind(bobs!.id).run();

    await ask("DELETE", `/v1/sessions/${bobs!.id}`, call);

    expect(await sumsOf(call, "group_by=end_user")).toEqual([
      ["ann", 1, 2],
      [null, 3, 73],
    ]);
    const { results } = await env.DB.prepare(
      `SELECT end_user_id FROM usage WHERE tenant_id = ?1 AND end_user_id IS NOT NULL
       UNION ALL SELECT end_user_id FROM usage_end_users WHERE tenant_id = ?1 AND day > '2026-03-01'`,
    )
      .bind(tenantId)
      .all();
    expect(results).toEqual([{ end_user_id: "ann" }]);
  });

  test("has no end user for a reply from before end users were counted, also when it goes on", async () => {
    const { tenantId, call, sessions } = await makeHistory();
    await env.DB.batch([
      env.DB.prepare("DELETE FROM usage_end_users WHERE tenant_id = ?").bind(tenantId),
      env.DB.prepare("UPDATE usage SET end_user_id = NULL WHERE tenant_id = ?").bind(tenantId),
    ]);
    const before = await sumsOf(call, "group_by=end_user");
    const at = "2026-03-01T13:00:00.000Z";
    const goesOn = makeEntry(sessions[0]!, {
      reply_id: "rep_0",
      entry: 2,
      at,
      usage: makeUsage(5),
    });

    await deliverOutbox(env.DB, [goesOn]);

    expect([before, await sumsOf(call, "group_by=end_user")]).toEqual([
      [[null, 4, 15]],
      [
        ["ann", 1, 5],
        [null, 3, 14],
      ],
    ]);
  });

  test("costs one row a reply of a session that has an end user, and none without", async () => {
    const { sessions } = await makeHistory();
    const written = [];
    for (const session of [sessions[0]!, sessions[3]!]) {
      const costs: D1Meta[] = [];
      const entry = makeEntry(session, { entry: 7, reply_id: "rep_9", usage: makeUsage(1) });
      await deliverOutbox(meteredDatabase(costs), [entry]);
      written.push(costs[0]?.rows_written);
    }

    expect(written).toEqual([1, 0]);
  });

  test("is read by primary keys: of one end user, a row for each day", async () => {
    const { tenantId } = await makeHistory();
    const plans = [];
    for (const filter of [{ end_user_id: "ann" }, {}]) {
      const asked: Asked[] = [];
      const { usage } = tenantStorage(notedDatabase(asked), tenantId);
      const span = { from: "2026-03-01", to: "2026-03-02", skip: 0, limit: 20 };
      await usage.sum({ ...span, ...filter, groups: ["end_user"] });
      const [{ query, values }] = asked as [Asked];
      const plan = env.DB.prepare(`EXPLAIN QUERY PLAN ${query}`).bind(...values);
      const { results } = await plan.all<{ detail: string }>();
      // The rows of the tables, summed under this name, are read once.
      const details = results.map(({ detail }) => detail).join("\n");
      const tables = details.replace("CO-ROUTINE usage_days", "").replace("SCAN usage_days", "");
      plans.push(tables.split("\n").filter((detail) => / usage_/.test(detail)));
    }

    const inSpan = (table: string) =>
      `SEARCH ${table} USING PRIMARY KEY (tenant_id=? AND day>? AND day<?)`;
    expect(plans).toEqual([
      ["SEARCH usage_end_users USING PRIMARY KEY (tenant_id=? AND day=? AND end_user_id=?)"],
      [inSpan("usage_end_users"), inSpan("usage_end_users"), inSpan("usage_days")],
    ]);
  });

  test("has what each end user costs, null where a reply's cost is not known", async () => {
    const { call, sessions } = await makeHistory();
    const costs = [5, 2_000_000_000, null, 7];
    for (const [place, cost] of costs.entries()) {
      const reply = { reply_id: `rep_${place}`, entry: 2, at: "2026-03-01T12:00:00.000Z" };
      const entry = makeEntry(sessions[place]!, { ...reply, usage: makeUsage(1), cost });
      await deliverOutbox(env.DB, [entry]);
    }

    const costsOf = async (query: string) => {
      const { json } = await ask<Page<UsageRow>>("GET", `/v1/usage?${SPAN}&${query}`, call);
      return json.data.map(({ end_user_id, cost_usd }) => [end_user_id, cost_usd]);
    };
    expect([
      await costsOf("group_by=end_user"),
      await costsOf("group_by=day&end_user_id=ann"),
      await costsOf("group_by=day&end_user_id=bob"),
    ]).toEqual([
      [
        ["ann", 2.000000005],
        ["bob", null],
        [null, 7e-9],
      ],
      [[null, 2.000000005]],
      [[null, null]],
    ]);
  });

  test("counts summaries that no reply has made as tokens of their end user, until the session is deleted", async () => {
    const { tenantId, call, sessions } = await makeHistory();
    const [first, second, bobs] = sessions;
    for (const [place, session] of [first!, second!, bobs!].entries()) {
      const at = "2026-03-02T12:00:00.000Z";
      const summary = { reply_id: `sum_${place}`, entry: 5, at, usage: makeUsage(64) };
      const { tenant_id, session_id, agent_id, ...rest } = makeEntry(session, summary);
      const { usage, cost, model_name, reply_id, entry, counted_from } = rest;
      const owner = { tenant_id, session_id, agent_id };
      const billed = { ...owner, at, usage, cost, model_name, reply_id, entry, counted_from };
      const told = { ...billed, replies: 0 } as const;
      await deliverOutbox(env.DB, [told, told]);
    }
    const before = await sumsOf(call, "group_by=day,end_user");

    await ask("DELETE", `/v1/sessions/${first!.id}`, call);
    const after = await sumsOf(call, "group_by=day,end_user");
    await ask("DELETE", `/v1/sessions/${second!.id}`, call);

    expect({ before, after }).toEqual({
      before: [
        ["2026-03-02", "ann", 0, 128],
        ["2026-03-02", "bob", 1, 68],
        ["2026-03-01", "ann", 2, 3],
        ["2026-03-01", null, 1, 8],
      ],
      after: [
        ["2026-03-02", "ann", 0, 64],
        ["2026-03-02", "bob", 1, 68],
        ["2026-03-02", null, 0, 64],
        ["2026-03-01", "ann", 1, 2],
        ["2026-03-01", null, 2, 9],
      ],
    });
    const query = "SELECT DISTINCT end_user_id FROM usage_end_users WHERE tenant_id = ?";
    const { results } = await env.DB.prepare(query).bind(tenantId).all();
    expect(results).toEqual([{ end_user_id: "bob" }]);
  });

  test("is of the caller's tenant alone", async () => {
    await makeHistory();
    const { call } = await makeTenant();

    expect(await sumsOf(call, "group_by=end_user&end_user_id=ann")).toEqual([]);
  });
});

describe("usage as CSV", () => {
  const HEAD =
    "day,agent_id,model_name,end_user_id,replies,input_tokens,output_tokens,cache_input_tokens,cache_creation_input_tokens,cost_usd,audio_input_ms,audio_output_ms,audio_input_tokens,audio_output_tokens\r\n";

  test("has all sums, newest first, whatever the page", async () => {
    const { call, agent } = await makeHistory();
    const query = `/v1/usage?${SPAN}&group_by=day,agent,end_user&limit=1&page=Mg`;

    const answers = [];
    for (const [format, headers] of [
      ["&format=csv", {}],
      ["", { Accept: "text/csv" }],
    ] as const) {
      const answer = await send("GET", `${query}${format}`, { ...call, headers });
      answers.push([answer.status, answer.headers.get("Content-Type"), await answer.text()]);
    }
    const json = await ask("GET", `${query}&format=json`, {
      ...call,
      headers: { Accept: "text/csv" },
    });

    const lines = [
      `2026-03-02,${agent.id},,bob,1,4,0,0,0,,0,0,0,0`,
      `2026-03-01,${agent.id},,ann,2,3,0,0,0,,0,0,0,0`,
      `2026-03-01,${agent.id},,,1,8,0,0,0,,0,0,0,0`,
    ];
    const text = `${HEAD}${lines.map((line) => `${line}\r\n`).join("")}`;
    const csv = [200, "text/csv; charset=utf-8; header=present", text];
    expect(answers).toEqual([csv, csv]);
    expect(json.headers.get("Content-Type")).toBe("application/json");
  });

  test("covers a year, day by day, and disarms what a spreadsheet would run", async () => {
    const { id: tenantId, call } = await makeTenant();
    const agent = await makeAgent(call);
    const end_user_id = '=HYPERLINK("x"),\n';
    const session = { ...(await makeSession(call, { agent_id: agent.id, end_user_id })), tenantId };
    const days = ["2025-03-02", "2025-09-30", "2026-03-01"];
    for (const [entry, day] of days.entries()) {
      const changes = {
        entry,
        at: `${day}T12:00:00.000Z`,
        reply_id: `rep_${day}`,
        usage: makeUsage(1),
      };
      await deliverOutbox(env.DB, [makeEntry(session, changes)]);
    }

    const span = "from=2025-03-01&to=2026-03-01";
    const { text } = await ask("GET", `/v1/usage?${span}&group_by=day,end_user&format=csv`, call);

    const cell = `"'=HYPERLINK(""x""),\n"`;
    const lines = days.toReversed().map((day) => `${day},,,${cell},1,1,0,0,0,,0,0,0,0\r\n`);
    expect(text).toBe(`${HEAD}${lines.join("")}`);
  });

  test("is refused like a page", async () => {
    const { call } = await makeTenant();

    const answer = await ask("GET", "/v1/usage?format=csv&from=2026-02-31", call);

    expect(refusalOf(answer)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: ["#/query/from"],
    });
  });
});
