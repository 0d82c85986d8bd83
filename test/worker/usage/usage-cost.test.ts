import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { deliverOutbox, type OutboxEntry } from "../../../storage/outbox/deliver-outbox.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { openSession } from "../support/api.ts";
import { type Asked, meteredDatabase, notedDatabase } from "../requests/noted-database.ts";
import { makeEntry, makeUsage } from "../sessions/outbox-entry.ts";

async function openListed() {
  const { tenantId, session } = await openSession();
  return { tenantId, id: session.id, agent_id: session.agent_id };
}

type Listed = Awaited<ReturnType<typeof openListed>>;

/** As many entries as a batch may have, until all are told. */
async function deliverAll(entries: readonly OutboxEntry[]): Promise<void> {
  for (let first = 0; first < entries.length; first += 10) {
    await deliverOutbox(env.DB, entries.slice(first, first + 10));
  }
}

/** Replies of the same two days, agent and models. */
function manyReplies(session: Listed, count: number): readonly OutboxEntry[] {
  return Array.from({ length: count }, (_, index) =>
    makeEntry(session, {
      entry: index + 1,
      reply_id: `rep_${index}`,
      at: `2026-03-0${1 + (index % 2)}T12:00:00.000Z`,
      model_name: `model-${Math.trunc(index / 2) % 2}`,
      usage: makeUsage(1),
    }),
  );
}

/** The rows that a report of March reads, and the tokens that it finds. */
async function readReport({ tenantId }: Listed) {
  const asked: Asked[] = [];
  const { data } = await tenantStorage(notedDatabase(asked), tenantId).usage.sum({
    from: "2026-03-01",
    to: "2026-03-31",
    groups: ["day"],
    skip: 0,
    limit: 20,
  });
  expect(asked.length).toBe(1);
  const { query, values } = asked[0]!;
  const statement = (text: string) => env.DB.prepare(text).bind(...values);
  const { meta } = await statement(query).all();
  const plan = await statement(`EXPLAIN QUERY PLAN ${query}`).all<{ detail: string }>();
  return {
    tokens: data.map(({ input_tokens }) => input_tokens),
    rowsRead: meta.rows_read,
    plan: plan.results[0]?.detail,
  };
}

/** The rows that each statement about usage, the second and the third of the batch, writes. */
async function rowsWritten(entry: OutboxEntry): Promise<readonly number[]> {
  const costs: D1Meta[] = [];
  await deliverOutbox(meteredDatabase(costs), [entry]);
  return costs.slice(1, 3).map(({ rows_written }) => rows_written);
}

describe("a report of usage", () => {
  test("reads a row for each day, agent and model, however many replies they had", async () => {
    const session = await openListed();
    const reports = [];
    for (const count of [4, 400]) {
      await deliverAll(manyReplies(session, count));
      reports.push(await readReport(session));
    }

    const plan = "SEARCH usage_days USING PRIMARY KEY (tenant_id=? AND day>? AND day<?)";
    expect(reports).toEqual([
      { tokens: [2, 2], rowsRead: 4, plan },
      { tokens: [200, 200], rowsRead: 4, plan },
    ]);
  });
});

describe("what a reply has used", () => {
  test("takes one row and its sum another, and one that counts each when it is new; told again it takes none", async () => {
    const session = await openListed();
    const parked = makeEntry(session, { entry: 3, usage: makeUsage(1) });
    const ended = { ...parked, entry: 5, usage: makeUsage(2) };
    const steps = [
      ["it waits", parked],
      ["it waits, told again", parked],
      ["it was answered", { ...parked, entry: 4 }],
      ["it ended", ended],
      ["it waits, told late", parked],
      ["another day and model", { ...ended, entry: 6, at: "2026-03-02", model_name: "large" }],
      ["another reply", makeEntry(session, { entry: 7, reply_id: "rep_2", usage: makeUsage(1) })],
    ] as const;

    const written = [];
    for (const [step, entry] of steps) written.push([step, ...(await rowsWritten(entry))]);

    expect(written).toEqual([
      ["it waits", 2, 2],
      ["it waits, told again", 0, 0],
      ["it was answered", 0, 1],
      ["it ended", 1, 1],
      ["it waits, told late", 0, 0],
      ["another day and model", 3, 1],
      ["another reply", 1, 2],
    ]);
  });
});
