import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { UsageSeries } from "../../../protocol/usage/series.ts";
import { deliverOutbox, type OutboxEntry } from "../../../storage/outbox/deliver-outbox.ts";
import { purgeReplyHours } from "../../../storage/usage/reply-series.ts";
import { meteredDatabase } from "../requests/noted-database.ts";
import { makeEntry, makeUsage } from "../sessions/outbox-entry.ts";
import { makePending } from "../confirmations/pending-call.ts";
import type { Call } from "../support/api.ts";
import { ask, makeTenant, openSession, refusalOf } from "../support/api.ts";

const DAY = "2026-03-01";
const TIMINGS = { first_output_ms: 300, waits: [] } as const;

async function openListed() {
  const { tenantId, session, call } = await openSession();
  const owner = { tenantId, id: session.id, agent_id: session.agent_id };
  const deliver = (changes: Partial<OutboxEntry>) =>
    deliverOutbox(env.DB, [makeEntry(owner, { timings: TIMINGS, ...changes })]);
  return { tenantId, owner, call, deliver };
}

async function series(call: Call, query = ""): Promise<UsageSeries> {
  const path = `/v1/usage/series?from=${DAY}&to=${DAY}${query}`;
  return (await ask<UsageSeries>("GET", path, call)).json;
}

describe("series of replies", () => {
  test("count each end once, with its times, tokens and cost, by hour and by day", async () => {
    const { call, owner, deliver } = await openListed();
    const { agent_id } = owner;
    const waits = [
      { kind: "permission", duration_ms: 5_000 },
      { kind: "permission", duration_ms: 90_000_000 },
      { kind: "external_result", duration_ms: 60_000 },
    ] as const;
    const first = {
      entry: 1,
      at: `${DAY}T12:00:00.000Z`,
      timings: { first_output_ms: 250, waits },
      usage: makeUsage(10, 5),
      cost: 2e9,
    };
    await deliver(first);
    await deliver(first);
    await deliver({ entry: 2, at: `${DAY}T12:59:59.999Z`, reply_status: "interrupted" });
    const error = { type: "upstream", message: "no" } as const;
    await deliver({ entry: 3, at: `${DAY}T13:00:00.000Z`, reply_status: "error", error });
    // Goes on, and is late.
    await deliver({ entry: 4, reply_status: "awaiting_permission", timings: null });
    await deliver({ entry: 3, at: `${DAY}T13:00:00.000Z` });

    const byHour = await series(call, "&interval=hour&series_by=agent,model");
    const byDay = await series(call);

    const none = [0, 0, 0, 0, 0, 0, 0];
    const at12 = {
      at: `${DAY}T12:00:00.000Z`,
      agent_id,
      model_name: "m",
      replies: 2,
      completed: 1,
      interrupted: 1,
      error: 0,
      exceed_max_iters: 0,
      error_types: {},
      first_output: [0, 2, 0, 0, 0, 0, 0],
      waits: { permission: [1, 0, 0, 0, 0, 0, 1], external_result: [0, 0, 1, 0, 0, 0, 0] },
      input_tokens: 10,
      output_tokens: 5,
      cost_usd: 2,
      audio_input_ms: 0,
      audio_output_ms: 0,
      audio_input_tokens: 0,
      audio_output_tokens: 0,
    };
    const at13 = {
      ...at12,
      at: `${DAY}T13:00:00.000Z`,
      replies: 1,
      completed: 0,
      interrupted: 0,
      error: 1,
      error_types: { upstream: 1 },
      first_output: [0, 1, 0, 0, 0, 0, 0],
      waits: { permission: none, external_result: none },
      input_tokens: 0,
      output_tokens: 0,
      cost_usd: 0,
    };
    expect(byHour.points).toEqual([at13, at12]);
    expect(byDay.points).toEqual([
      {
        ...at12,
        at: `${DAY}T00:00:00.000Z`,
        agent_id: null,
        model_name: null,
        replies: 3,
        error: 1,
        error_types: { upstream: 1 },
        first_output: [0, 3, 0, 0, 0, 0, 0],
      },
    ]);
    expect([byDay.is_whole, byDay.interval, byHour.interval]).toEqual([true, "day", "hour"]);
  });

  test("are of one tenant, filtered by agent and model, without a cost that is not known", async () => {
    const { call, owner, deliver } = await openListed();
    await deliver({ entry: 1, usage: makeUsage(1), cost: null });
    await deliver({ entry: 2, usage: makeUsage(1), cost: 1, model_name: "large" });
    const counts = async (of: Call, query: string) =>
      (await series(of, query)).points.map(({ replies, cost_usd }) => [replies, cost_usd]);

    const found = {
      all: await counts(call, ""),
      large: await counts(call, "&model_name=large"),
      agent: await counts(call, `&agent_id=${owner.agent_id}`),
      noAgent: await counts(call, "&agent_id=agt_none"),
      others: await counts((await makeTenant()).call, ""),
    };

    expect(found).toEqual({
      all: [[2, null]],
      large: [[1, 1e-9]],
      agent: [[2, null]],
      noAgent: [],
      others: [],
    });
  });

  test("tell how long the calls wait that wait now", async () => {
    const { call, deliver } = await openListed();
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();
    const waiting = { reply_status: "awaiting_permission", timings: null } as const;
    await deliver({ ...waiting, entry: 1, at: ago(30), pending: [makePending("call_1")] });
    const both = [makePending("call_1"), makePending("call_2")];
    await deliver({ ...waiting, entry: 2, at: ago(1), pending: both });

    expect((await series(call)).waiting).toEqual({
      permission: [1, 1, 0, 0, 0, 0, 0],
      external_result: [0, 0, 0, 0, 0, 0, 0],
    });
  });

  test("refuse spans that are too long, and end before they begin", async () => {
    const { call } = await makeTenant();
    const refusals = [];
    for (const query of [
      "from=2026-01-01&to=2026-04-01",
      "interval=hour&from=2026-03-01&to=2026-03-08",
      "from=2026-03-02&to=2026-03-01",
      "interval=week",
      "series_by=day",
    ]) {
      refusals.push(refusalOf(await ask("GET", `/v1/usage/series?${query}`, call)));
    }

    expect(refusals).toEqual(
      ["from", "from", "from", "interval", "series_by/0"].map((name) => {
        return { status: 400, code: "validation_failed", pointers: [`#/query/${name}`] };
      }),
    );
  });
});

