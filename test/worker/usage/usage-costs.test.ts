// Money in the usage report, and the models whose prices are known.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { KnownModel } from "../../../protocol/models/known-models.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { UsageRow } from "../../../protocol/usage/contract.ts";
import { deliverOutbox } from "../../../storage/outbox/deliver-outbox.ts";
import { makeEntry, makeUsage } from "../sessions/outbox-entry.ts";
import { ask, makeAgent, makeSession, makeTenant, type Call } from "../support/api.ts";

const SPAN = "from=2026-03-01&to=2026-03-03";

async function costsOf(call: Call, groups: string): Promise<readonly unknown[]> {
  const path = `/v1/usage?${SPAN}&group_by=${groups}`;
  const { data } = (await ask<Page<UsageRow>>("GET", path, call)).json;
  return data.map(({ day, model_name, cost_usd }) => [day ?? model_name, cost_usd]);
}

/** Two days of a tenant: one whose costs are all known, one with a reply whose cost is not. */
async function makeCosts() {
  const { id: tenantId, call } = await makeTenant();
  const session = await makeSession(call, { agent_id: (await makeAgent(call)).id });
  const deliver = (reply_id: string, day: string, cost: number | null, more = {}) =>
    deliverOutbox(env.DB, [
      makeEntry(
        { ...session, tenantId },
        { reply_id, at: `${day}T12:00:00.000Z`, usage: makeUsage(9, 1), cost, ...more },
      ),
    ]);
  await deliver("rep_1", "2026-03-01", 5_175_000);
  await deliver("rep_2", "2026-03-01", 25, { model_name: "small" });
  await deliver("rep_3", "2026-03-02", 1_000_000_000);
  await deliver("rep_4", "2026-03-02", null, { model_name: "small" });
  return { call, deliver };
}

describe("the cost of usage", () => {
  test("is summed in dollars where it is known of each reply, and null elsewhere", async () => {
    const { call } = await makeCosts();

    expect(await costsOf(call, "day")).toEqual([
      ["2026-03-02", null],
      ["2026-03-01", 0.005175025],
    ]);
    expect(await costsOf(call, "model")).toEqual([
      ["m", 1.005175],
      ["small", null],
    ]);
  });

  test("is known again when a newer entry of the reply knows it", async () => {
    const { call, deliver } = await makeCosts();
    const newer = { model_name: "small", entry: 2 };

    await deliver("rep_4", "2026-03-02", 7, newer);
    await deliver("rep_4", "2026-03-02", null, { ...newer, entry: 1 });

    expect(await costsOf(call, "day")).toEqual([
      ["2026-03-02", 1.000000007],
      ["2026-03-01", 0.005175025],
    ]);
  });

  test("is not known of replies from before it was stored", async () => {
    const { call } = await makeCosts();
    // As the migration leaves them.
    await env.DB.prepare("UPDATE usage_days SET cost = 0, unpriced = replies").run();

    expect(await costsOf(call, "day")).toEqual([
      ["2026-03-02", null],
      ["2026-03-01", null],
    ]);
  });
});

describe("GET /v1/models", () => {
  test("lists what is known of each model, page by page", async () => {
    const { call } = await makeTenant();

    const all = (await ask<Page<KnownModel>>("GET", "/v1/models?limit=100", call)).json;
    const first = (await ask<Page<KnownModel>>("GET", "/v1/models?limit=2", call)).json;
    const second = (
      await ask<Page<KnownModel>>("GET", `/v1/models?limit=2&page=${first.next_page}`, call)
    ).json;

    expect(all.data).toHaveLength(100);
    expect([...first.data, ...second.data]).toEqual(all.data.slice(0, 4));
    expect(all.data.find(({ name }) => name === "claude-opus-5")).toEqual({
      provider: "anthropic",
      name: "claude-opus-5",
      hosts: ["api.anthropic.com"],
      context_size: 1_000_000,
      max_output_tokens: 128_000,
      media_types: ["image/jpeg", "image/png", "image/gif", "image/webp", "application/pdf"],
      prices: [
        { up_to_input_tokens: null, input: 5, output: 25, cached_input: 0.5, cache_write: 6.25 },
      ],
      source: "https://platform.claude.com/docs/en/models/opus-5/overview",
      prices_source: "https://platform.claude.com/docs/en/models/opus-5/overview",
      read_on: "2026-11-23",
    });
  });

  test("refuses a page that it has not given, and a key without the scope", async () => {
    const { id: tenant_id, call } = await makeTenant();
    const narrow = await ask<{ api_key: string }>("POST", "/v1/api-keys", {
      ...call,
      json: { scopes: ["usage:read"] },
    });

    expect((await ask("GET", "/v1/models?page=-1", call)).status).toBe(400);
    expect((await ask("GET", "/v1/models", { key: narrow.json.api_key })).status).toBe(403);
    expect(tenant_id).toMatch(/^ten_/);
  });
});
