// A reply, an interrupt or an answer that is asked for again.
import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { createSseDecoder } from "../../../protocol/sse.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, openSession, refusalOf, type Call } from "../support/api.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { keyed } from "../support/keyed.ts";
import { confirmation, openParked } from "../support/parked-session.ts";

async function countReplies(path: string, call: Call): Promise<number> {
  return (await ask<Page<Reply>>("GET", `${path}/replies`, call)).json.data.length;
}

function eventsOf(text: string): readonly LoggedEvent[] {
  return createSseDecoder()
    .push(text)
    .map(({ data }) => JSON.parse(data) as LoggedEvent);
}

interface Outcomes {
  readonly data: readonly { readonly ok: boolean; readonly applied?: boolean }[];
}

const STREAM = { Accept: "text/event-stream" };

describe("a repeated reply", () => {
  test("is streamed again from its start, and from wherever its reader stands", async () => {
    const { call, path } = await openSession();
    const json = { input: "/say hello my friend", stream: true };
    const first = await ask("POST", `${path}/replies`, { ...keyed(call), json });
    const events = eventsOf(first.text);
    const cuts = [undefined, ...events.slice(0, -1).map(({ seq }) => seq)];
    const again = await Promise.all(
      cuts.map((seq) =>
        ask("POST", `${path}/replies`, {
          ...keyed(call, "order-1", seq === undefined ? {} : { "Last-Event-ID": String(seq) }),
          json,
        }),
      ),
    );

    expect(
      again.map(({ text, headers }) => [eventsOf(text), headers.get("Reprise-Reply-Id")]),
    ).toEqual(
      cuts.map((seq) => [
        events.filter((event) => event.seq > (seq ?? 0)),
        first.headers.get("Reprise-Reply-Id"),
      ]),
    );
    expect([events.at(0)?.type, events.at(-1)?.type, await countReplies(path, call)]).toEqual([
      "REPLY_START",
      "REPLY_END",
      1,
    ]);
  });

  test("refuses a Last-Event-ID that is no position", async () => {
    const { call, path } = await openSession();
    const json = { input: "/say hello", stream: true };
    await ask("POST", `${path}/replies`, { ...keyed(call), json });
    const refused = await ask("POST", `${path}/replies`, {
      ...keyed(call, "order-1", { "Last-Event-ID": "x" }),
      json,
    });

    expect(refusalOf(refused)).toEqual({
      status: 400,
      code: "invalid_cursor",
      pointers: ["#/headers/last-event-id"],
    });
  });

  test("is waited for by both when the second asks while it runs", async () => {
    const { call, path } = await openSession();
    const gates = holdGates();
    const json = { input: `${GATE}\n/say hello` };
    const first = ask<Reply>("POST", `${path}/replies`, { ...keyed(call), json });
    await waitFor(async () => expect(await countReplies(path, call)).toBe(1));
    const asking = ask<Reply>("POST", `${path}/replies`, { ...keyed(call), json });
    // Were it not waited for, it would be answered now.
    const { status } = await ask("GET", path, call);
    gates.release();
    const second = await asking;

    expect([status, second.status, second.json]).toEqual([200, 200, (await first).json]);
  });

  test("is one reply when the object dies after it began, before its answer is read", async () => {
    const { call, path } = await openSession();
    const json = { input: "/say hello", background: true };
    const first = await ask<Reply>("POST", `${path}/replies`, { ...keyed(call), json });
    await abortAllDurableObjects();
    const second = await ask<Reply>("POST", `${path}/replies`, { ...keyed(call), json });

    expect([second.json, await countReplies(path, call)]).toEqual([first.json, 1]);
  });

  test("that died with its connection is the same reply, which a second request waits for", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const { call, path } = await openSession();
    const gates = holdGates();
    const json = { input: `${GATE}\n/say hello` };
    const first = ask("POST", `${path}/replies`, { ...keyed(call), json });
    await waitFor(async () => expect(await countReplies(path, call)).toBe(1));
    await abortAllDurableObjects();
    gates.release();
    const lost = await first;
    const second = await ask<Reply>("POST", `${path}/replies`, { ...keyed(call), json });
    const { json: listed } = await ask<Page<Reply>>("GET", `${path}/replies`, call);

    expect(lost.status).toBeGreaterThanOrEqual(500);
    expect([second.headers.get("Idempotent-Replayed"), listed.data]).toEqual([
      "true",
      [second.json],
    ]);
  });

  test("waits for its turn once, also when the object dies meanwhile", async () => {
    const { call, path } = await openSession();
    const running = { input: "/rate 20\n/words 20000", background: true };
    await ask("POST", `${path}/replies`, { ...call, json: running });
    const json = { input: "/say hello", background: true, on_busy: "queue" };
    const first = await ask<Reply>("POST", `${path}/replies`, { ...keyed(call), json });
    const second = await ask<Reply>("POST", `${path}/replies`, { ...keyed(call), json });
    await abortAllDurableObjects();
    const third = await ask<Reply>("POST", `${path}/replies`, { ...keyed(call), json });
    const replies = await countReplies(path, call);
    await ask("POST", `${path}/interrupt?queued=drop`, call);

    expect([first.status, second.json, third.json.id, replies]).toEqual([
      202,
      first.json,
      first.json.id,
      2,
    ]);
  });

  test("interrupts no other reply: the one that an interrupt was meant for stays its answer", async () => {
    const { call, path } = await openSession();
    const json = { input: "/rate 20\n/words 20000", background: true };
    const meant = await ask<Reply>("POST", `${path}/replies`, { ...call, json });
    await ask("POST", `${path}/interrupt`, keyed(call));
    const next = await ask<Reply>("POST", `${path}/replies`, { ...call, json });
    await abortAllDurableObjects();
    const again = await ask<{ reply: Reply }>("POST", `${path}/interrupt`, keyed(call));
    const { json: after } = await ask<Reply>("GET", `${path}/replies/${next.json.id}`, call);
    await ask("POST", `${path}/interrupt`, call);

    expect([again.json.reply.id, again.json.reply.status]).toEqual([meant.json.id, "interrupted"]);
    expect(after.status).not.toBe("interrupted");
  });
});