describe("the sums of an hour", () => {
  test("cost one row a reply, three with the first of an hour, and none when it is told again", async () => {
    const { owner } = await openListed();
    const written = async (entry: OutboxEntry) => {
      const costs: D1Meta[] = [];
      await deliverOutbox(meteredDatabase(costs), [entry]);
      return costs.reduce((sum, { rows_written }) => sum + rows_written, 0);
    };
    const reply = (entry: number) =>
      makeEntry(owner, { entry, reply_id: `rep_${entry}`, usage: makeUsage(1), timings: TIMINGS });
    const rows = [];
    // The first has to make the session's other rows too.
    await deliverOutbox(env.DB, [{ ...reply(1), timings: null }]);
    for (const entry of [{ ...reply(2), timings: null }, reply(3), reply(4), reply(4)])
      rows.push(await written(entry));

    const [without = 0] = rows;
    expect(rows.map((count) => count - without)).toEqual([0, 3, 1, -without]);
    expect(without).toBeLessThanOrEqual(6);
  });

  test("are kept for 90 days", async () => {
    const { call, deliver } = await openListed();
    await deliver({ entry: 1, at: `${DAY}T11:30:00.000Z` });
    await deliver({ entry: 2, at: `${DAY}T12:00:00.000Z` });
    const kept = Date.parse(`${DAY}T12:30:00.000Z`) + 90 * 86_400_000;

    const purged = [await purgeReplyHours(env.DB, kept, 1), await purgeReplyHours(env.DB, kept, 1)];

    expect(purged).toEqual([1, 0]);
    const { points } = await series(call, "&interval=hour");
    expect(points.map(({ at }) => at)).toEqual([`${DAY}T12:00:00.000Z`]);
  });

  test("know the times of a reply as diagnostics have them", async () => {
    const { session, call } = await openSession();
    const path = `/v1/sessions/${session.id}/replies`;
    await ask("POST", path, { ...call, json: { input: "hello" } });
    const { json } = await ask<UsageSeries>("GET", "/v1/usage/series", call);

    const [point] = json.points;
    expect([point?.replies, point?.completed]).toEqual([1, 1]);
    expect(point?.first_output.reduce((sum, count) => sum + count, 0)).toBe(1);
  });
});
