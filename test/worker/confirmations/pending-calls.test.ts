import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { PendingCall } from "../../../protocol/replies/contract.ts";
import { MAX_LISTED_CALL_BYTES, MAX_LISTED_CALLS } from "../../../protocol/confirmations/limits.ts";
import { MAX_CALL_ID_CHARACTERS } from "../../../protocol/tools/limits.ts";
import { deliverOutbox } from "../../../storage/outbox/deliver-outbox.ts";
import { decodePendingPosition } from "../../../storage/confirmations/pending-storage.ts";
import type { PendingRequest } from "../../../storage/confirmations/pending-storage.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { ask, makeSession, openSession, OPERATOR } from "../support/api.ts";
import { makeEntry } from "../sessions/outbox-entry.ts";
import { makePending } from "./pending-call.ts";

async function openListed() {
  const { tenantId, call, agent, session } = await openSession();
  return { call, tenantId, id: session.id, agent_id: agent.id };
}
type Listed = Awaited<ReturnType<typeof openListed>>;

/** Another session of the same tenant. */
async function openBeside(session: Listed): Promise<Listed> {
  const { id } = await makeSession(session.call, { agent_id: session.agent_id });
  return { ...session, id };
}

async function listOf({ tenantId }: Listed, request: Partial<PendingRequest> = {}) {
  return tenantStorage(env.DB, tenantId).pending.list({ limit: 100, ...request });
}

async function idsOf(session: Listed, request: Partial<PendingRequest> = {}) {
  return (await listOf(session, request)).data.map(({ tool_call_id }) => tool_call_id);
}

function waiting(session: Listed, entry: number, ids: readonly string[], at?: string) {
  return makeEntry(session, {
    entry,
    reply_status: "awaiting_permission",
    session_status: "awaiting_permission",
    pending: ids.map((id) => makePending(id)),
    at: at ?? `2026-03-01T12:00:${String(entry).padStart(2, "0")}.000Z`,
  });
}

describe("what waits, in D1", () => {
  test("an entry's calls are listed whole, with where they wait", async () => {
    const session = await openListed();
    const call = makePending("call_1", { expires_at: "2026-03-02T12:00:00.000Z" });
    const entry = makeEntry(session, { entry: 4, pending: [call], end_user_id: "ann" });

    await deliverOutbox(env.DB, [entry]);

    expect(await listOf(session)).toEqual({
      data: [
        {
          ...call,
          session_id: session.id,
          reply_id: entry.reply_id,
          agent_id: session.agent_id,
          end_user_id: "ann",
          tool_call_id: "call_1",
          tool_name: call.tool_call.name,
          asked_at: entry.at,
        },
      ],
      has_more: false,
      next_page: null,
    });
  });

  test("a later entry takes away what it no longer has, and keeps since when the rest waits", async () => {
    const session = await openListed();

    await deliverOutbox(env.DB, [waiting(session, 3, ["call_1", "call_2"])]);
    await deliverOutbox(env.DB, [waiting(session, 5, ["call_2", "call_3"])]);

    expect(
      (await listOf(session)).data.map(({ tool_call_id, asked_at }) => [tool_call_id, asked_at]),
    ).toEqual([
      ["call_2", "2026-03-01T12:00:03.000Z"],
      ["call_3", "2026-03-01T12:00:05.000Z"],
    ]);
  });

  test("a reply that goes on has nothing that waits", async () => {
    const session = await openListed();
    await deliverOutbox(env.DB, [waiting(session, 3, ["call_1"])]);

    const running = { reply_status: "running", session_status: "running" } as const;
    await deliverOutbox(env.DB, [makeEntry(session, { entry: 4, ...running })]);

    const { json } = await ask<{ data: readonly { status: string }[] }>(
      "GET",
      "/v1/sessions",
      session.call,
    );
    expect([await idsOf(session), json.data.map(({ status }) => status)]).toEqual([
      [],
      ["running"],
    ]);
  });

  test("twice or out of order is the same as once and in order", async () => {
    const orders = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 0, 2, 1],
      [0, 2, 1],
      [2, 0, 2, 1],
    ];

    const results: { readonly tool_call_id: string }[][] = [];
    for (const order of orders) {
      const session = await openListed();
      const entries = [
        waiting(session, 3, ["call_1", "call_2"]),
        waiting(session, 5, ["call_2", "call_3"]),
        waiting(session, 8, ["call_2", "call_4"]),
      ];
      await deliverOutbox(
        env.DB,
        order.map((index) => entries[index]!),
      );
      const { data } = await listOf(session);
      results.push(data.map(({ session_id: _, agent_id: __, ...rest }) => rest));
    }

    expect(results[0]?.map(({ tool_call_id }) => tool_call_id)).toEqual(["call_2", "call_4"]);
    expect(results).toEqual(orders.map(() => results[0]));
  });

  test("a deleted session leaves nothing, and what comes late brings nothing back", async () => {
    const session = await openListed();
    await deliverOutbox(env.DB, [waiting(session, 3, ["call_1"])]);

    await ask("DELETE", `/v1/sessions/${session.id}`, session.call);
    const after = await rowsOf(session);
    await deliverOutbox(env.DB, [waiting(session, 4, ["call_1"])]);

    expect([after, await rowsOf(session)]).toEqual([0, 0]);
  });

  test("a deleted tenant leaves nothing", async () => {
    const session = await openListed();
    await deliverOutbox(env.DB, [waiting(session, 3, ["call_1"])]);

    await ask("DELETE", `/v1/tenants/${session.tenantId}`, OPERATOR);

    expect(await rowsOf(session)).toBe(0);
  });

  test("an entry under another tenant's name neither adds nor takes away", async () => {
    const [session, stranger] = [await openListed(), await openListed()];
    await deliverOutbox(env.DB, [waiting(session, 3, ["call_1"])]);

    await deliverOutbox(env.DB, [
      waiting({ ...session, tenantId: stranger.tenantId }, 9, ["call_2"]),
    ]);

    expect([await idsOf(session), await idsOf(stranger)]).toEqual([["call_1"], []]);
  });

  test("a call that is too large is listed without itself, and so are those behind the first million bytes", async () => {
    const session = await openListed();
    const large = (id: string, bytes: number) => makePending(id, {}, "x".repeat(bytes));
    const pending = [
      large("huge", MAX_LISTED_CALL_BYTES),
      ...Array.from({ length: 20 }, (_, index) => large(`large_${index + 10}`, 60_000)),
      makePending("small"),
    ];

    await deliverOutbox(env.DB, [makeEntry(session, { pending })]);

    const { data } = await listOf(session);
    const shown = data.filter(({ tool_call }) => tool_call !== null);
    expect([data.length, shown.map(({ tool_call_id }) => tool_call_id)]).toEqual([
      22,
      [...Array.from({ length: 16 }, (_, index) => `large_${index + 10}`), "small"],
    ]);
    expect(data[0]).toMatchObject({ tool_call_id: "huge", input_hash: null, suggested_rules: [] });
  });

  test("more and longer calls than the list shows are written all the same", async () => {
    const session = await openListed();
    // Control characters: the longest that an id gets as JSON.
    const pending = Array.from({ length: MAX_LISTED_CALLS + 5 }, (_, index) =>
      makePending(`call_${index}`.padEnd(MAX_CALL_ID_CHARACTERS, "\u0001"), {}, "x".repeat(5_000)),
    );

    await deliverOutbox(env.DB, [makeEntry(session, { pending })]);

    expect(await rowsOf(session)).toBe(MAX_LISTED_CALLS);
  });
});