describe("a repeated answer to a call", () => {
  test("gets its receipt, and as a stream all that followed the answer", async () => {
    const { call, events, reply, pending } = await openParked();
    const json = confirmation(reply, pending);
    const first = await ask("POST", events, { ...keyed(call, "order-1", STREAM), json });
    const streamed = await ask("POST", events, { ...keyed(call, "order-1", STREAM), json });
    const receipt = await ask<{ cursor: number; applied: boolean }>("POST", events, {
      ...keyed(call),
      json,
    });

    expect([
      eventsOf(streamed.text),
      receipt.status,
      receipt.json.applied,
      receipt.json.cursor,
    ]).toEqual([eventsOf(first.text), 202, true, eventsOf(first.text)[0]!.seq - 1]);
  });

  test("among many is given once, also when the request died before it could keep its own answer", async () => {
    const { tenantId, call, path, session, reply, pending } = await openParked();
    const json = {
      answers: [{ session_id: session.id, event: confirmation(reply, pending) }],
    };
    const first = await ask<Outcomes>("POST", "/v1/confirmations", { ...keyed(call), json });
    await env.DB.prepare(
      "UPDATE idempotency_keys SET answer = NULL, leased_until = 0 WHERE tenant_id = ?",
    )
      .bind(tenantId)
      .run();
    const again = await ask<Outcomes>("POST", "/v1/confirmations", { ...keyed(call), json });
    const { json: logged } = await ask<Page<LoggedEvent>>("GET", `${path}/events?limit=100`, call);

    expect([first, again].map(({ json: { data } }) => [data[0]?.ok, data[0]?.applied])).toEqual([
      [true, true],
      [true, true],
    ]);
    expect(logged.data.filter(({ type }) => type === "USER_CONFIRM_RESULT")).toHaveLength(1);
  });
});
