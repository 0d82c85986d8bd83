// Series of replies over time: what a client adds up from its replies is what the series have.
import { describe, expect, inject, test } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import type { SeriesPoint, UsageSeries } from "../../../protocol/usage/series.ts";
import {
  createAgent,
  createSession,
  createTenant,
  request,
} from "../../support/platform-client.ts";

async function say(key: string, session: string, input: string): Promise<Reply> {
  const path = `/v1/sessions/${session}/replies`;
  const { body } = await request<Reply>("POST", path, { key, body: { input } });
  let reply = body;
  await expect
    .poll(async () => {
      reply = (await request<Reply>("GET", `${path}/${body.id}`, { key })).body;
      return reply.status;
    })
    .toMatch(/^(completed|error)$/);
  return reply;
}

async function series(key: string, query = ""): Promise<UsageSeries> {
  return (await request<UsageSeries>("GET", `/v1/usage/series?${query}`, { key })).body;
}

const COUNTS = ["replies", "completed", "error", "input_tokens", "output_tokens"] as const;

/** The sums of points, whichever they are. */
function sumsOf(points: readonly SeriesPoint[]) {
  return Object.fromEntries(
    COUNTS.map((name) => [name, points.reduce((sum, point) => sum + point[name], 0)]),
  );
}

describe("series of replies", () => {
  test("add up to the replies, whatever they are taken by, for the tenant and its operator alone", async () => {
    const { id, key } = await createTenant();
    const agents = [await createAgent(key), await createAgent(key)];
    const ended: Reply[] = [];
    for (const agent of agents) {
      const session = await createSession(key, agent);
      ended.push(await say(key, session, "Hello"));
      ended.push(await say(key, session, "/fail invalid_request"));
    }
    const tokens = (name: "input_tokens" | "output_tokens") =>
      ended.reduce((sum, { usage }) => sum + (usage?.[name] ?? 0), 0);
    const expected = {
      replies: 4,
      completed: 2,
      error: 2,
      input_tokens: tokens("input_tokens"),
      output_tokens: tokens("output_tokens"),
    };

    await expect.poll(async () => sumsOf((await series(key)).points)).toEqual(expected);
    for (const query of ["interval=hour", "series_by=agent", "series_by=agent,model"]) {
      expect([query, sumsOf((await series(key, query)).points)]).toEqual([query, expected]);
    }
    const whole = await series(key);
    expect(whole.points.map(({ error_types }) => error_types)).toEqual([{ invalid_request: 2 }]);
    expect(whole.points[0]?.first_output).toHaveLength(whole.first_output_bounds_ms.length + 1);
    const [agent = ""] = agents;
    const ofOne = await series(key, `series_by=agent&agent_id=${agent}`);
    expect(ofOne.points.map((point) => [point.agent_id, point.replies])).toEqual([[agent, 2]]);
    const operator = inject("operatorKey");
    expect((await series(operator, `tenant_id=${id}`)).points).toEqual(whole.points);
    const stranger = await createTenant();
    const own = await series(stranger.key);
    const path = `/v1/usage/series?tenant_id=${id}`;
    const others = await request("GET", path, { key: stranger.key });
    expect([own.points, others.status]).toEqual([[], 404]);
    // Usage by day has the same tokens.
    const { body } = await request<{ data: { input_tokens: number; output_tokens: number }[] }>(
      "GET",
      "/v1/usage?group_by=day",
      { key },
    );
    expect(body.data.map((row) => [row.input_tokens, row.output_tokens])).toEqual([
      [expected.input_tokens, expected.output_tokens],
    ]);
  });

  test("are refused beyond their bounds, at the field", async () => {
    const { key } = await createTenant();
    const today = new Date().toISOString().slice(0, 10);
    const before = (days: number) =>
      new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const asked = [
      ["from=2026-02-30", "#/query/from"],
      [`from=${today}&to=${before(1)}`, "#/query/from"],
      [`from=${before(90)}`, "#/query/from"],
      [`interval=hour&from=${before(7)}`, "#/query/from"],
      ["interval=week", "#/query/interval"],
      ["series_by=end_user", "#/query/series_by/0"],
      ["end_user_id=ann", "#/query/end_user_id"],
    ] as const;
    const refusals = [];
    for (const [query] of asked) {
      const { status, body } = await request<{ errors?: { pointer: string }[] }>(
        "GET",
        `/v1/usage/series?${query}`,
        { key },
      );
      refusals.push([status, body.errors?.map(({ pointer }) => pointer)]);
    }

    expect(refusals).toEqual(asked.map(([, pointer]) => [400, [pointer]]));
  });
});
