import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import {
  MAX_LISTED_MESSAGE_BYTES,
  MAX_LISTED_TEXT_BYTES,
} from "../../../protocol/limits/outbox.ts";
import { deliverOutbox } from "../../../storage/outbox/deliver-outbox.ts";
import { ask, openSession, OPERATOR } from "../support/api.ts";
import { makeEntry, makeMessage, makeUsage } from "./outbox-entry.ts";
import { makePending } from "./pending-call.ts";

async function openListed() {
  const { tenantId, call, session } = await openSession();
  const { id, agent_id, created_at } = session;
  return { call, tenantId, id, agent_id, created_at };
}

/** Every row of the three tables about this session. */
async function rowsOf({ id }: { readonly id: string }) {
  const read = async (table: string) => {
    const query = `SELECT * FROM ${table} WHERE session_id = ? ORDER BY 1, 2, 3`;
    return (await env.DB.prepare(query).bind(id).all<Record<string, unknown>>()).results;
  };
  return {
    states: await read("session_states"),
    messages: await read("messages"),
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
  test("an entry becomes a state, messages and usage", async () => {
    const session = await openListed();
    const messages = [makeMessage("m1", "Hello"), makeMessage("rep_1", "Good day", "assistant")];
    const entry = makeEntry(session, {
      entry: 7,
      reply_status: "awaiting_permission",
      session_status: "awaiting_permission",
      pending: [makePending("call_1"), makePending("call_2")],
      messages,
      usage: makeUsage(10, 20),
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
          reply_id: "rep_1",
          reply_status: "awaiting_permission",
          pending: 2,
          cursor: 9,
          updated_at: entry.at,
          bytes: entry.bytes,
          session_created_at: session.created_at,
        },
      ],
      messages: messages.map((message) => ({
        ...common,
        id: message.id,
        reply_id: "rep_1",
        role: message.role,
        text: message.content[0]?.type === "text" ? message.content[0].text : null,
        body: JSON.stringify(message),
        body_bytes: JSON.stringify(message).length,
        created_at: message.created_at,
      })),
      usage: [
        {
          ...common,
          reply_id: "rep_1",
          agent_id: session.agent_id,
          agent_version: 1,
          end_user_id: "ann",
          model_name: "m",
          day: "2026-03-01",
          ...makeUsage(10, 20),
        },
      ],
    });
  });

  test("twice or out of order is the same as once and in order", async () => {
    const story = (session: Parameters<typeof makeEntry>[0]) => [
      makeEntry(session, {
        entry: 3,
        session_status: "awaiting_permission",
        messages: [makeMessage("m1", "Hello"), makeMessage("rep_1", "Half", "assistant")],
        usage: makeUsage(10),
      }),
      makeEntry(session, {
        entry: 8,
        messages: [makeMessage("m1", "Hello"), makeMessage("rep_1", "Whole", "assistant")],
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
    expect(results[0]).toContain("Whole");
    expect(results[0]).not.toContain("Half");
  });

  test("a message that is too large for a row leaves its text and its size", async () => {
    const session = await openListed();
    const text = "€".repeat(200_000);
    const message = makeMessage("m1", text);
    const blob = { type: "base64" as const, media_type: "image/png", data: "A".repeat(600_000) };
    const picture = {
      ...makeMessage("m2", "Look"),
      content: [
        ...makeMessage("m2", "Look").content,
        {
          type: "data" as const,
          id: "blk_2",
          source: blob,
          name: null,
          created_at: "",
          finished_at: null,
        },
      ],
    };

    await deliverOutbox(env.DB, [makeEntry(session, { messages: [message, picture as never] })]);

    const { messages } = await rowsOf(session);
    const [first, second] = messages;
    const storedBytes = new TextEncoder().encode(String(first?.["text"])).byteLength;
    expect(
      messages.map(({ body, body_bytes }) => [body, Number(body_bytes) > MAX_LISTED_MESSAGE_BYTES]),
    ).toEqual([
      [null, true],
      [null, true],
    ]);
    expect(text.startsWith(String(first?.["text"]))).toBe(true);
    expect(MAX_LISTED_TEXT_BYTES - storedBytes).toBeLessThan(3);
    expect(second?.["text"]).toBe("Look");
  });

  test("an entry is written whole or not at all", async () => {
    const session = await openListed();
    const broken = { ...makeMessage("m2", "x"), role: null } as never;
    const entry = makeEntry(session, {
      messages: [makeMessage("m1", "x"), broken],
      usage: makeUsage(1),
    });

    await expect(deliverOutbox(env.DB, [entry])).rejects.toThrow("NOT NULL");

    expect(await rowsOf(session)).toEqual({ states: [], messages: [], usage: [] });
  });

  test("a deleted session leaves the numbers of its usage, and what comes late brings nothing back", async () => {
    const session = await openListed();
    const entry = makeEntry(session, {
      messages: [makeMessage("m1", "x")],
      usage: makeUsage(1),
      end_user_id: "customer-17",
    });
    await deliverOutbox(env.DB, [entry]);

    await ask("DELETE", `/v1/sessions/${session.id}`, session.call);
    const after = await rowsOf(session);
    await deliverOutbox(env.DB, [{ ...entry, entry: 2 }]);

    const numbers = { states: [], messages: [], usage: [{ entry: 1, input_tokens: 1 }] };
    expect([after, await rowsOf(session)]).toMatchObject([numbers, numbers]);
    expect(after.usage[0]?.["end_user_id"]).toBeNull();
  });

  test("of a session whose deletion has begun only the usage is taken", async () => {
    const [fresh, known] = [await openListed(), await openListed()];
    const entryOf = (session: Parameters<typeof makeEntry>[0], entry: number) =>
      makeEntry(session, {
        entry,
        reply_status: "awaiting_permission",
        session_status: "awaiting_permission",
        messages: [makeMessage("m1", `said before ${entry}`)],
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
    expect(await rowsOf(fresh)).toMatchObject({ states: [], messages: [], usage });
    expect(await rowsOf(known)).toMatchObject({ ...before, usage });
    expect(await pendingOf(fresh)).toEqual([]);
    expect(await pendingOf(known)).not.toContain("call_2");
  });

  test("a deleted tenant leaves nothing", async () => {
    const session = await openListed();
    const entry = makeEntry(session, { messages: [makeMessage("m1", "x")], usage: makeUsage(1) });
    await deliverOutbox(env.DB, [entry]);

    await ask("DELETE", `/v1/tenants/${session.tenantId}`, OPERATOR);

    expect(await rowsOf(session)).toEqual({ states: [], messages: [], usage: [] });
  });

  test("an entry under another tenant's name does not reach the session", async () => {
    const [session, stranger] = [await openListed(), await openListed()];

    await deliverOutbox(env.DB, [makeEntry({ ...session, tenantId: stranger.tenantId })]);

    expect((await rowsOf(session)).states).toEqual([]);
  });
});
