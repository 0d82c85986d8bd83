import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { deliverOutbox } from "../../../storage/outbox/deliver-outbox.ts";
import { ask, openSession, OPERATOR } from "../support/api.ts";
import { makeEntry, makeUsage } from "./outbox-entry.ts";
import { makePending } from "../confirmations/pending-call.ts";

async function openListed() {
  const { tenantId, call, session } = await openSession();
  const { id, agent_id, created_at } = session;
  return { call, tenantId, id, agent_id, created_at };
}

/** Every row of the two tables about this session. */
async function rowsOf({ id }: { readonly id: string }) {
  const read = async (table: string) => {
    const query = `SELECT * FROM ${table} WHERE session_id = ? ORDER BY 1, 2, 3`;
    return (await env.DB.prepare(query).bind(id).all<Record<string, unknown>>()).results;
  };
  return {
    states: await read("session_states"),
    usage: await read("usage"),
  };
}

/** The ids of the calls that are listed. */
async function pendingOf({ id }: { readonly id: string }): Promise<readonly string[]> {
  const query = "SELECT tool_call_id FROM pending_calls WHERE session_id = ?";
  const { results } = await env.DB.prepare(query).bind(id).all<{ tool_call_id: string }>();
  return results.map(({ tool_call_id }) => tool_call_id);
}

describe("the outbox in D1", () => {
  test("an entry becomes a state and usage", async () => {
    const session = await openListed();
    const entry = makeEntry(session, {
      entry: 7,
      reply_status: "awaiting_permission",
      session_status: "awaiting_permission",
      pending: [makePending("call_1"), makePending("call_2")],
      bytes: 4_096,
      usage: makeUsage(10, 20),
      cost: 2_000,
      first_words: "Where is it?",
      end_user_id: "ann",
    });

    await deliverOutbox(env.DB, [entry]);

    const common = { session_id: session.id, tenant_id: session.tenantId, entry: 7 };
    expect(await rowsOf(session)).toEqual({
      states: [
        {
          ...common,
          status: "awaiting_permission",
          agent_version: 1,
          bytes: 4_096,
          session_created_at: session.created_at,
          first_words: "Where is it?",
          failure: null,
          cost: 2_000,
        },
      ],
      usage: [
        {
          ...common,
          reply_id: "rep_1",
          agent_id: session.agent_id,
          model_name: "m",
          day: "2026-03-01",
          ...makeUsage(10, 20),
          audio_input_ms: 0,
          audio_output_ms: 0,
          audio_input_tokens: 0,
          audio_output_tokens: 0,
          cost: 2_000,
          replies: 1,
          end_user_id: null,
        },
      ],
    });
  });

  test("twice or out of order is the same as once and in order", async () => {
    const story = (session: Parameters<typeof makeEntry>[0]) => [
      makeEntry(session, {
        entry: 3,
        session_status: "awaiting_permission",
        usage: makeUsage(10),
      }),
      makeEntry(session, {
        entry: 8,
        usage: makeUsage(30),
        at: "2026-03-02T12:00:00.000Z",
      }),
      makeEntry(session, { entry: 12, reply_id: "rep_2", usage: makeUsage(5) }),
    ];
    const orders = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 0, 2, 1],
      [0, 2, 2, 1, 0],
    ];

    const results = [];
    for (const order of orders) {
      const session = await openListed();
      const entries = story(session);
      await deliverOutbox(
        env.DB,
        order.map((index) => entries[index]!),
      );
      const text = JSON.stringify(await rowsOf(session));
      results.push(
        [session.id, session.tenantId, session.agent_id, session.created_at].reduce(
          (all, own) => all.replaceAll(own, "*"),
          text,
        ),
      );
    }

    expect(new Set(results).size).toBe(1);
    expect(results[0]).toContain('"status":"idle"');
    expect(results[0]).not.toContain("awaiting_permission");
  });

  test("an entry is written whole or not at all", async () => {
    const session = await openListed();
    const entry = makeEntry(session, { usage: makeUsage(null as never) });

    await expect(deliverOutbox(env.DB, [entry])).rejects.toThrow("NOT NULL");

    expect(await rowsOf(session)).toEqual({ states: [], usage: [] });
  });

  test("a deleted session leaves the numbers of its usage, and what comes late brings nothing back", async () => {
    const session = await openListed();
    const entry = makeEntry(session, {
      usage: makeUsage(1),
      end_user_id: "customer-17",
    });
    await deliverOutbox(env.DB, [entry]);

    await ask("DELETE", `/v1/sessions/${session.id}`, session.call);
    const after = await rowsOf(session);
    await deliverOutbox(env.DB, [{ ...entry, entry: 2 }]);

    const numbers = { states: [], usage: [{ entry: 1, input_tokens: 1 }] };
    expect([after, await rowsOf(session)]).toMatchObject([numbers, numbers]);
    expect(JSON.stringify(after)).not.toContain("customer-17");
  });

  test("of a session whose deletion has begun only the usage is taken", async () => {
    const [fresh, known] = [await openListed(), await openListed()];
    const entryOf = (session: Parameters<typeof makeEntry>[0], entry: number) =>
      makeEntry(session, {
        entry,
        reply_status: "awaiting_permission",
        session_status: "awaiting_permission",
        pending: [makePending(`call_${entry}`)],
        usage: makeUsage(entry),
      });
    await deliverOutbox(env.DB, [entryOf(known, 1)]);
    const before = await rowsOf(known);
    for (const { id } of [fresh, known]) {
      await env.DB.prepare("UPDATE sessions SET deleted_at = ? WHERE id = ?")
        .bind("2026-03-01T13:00:00.000Z", id)
        .run();
    }

    await deliverOutbox(env.DB, [entryOf(fresh, 2), entryOf(known, 2)]);

    const usage = [{ entry: 2, input_tokens: 2 }];
    expect(await rowsOf(fresh)).toMatchObject({ states: [], usage });
    expect(await rowsOf(known)).toMatchObject({ ...before, usage });
    expect(await pendingOf(fresh)).toEqual([]);
    expect(await pendingOf(known)).not.toContain("call_2");
  });

  test("a deleted tenant leaves nothing", async () => {
    const session = await openListed();
    const entry = makeEntry(session, { usage: makeUsage(1) });
    await deliverOutbox(env.DB, [entry]);

    await ask("DELETE", `/v1/tenants/${session.tenantId}`, OPERATOR);

    expect(await rowsOf(session)).toEqual({ states: [], usage: [] });
  });

  test("an entry under another tenant's name does not reach the session", async () => {
    const [session, stranger] = [await openListed(), await openListed()];

    await deliverOutbox(env.DB, [makeEntry({ ...session, tenantId: stranger.tenantId })]);

    expect((await rowsOf(session)).states).toEqual([]);
  });
});