describe("the list of what waits", () => {
  test("has the oldest first, in pages that neither repeat nor leave out", async () => {
    const first = await openListed();
    const second = await openBeside(first);
    // A model's own ids: more than a page token would take as they are, and no ASCII.
    const strange = ["\u{1f6a2}".repeat(100), 'é|,"\\', "0"];
    await deliverOutbox(env.DB, [
      waiting(first, 5, ["call_1", "call_2"]),
      waiting(second, 2, strange),
    ]);

    const seen: string[] = [];
    let after: PendingRequest["after"];
    for (let pages = 0; pages < 5; pages += 1) {
      const page = await listOf(first, { after, limit: 1 });
      seen.push(...page.data.map(({ tool_call_id }) => tool_call_id));
      after = decodePendingPosition(page.next_page ?? "") ?? undefined;
    }

    expect(seen).toEqual([...strange.toSorted(), "call_1", "call_2"]);
    expect(after).toBeUndefined();
  });

  test.each([
    [{ kind: "external_result" }, ["label"]],
    [{ tool_name: "print_label" }, ["label"]],
    [{ end_user_id: "bob" }, ["refund_2"]],
    [{ asked_after: "2026-03-01T12:00:02.000Z" }, ["refund_2"]],
    [{ asked_before: "2026-03-01T12:00:02.000Z" }, ["label", "refund_1"]],
    [{ expires_before: "2026-03-01T13:00:00.001Z" }, ["refund_1"]],
    [{ kind: "permission", asked_after: "2026-03-01T12:00:01.000Z" }, ["refund_1", "refund_2"]],
    [{ agent_id: "agt_other" }, []],
  ] as const)("can be narrowed to %j", async (filter, expected) => {
    const first = await openListed();
    const second = await openBeside(first);
    const label = makePending("label", { kind: "external_result" });
    const pending: PendingCall[] = [
      makePending("refund_1", { expires_at: "2026-03-01T13:00:00.000Z" }),
      { ...label, tool_call: { ...label.tool_call, name: "print_label" } },
    ];
    await deliverOutbox(env.DB, [
      { ...waiting(first, 1, []), pending, end_user_id: "ann" },
      { ...waiting(second, 2, ["refund_2"]), end_user_id: "bob" },
    ]);

    expect(await idsOf(first, filter)).toEqual(expected);
  });

  test("can be narrowed to one session and one agent", async () => {
    const first = await openListed();
    const second = await openBeside(first);
    await deliverOutbox(env.DB, [waiting(first, 1, ["call_1"]), waiting(second, 2, ["call_2"])]);

    expect([
      await idsOf(first, { session_id: second.id }),
      await idsOf(first, { agent_id: first.agent_id }),
    ]).toEqual([["call_2"], ["call_1", "call_2"]]);
  });

  test.each(["", "%", "bm8", btoa("[1,2,3]"), btoa('["a","b"]'), btoa("é")])(
    "gives %j as no token",
    (token) => {
      expect(decodePendingPosition(token)).toBeNull();
    },
  );
});

async function rowsOf({ id }: Listed): Promise<number> {
  const query = "SELECT count(*) AS rows FROM pending_calls WHERE session_id = ?";
  return (await env.DB.prepare(query).bind(id).first<number>("rows"))!;
}
