import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { UsageRow } from "../../../protocol/usage/contract.ts";
import { deliverOutbox } from "../../../storage/outbox/deliver-outbox.ts";
import { makeEntry, makeUsage } from "../sessions/outbox-entry.ts";
import type { Call } from "../support/api.ts";
import { ask, makeAgent, makeSession, makeTenant, refusalOf } from "../support/api.ts";

/** Two agents, two models, three days: 1, 2, 4, 8 and 16 input tokens, so that each sum tells what is in it. */
async function makeHistory() {
  const { id: tenantId, call } = await makeTenant();
  const [desk, shop] = [await makeAgent(call), await makeAgent(call)];
  const replies = [
    { agent: desk, day: "2026-03-01", model_name: "small", tokens: 1 },
    { agent: desk, day: "2026-03-01", model_name: "large", tokens: 2 },
    { agent: shop, day: "2026-03-01", model_name: "small", tokens: 4 },
    { agent: desk, day: "2026-03-02", model_name: "small", tokens: 8 },
    { agent: desk, day: "2026-03-03", model_name: "small", tokens: 16 },
  ];
  for (const { agent, day, model_name, tokens } of replies) {
    const session = await makeSession(call, { agent_id: agent.id });
    const usage = makeUsage(tokens, 100);
    const at = `${day}T12:00:00.000Z`;
    await deliverOutbox(env.DB, [
      makeEntry({ ...session, tenantId }, { at, model_name, usage, reply_id: `rep_${tokens}` }),
    ]);
  }
  return { call, desk, shop };
}

async function readUsage(call: Call, query: string): Promise<Page<UsageRow>> {
  return (await ask<Page<UsageRow>>("GET", `/v1/usage?${query}`, call)).json;
}

const SPAN = "from=2026-03-01&to=2026-03-03";

