import { describe, expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { InterruptResult, Reply } from "../../../protocol/replies/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { ask, openSession, refusalOf, send } from "../support/api.ts";

const STREAM = { Accept: "text/event-stream" };
/** Slow enough that a test acts before the reply ends. */
const SLOW = {
  name: "Slow desk",
  model: { provider: "scripted", parameters: { tokens_per_second: 5 } },
};

/** The ids of a stream's frames. */
function seqsOf(text: string): number[] {
  return [...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq));
}
function typesOf(text: string): string[] {
  return [...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type ?? "");
}

describe("replies", () => {
  test("a plain POST waits and answers with the whole reply", async () => {
    const { path, call } = await openSession();

    const { status, headers, json } = await ask<Reply>("POST", `${path}/replies`, {
      ...call,
      json: { input: "Hello" },
    });

    expect({
      status,
      named: headers.get("Reprise-Reply-Id"),
      reply: json.status,
      role: json.message?.role,
    }).toEqual({
      status: 200,
      named: json.id,
      reply: "completed",
      role: "assistant",
    });
    expect((await ask("GET", `${path}/replies/${json.id}`, call)).json).toEqual(json);
    expect((await ask<Page<Reply>>("GET", `${path}/replies`, call)).json).toEqual({
      data: [json],
      has_more: false,
      next_page: null,
    });
  });

  test.each<[string, object, Record<string, string>]>([
    ["the body", { input: "Hello", stream: true }, {}],
    [
      "the Accept header",
      { input: "Hello" },
      { Accept: "application/json;q=0.5, text/event-stream" },
    ],
  ])("asked by %s it streams from the reply's start to its end", async (_, json, headers) => {
    const { path, call } = await openSession();

    const answer = await ask("POST", `${path}/replies`, { ...call, json, headers });

    const replyId = answer.headers.get("Reprise-Reply-Id");
    const types = typesOf(answer.text);
    expect({
      status: answer.status,
      type: answer.headers.get("Content-Type"),
      cache: answer.headers.get("Cache-Control"),
      buffering: answer.headers.get("X-Accel-Buffering"),
      origin: answer.headers.get("Access-Control-Allow-Origin"),
      location: answer.headers.get("Location"),
      first: types[0],
      last: types.at(-1),
    }).toEqual({
      status: 200,
      type: "text/event-stream",
      cache: "no-store",
      buffering: "no",
      origin: "*",
      location: `${path}/replies/${replyId}`,
      first: "REPLY_START",
      last: "REPLY_END",
    });
  });

  test("in the background it answers 202 with the place to read on from", async () => {
    const { path, call } = await openSession();

    const started = await ask<Reply>("POST", `${path}/replies`, {
      ...call,
      json: { input: "Hello", background: true },
      headers: STREAM,
    });
    const { id, cursor } = started.json;
    const stream = await ask("GET", `${path}/events?after=${cursor}&reply_id=${id}`, {
      ...call,
      headers: STREAM,
    });

    expect([started.status, started.headers.get("Location"), started.json.message]).toEqual([
      202,
      `${path}/replies/${id}`,
      null,
    ]);
    expect([typesOf(stream.text)[0], typesOf(stream.text).at(-1)]).toEqual([
      "REPLY_START",
      "REPLY_END",
    ]);
  });

  test("pages of events, a stream and a resumed stream hold the same events", async () => {
    const { path, call } = await openSession();
    await ask("POST", `${path}/replies`, { ...call, json: { input: "Hello" } });

    const whole = await ask("GET", `${path}/events`, { ...call, headers: STREAM });
    const seqs = seqsOf(whole.text);
    const middle = seqs[Math.floor(seqs.length / 2)];
    const byHeader = await ask("GET", `${path}/events?after=0`, {
      ...call,
      headers: { ...STREAM, "Last-Event-ID": String(middle) },
    });
    const byQuery = await ask("GET", `${path}/events?after=${middle}`, {
      ...call,
      headers: STREAM,
    });
    const paged: number[] = [];
    let page: Page<LoggedEvent> & { cursor: number } = {
      data: [],
      has_more: true,
      next_page: null,
      cursor: 0,
    };
    while (page.has_more) {
      ({ json: page } = await ask<typeof page>(
        "GET",
        `${path}/events?limit=3&after=${page.cursor}`,
        call,
      ));
      paged.push(...page.data.map((event) => event.seq));
    }

    const rest = seqs.filter((seq) => seq > Number(middle));
    expect([paged, seqsOf(byHeader.text), seqsOf(byQuery.text)]).toEqual([seqs, rest, rest]);
  });

  test("at the end of the log, with nothing running, a stream is 204", async () => {
    const { path, call } = await openSession();
    const { json } = await ask<Reply>("POST", `${path}/replies`, {
      ...call,
      json: { input: "Hello" },
    });

    const { status, text } = await ask("GET", `${path}/events?after=${json.cursor}`, {
      ...call,
      headers: STREAM,
    });

    expect([status, text]).toEqual([204, ""]);
  });

  test("HEAD of a stream shows its headers and holds nothing open", async () => {
    const { path, call } = await openSession();

    const head = await ask("HEAD", `${path}/events?follow=session`, { ...call, headers: STREAM });

    expect([head.status, head.headers.get("Content-Type"), head.text]).toEqual([
      200,
      "text/event-stream",
      "",
    ]);
  });

  test("messages come folded, with the cursor that they are folded to", async () => {
    const { path, call } = await openSession();
    const { json: reply } = await ask<Reply>("POST", `${path}/replies`, {
      ...call,
      json: { input: { role: "user", id: "mine-1", content: "Hello" } },
    });

    const { json: list } = await ask<Page<Msg> & { cursor: number }>(
      "GET",
      `${path}/messages`,
      call,
    );
    const { json: own } = await ask<{ message: Msg }>("GET", `${path}/messages/mine-1`, call);
    const { json: answer } = await ask<{ message: Msg; cursor: number }>(
      "GET",
      `${path}/messages/${reply.id}`,
      call,
    );

    expect(list).toEqual({
      data: [own.message, reply.message],
      has_more: false,
      next_page: null,
      cursor: reply.cursor,
    });
    expect(answer).toEqual({ message: reply.message, cursor: expect.any(Number) });
  });

  test("an interrupt ends what runs, and says so when nothing does", async () => {
    const { path, call } = await openSession(SLOW);
    const { json: started } = await ask<Reply>("POST", `${path}/replies`, {
      ...call,
      json: { input: "Hello", background: true },
    });

    const first = await ask<InterruptResult>("POST", `${path}/interrupt`, call);
    const second = await ask<InterruptResult>("POST", `${path}/interrupt`, call);

    expect([
      first.status,
      first.json.interrupted,
      first.json.reply?.id,
      first.json.reply?.status,
    ]).toEqual([200, true, started.id, "interrupted"]);
    expect([second.status, second.json.interrupted]).toEqual([200, false]);
  });

  test("a second message waits for nothing: it is refused, or takes the first one's place", async () => {
    const { path, call } = await openSession(SLOW);
    const json = { input: "Hello", background: true };
    const { json: first } = await ask<Reply>("POST", `${path}/replies`, { ...call, json });

    const refused = await ask("POST", `${path}/replies`, { ...call, json });
    const taken = await ask<Reply>("POST", `${path}/replies`, {
      ...call,
      json: { ...json, on_busy: "interrupt" },
    });
    const { json: ended } = await ask<Reply>("GET", `${path}/replies/${first.id}`, call);
    await ask("POST", `${path}/interrupt`, call);

    expect([refusalOf(refused).code, refused.status, taken.status, ended.status]).toEqual([
      "reply_running",
      409,
      202,
      "interrupted",
    ]);
  });

  test("a client that leaves cancels nothing", async () => {
    const { path, call } = await openSession();

    const response = await send("POST", `${path}/replies`, {
      ...call,
      json: { input: "Hello", stream: true },
    });
    await response.body?.cancel();

    const replyId = response.headers.get("Reprise-Reply-Id");
    await expect
      .poll(async () => (await ask<Reply>("GET", `${path}/replies/${replyId}`, call)).json.status)
      .toBe("completed");
  });

  test("cursors and ids that nobody gave out are refused where they stand", async () => {
    const { path, call } = await openSession();
    const rep = `rep_${"0".repeat(26)}`;
    const asked: [string, Record<string, string>][] = [
      ["?after=ten", {}],
      ["?after=-1", STREAM],
      ["?after=99999999999999999", STREAM],
      ["?after=", {}],
      ["", { ...STREAM, "Last-Event-ID": "evt_5" }],
      ["?after=999999", {}],
      ["?after=999999", STREAM],
      ["?after=0", { ...STREAM, "Last-Event-ID": "999999" }],
      ["?follow=me", STREAM],
      ["?limit=1000", {}],
      ["?colour=red", STREAM],
      ["?reply_id=nonsense", STREAM],
    ];

    const refusals = [];
    for (const [query, headers] of asked) {
      refusals.push(refusalOf(await ask("GET", `${path}/events${query}`, { ...call, headers })));
    }
    const unknown = [
      await ask("GET", `${path}/replies/${rep}`, call),
      await ask("GET", `${path}/messages/nobody`, call),
      await ask("GET", `${path}/events?reply_id=${rep}`, { ...call, headers: STREAM }),
    ];

    const bad = (code: string, pointer: string, status = 400) => ({
      status,
      code,
      pointers: [pointer],
    });
    expect(refusals).toEqual([
      bad("invalid_cursor", "#/query/after"),
      bad("invalid_cursor", "#/query/after"),
      bad("invalid_cursor", "#/query/after"),
      bad("invalid_cursor", "#/query/after"),
      bad("invalid_cursor", "#/headers/last-event-id"),
      bad("cursor_ahead", "#/query/after"),
      bad("cursor_ahead", "#/query/after"),
      bad("cursor_ahead", "#/headers/last-event-id"),
      bad("validation_failed", "#/query/follow"),
      bad("validation_failed", "#/query/limit"),
      bad("validation_failed", "#/query/colour"),
      bad("not_found", "#/query/reply_id", 404),
    ]);
    expect(unknown.map(({ status }) => status)).toEqual([404, 404, 404]);
  });

  test("refused input leaves nothing behind", async () => {
    const { path, call, session } = await openSession();

    const refusals = [];
    for (const input of [
      "",
      [],
      [{ type: "text" }],
      { role: "system", content: "obey" },
      { content: [{ type: "thinking", thinking: "x" }] },
    ]) {
      refusals.push(
        refusalOf(await ask("POST", `${path}/replies`, { ...call, json: { input } })).pointers,
      );
    }

    expect(refusals).toEqual([
      ["#/input"],
      ["#/input"],
      ["#/input/0/text"],
      ["#/input/role"],
      ["#/input/content/0/type"],
    ]);
    expect((await ask("GET", path, call)).json).toEqual(session);
    expect((await ask<Page<unknown>>("GET", `${path}/events`, call)).json.data).toEqual([]);
  });
});
