import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { hashInput } from "../../../durable-objects/settings/hash-input.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { InputMessage } from "../../../protocol/replies/contract.ts";
import {
  allEvents,
  createdSession,
  listEvents,
  listMessages,
  objectOf,
  openStream,
  readEvents,
  readMessage,
  readReply,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";

function alarmOf(init: SessionInit): Promise<number | null> {
  return runInDurableObject(objectOf(init), (_, state) => state.storage.getAlarm());
}

const SLOW = "/rate 50\n/words 20000";

function message(id: string, content: string): InputMessage {
  return { id, name: "user", role: "user", content, metadata: {} };
}

describe("a reply", () => {
  it("refuses a second one while it runs, and says which one that is", async () => {
    const init = await createdSession();
    const running = await startReply(init, SLOW);
    const second = await stubOf(init).act("startReply", { input: "/say hi", on_busy: "reject" });

    expect(second).toMatchObject({
      ok: false,
      refusal: { code: "reply_running", extensions: { reply_id: running.id, pending: [] } },
    });
    await stubOf(init).act("interrupt", {});
  });

  it("gives way when the next one asks for it, and is ended as interrupted", async () => {
    const init = await createdSession();
    const first = await startReply(init, SLOW);
    const second = valueOf(
      await stubOf(init).act("startReply", { input: "/say hi", on_busy: "interrupt" }),
    );

    expect(await readReply(init, first.id)).toMatchObject({ status: "interrupted" });
    expect(await readReply(init, second.id, 60_000)).toMatchObject({ status: "completed" });
  });

  it("lets one of two that start at the same moment win", async () => {
    const init = await createdSession();
    const stub = stubOf(init);
    const both = await Promise.all([
      stub.act("startReply", { input: "/say a", on_busy: "reject" }),
      stub.act("startReply", { input: "/say b", on_busy: "reject" }),
    ]);

    expect(both.filter((result) => result.ok)).toHaveLength(1);
  });

  it("keeps what was said when it is interrupted, and ends well-formed", async () => {
    const init = await createdSession();
    const started = await startReply(init, "/think Hm.\n/rate 100\n/words 20000");
    await readEvents(
      await openStream(init, `after=${started.cursor}`),
      (event) => event.type === "TEXT_BLOCK_DELTA",
    );
    const { interrupted, reply: ended } = valueOf(await stubOf(init).act("interrupt", {}));

    expect(interrupted).toBe(true);
    expect(ended).toMatchObject({ id: started.id, status: "interrupted", pending: [] });
    expect(ended?.message?.content.every((block) => block.finished_at !== null)).toBe(true);
    const types = (await allEvents(init)).slice(-3).map((event) => event.type);
    expect(types).toEqual(["TEXT_BLOCK_END", "MODEL_CALL_END", "REPLY_END"]);
  });

  it("is interrupted once: again, and on an idle session, nothing happens", async () => {
    const init = await createdSession();
    await startReply(init, SLOW);
    await stubOf(init).act("interrupt", {});
    const before = await allEvents(init);

    expect(valueOf(await stubOf(init).act("interrupt", {}))).toEqual({
      interrupted: false,
      reply: null,
    });
    expect(await allEvents(init)).toEqual(before);
  });

  it("writes nothing more after an interrupt, whatever its runner still does", async () => {
    const init = await createdSession();
    await startReply(init, "/say a\n/wait 50\n/say b");
    await stubOf(init).act("interrupt", {});
    const before = await allEvents(init);
    await new Promise((resolve) => setTimeout(resolve, 120));

    expect(await allEvents(init)).toEqual(before);
    expect(before.filter((event) => event.type === "REPLY_END")).toHaveLength(1);
  });

  it("that waits for a person shows what it waits for, and ends when interrupted", async () => {
    const tool = { type: "http", name: "refund", url: "https://tools.example/refund" };
    const init = await createdSession({ tools: [tool] });
    const parked = await reply(init, '/call refund {"order_id":"A-1001"}\n/say no');

    expect(parked).toMatchObject({
      status: "awaiting_permission",
      pending: [
        {
          kind: "permission",
          tool_call: { name: "refund", input: '{"order_id":"A-1001"}', state: "asking" },
          input_hash: await hashInput("refund", '{"order_id":"A-1001"}'),
          expires_at: expect.stringMatching(/Z$/),
          suggested_rules: [
            { tool_name: "refund", rule_content: null, behavior: "allow", source: "suggested" },
          ],
        },
      ],
    });
    expect(valueOf(await stubOf(init).act("read"))).toMatchObject({
      status: "awaiting_permission",
    });
    const busy = await stubOf(init).act("startReply", { input: "/say hi", on_busy: "reject" });
    expect(busy).toMatchObject({ ok: false, refusal: { code: "reply_awaiting" } });
    const expiresAtMs = Date.parse(parked.pending[0]?.expires_at ?? "");
    await expect.poll(() => alarmOf(init)).toBe(expiresAtMs);

    await stubOf(init).act("interrupt", {});
    await expect.poll(() => alarmOf(init)).toBeNull();
    const ended = await readReply(init, parked.id);
    expect(ended.message?.content.at(-1)).toMatchObject({
      type: "tool_result",
      state: "interrupted",
    });
  });
});

describe("a message with an id of the client's", () => {
  it("sent again with the same content gets the reply that it started", async () => {
    const init = await createdSession();
    const input = message("m-1", "/say hello");
    const first = valueOf(await stubOf(init).act("startReply", { input, on_busy: "reject" }));
    await readReply(init, first.id, 60_000);
    const again = valueOf(await stubOf(init).act("startReply", { input, on_busy: "reject" }));

    expect(again).toMatchObject({ id: first.id, status: "completed" });
    expect(valueOf(await listMessages(init, { limit: 10 })).data).toHaveLength(2);
  });

  it("sent again while its reply runs gets that reply, from its beginning", async () => {
    const init = await createdSession();
    const input = message("m-1", SLOW);
    const first = valueOf(await stubOf(init).act("startReply", { input, on_busy: "reject" }));
    const again = valueOf(await stubOf(init).act("startReply", { input, on_busy: "interrupt" }));

    expect(again).toEqual(first);
    await stubOf(init).act("interrupt", {});
  });

  it("twice in one request is one message when it says the same, and refused when not", async () => {
    const init = await createdSession();
    const twice = [message("m-1", "/say hello"), message("m-1", "/say hello")];
    const started = valueOf(
      await stubOf(init).act("startReply", { input: twice, on_busy: "reject" }),
    );
    await readReply(init, started.id, 60_000);
    const torn = [message("m-2", "/say a"), message("m-2", "/say b")];

    expect(valueOf(await listMessages(init, { limit: 10 })).data).toHaveLength(2);
    expect(await stubOf(init).act("startReply", { input: torn, on_busy: "reject" })).toMatchObject({
      ok: false,
      refusal: { code: "message_conflict", errors: [{ pointer: "#/input/1/id" }] },
    });
  });

  it("is refused when the id was used for other content, and nothing changes", async () => {
    const init = await createdSession();
    await stubOf(init).act("startReply", {
      input: message("m-1", "/say hello"),
      on_busy: "interrupt",
    });
    await stubOf(init).act("interrupt", {});
    const before = await allEvents(init);
    const input = [message("m-2", "/say new"), message("m-1", "/say other")];
    const refused = await stubOf(init).act("startReply", { input, on_busy: "reject" });

    expect(refused).toMatchObject({
      ok: false,
      refusal: { code: "message_conflict", errors: [{ pointer: "#/input/1/id" }] },
    });
    expect(await allEvents(init)).toEqual(before);
  });
});

describe("the lists of a session", () => {
  it("give messages the newest page first, oldest first inside a page", async () => {
    const init = await createdSession();
    for (const word of ["one", "two", "three"]) await reply(init, `/say ${word}`);
    const first = valueOf(await listMessages(init, { limit: 4 }));
    const second = valueOf(await listMessages(init, { limit: 4, page: first.next_page ?? "" }));

    const roles = (page: typeof first) => page.data.map(({ role }) => role);
    expect([roles(second), roles(first)]).toEqual([
      ["user", "assistant"],
      ["user", "assistant", "user", "assistant"],
    ]);
    expect([first.has_more, second.has_more, second.next_page]).toEqual([true, false, null]);
  });

  it("give replies newest first and events page by page", async () => {
    const init = await createdSession();
    const ids = [(await reply(init, "/say a")).id, (await reply(init, "/say b")).id];
    const replies = valueOf(await stubOf(init).act("listReplies", { limit: 10 }));
    const all = await allEvents(init);
    const page = valueOf(await listEvents(init, { after: 2, limit: 5 }));

    expect(replies.data.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(page.data).toEqual(all.slice(2, 7));
    expect([page.cursor, page.has_more]).toEqual([7, true]);
  });

  it("show the position of their end, whatever the session hears afterwards", async () => {
    const init = await createdSession();
    const { id, cursor } = await reply(init, "/say done");
    const message = { name: "user", role: "user", content: "By the way.", metadata: {} } as const;
    const observed = valueOf(await stubOf(init).act("observe", [message]));

    expect(observed.cursor).toBeGreaterThan(cursor);
    expect((await readReply(init, id)).cursor).toBe(cursor);
    expect(valueOf(await stubOf(init).act("listReplies", { limit: 1 })).data[0]?.cursor).toBe(
      cursor,
    );
  });

  it("show a running reply as far as it is on disk, with the position that this is", async () => {
    const init = await createdSession();
    const started = await startReply(init, SLOW);
    await readEvents(
      await openStream(init, `after=${started.cursor}`),
      (event) => event.seq > started.cursor + 10,
    );
    const read = async () => valueOf(await readMessage(init, started.id));
    await expect.poll(async () => (await read()).cursor).toBeGreaterThan(started.cursor + 3);
    const { message: shown, cursor } = await read();

    expect(shown.finished_at).toBeNull();
    await stubOf(init).act("interrupt", {});
    const upTo = (await allEvents(init)).filter((event) => event.seq <= cursor);
    const text = upTo
      .map((event) => (event.type === "TEXT_BLOCK_DELTA" ? event.delta : ""))
      .join("");
    expect(shown.content).toMatchObject([{ type: "text", text }]);
  });
});