describe("usage", () => {
  test("is summed by day and agent", async () => {
    const { call, desk, shop } = await makeHistory();

    const page = await readUsage(call, SPAN);

    const none = {
      model_name: null,
      end_user_id: null,
      cache_input_tokens: 0,
      cache_creation_input_tokens: 0,
      cost_usd: null,
      audio_input_ms: 0,
      audio_output_ms: 0,
      audio_input_tokens: 0,
      audio_output_tokens: 0,
    };
    const row = (day: string, agent_id: string, replies: number, input_tokens: number) => {
      return { ...none, day, agent_id, replies, input_tokens, output_tokens: 100 * replies };
    };
    expect(page).toEqual({
      data: [
        row("2026-03-03", desk.id, 1, 16),
        row("2026-03-02", desk.id, 1, 8),
        row("2026-03-01", desk.id, 2, 3),
        row("2026-03-01", shop.id, 1, 4),
      ],
      has_more: false,
      next_page: null,
    });
  });

  test("is summed by whatever is asked for, over the days asked for", async () => {
    const { call, desk, shop } = await makeHistory();
    const queries = [
      `${SPAN}&group_by=day`,
      `${SPAN}&group_by=agent`,
      `${SPAN}&group_by=model`,
      `${SPAN}&group_by=model,agent`,
      "from=2026-03-02&to=2026-03-02&group_by=agent",
      "from=2026-03-04&to=2026-03-05",
    ];

    const sums = [];
    for (const query of queries) {
      const { data } = await readUsage(call, query);
      sums.push(
        data.map(({ day, agent_id, model_name, input_tokens }) => {
          return [day ?? agent_id, model_name, input_tokens];
        }),
      );
    }

    expect(sums).toEqual([
      [
        ["2026-03-03", null, 16],
        ["2026-03-02", null, 8],
        ["2026-03-01", null, 7],
      ],
      [
        [desk.id, null, 27],
        [shop.id, null, 4],
      ],
      [
        [null, "large", 2],
        [null, "small", 29],
      ],
      [
        [desk.id, "large", 2],
        [desk.id, "small", 25],
        [shop.id, "small", 4],
      ],
      [[desk.id, null, 8]],
      [],
    ]);
  });

  test("of a reply that waits and ends counts once, where it ended", async () => {
    const { id: tenantId, call } = await makeTenant();
    const session = await makeSession(call, { agent_id: (await makeAgent(call)).id });
    const waits = makeEntry(
      { ...session, tenantId },
      { at: "2026-03-01T23:59:00.000Z", model_name: "small", usage: makeUsage(1) },
    );
    const ends = {
      ...waits,
      entry: 2,
      at: "2026-03-02T00:01:00.000Z",
      model_name: "large",
      usage: makeUsage(3),
    };

    const reports = [];
    for (const entries of [[waits], [ends, ends], [waits, ends]]) {
      await deliverOutbox(env.DB, entries);
      const { data } = await readUsage(call, `${SPAN}&group_by=day,model`);
      reports.push(
        data.map(({ day, model_name, replies, input_tokens }) => {
          return [day, model_name, replies, input_tokens];
        }),
      );
    }

    const atItsEnd = [["2026-03-02", "large", 1, 3]];
    expect(reports).toEqual([[["2026-03-01", "small", 1, 1]], atItsEnd, atItsEnd]);
  });

  test("comes page by page, each sum once", async () => {
    const { call } = await makeHistory();

    const seen = [];
    let page: string | null = null;
    do {
      const next: string = page === null ? "" : `&page=${page}`;
      const answer: Page<UsageRow> = await readUsage(call, `${SPAN}&limit=3${next}`);
      seen.push(answer.data.map(({ input_tokens }) => input_tokens));
      page = answer.next_page;
    } while (page !== null);

    expect(seen).toEqual([[16, 8, 3], [4]]);
  });

  test("is told of an endpoint that counts beyond what SQLite's whole numbers can add up to", async () => {
    const { id: tenantId, call } = await makeTenant();
    const session = await makeSession(call, { agent_id: (await makeAgent(call)).id });
    for (const day of ["2026-03-01", "2026-03-02"]) {
      const changes = { at: day, usage: makeUsage(2 ** 62, 1), reply_id: `rep_${day}` };
      await deliverOutbox(env.DB, [makeEntry({ ...session, tenantId }, changes)]);
    }

    const { data } = await readUsage(call, `${SPAN}&group_by=model`);

    const none = {
      day: null,
      agent_id: null,
      end_user_id: null,
      cache_input_tokens: 0,
      cache_creation_input_tokens: 0,
      cost_usd: null,
      audio_input_ms: 0,
      audio_output_ms: 0,
      audio_input_tokens: 0,
      audio_output_tokens: 0,
    };
    const sums = { replies: 2, input_tokens: 2 ** 63, output_tokens: 2 };
    expect(data).toEqual([{ ...none, model_name: "m", ...sums }]);
  });

  test("covers the last 30 days, today included, when no day is named", async () => {
    const { id: tenantId, call } = await makeTenant();
    const session = await makeSession(call, { agent_id: (await makeAgent(call)).id });
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    for (const days of [0, 29, 30]) {
      const changes = { at: daysAgo(days), usage: makeUsage(1), reply_id: `rep_${days}` };
      await deliverOutbox(env.DB, [makeEntry({ ...session, tenantId }, changes)]);
    }

    const { data } = await readUsage(call, "group_by=day");

    expect(data.map(({ day }) => day)).toEqual(
      [daysAgo(0), daysAgo(29)].map((at) => at.slice(0, 10)),
    );
  });

  test("refuses what it cannot sum", async () => {
    const { call } = await makeTenant();
    const queries = [
      "from=yesterday",
      "to=2026-02-30",
      "from=2026-03-02&to=2026-03-01",
      "from=2025-01-01&to=2026-03-01",
      "group_by=colour",
      "group_by=day,day",
      "page=zzz",
      "limit=0",
      "tenant_id=ten_1",
    ];

    const refusals = [];
    for (const query of queries)
      refusals.push(refusalOf(await ask("GET", `/v1/usage?${query}`, call)));

    const pointers = [
      "from",
      "to",
      "from",
      "from",
      "group_by/0",
      "group_by",
      "page",
      "limit",
      "tenant_id",
    ];
    expect(refusals).toEqual(
      pointers.map((name) => {
        return { status: 400, code: "validation_failed", pointers: [`#/query/${name}`] };
      }),
    );
  });
});
