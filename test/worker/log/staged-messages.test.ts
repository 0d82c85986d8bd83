// Messages of several megabytes, whose parts are on disk before the commit that brings them.
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { closeSession } from "../../../durable-objects/sessions/close-session.ts";
import { addMessages } from "../../../durable-objects/sessions/add-messages.ts";
import { observeMessages } from "../../../durable-objects/sessions/observe.ts";
import { MessageStage } from "../../../durable-objects/log/stage-messages.ts";
import { getTextContent } from "../../../protocol/messages/accessors.ts";
import { UserMsg } from "../../../protocol/messages/constructors.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { BROAD } from "../../support/breadth.ts";
import { run } from "../ag-ui/runs.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import {
  pauseMs,
  withHeldSession,
  wokenSession,
  type HeldSession,
} from "../sessions/held-session.ts";
import {
  allEvents,
  createdSession,
  listMessages,
  objectOf,
  readMessage,
  readReply,
  startReply,
  valueOf,
} from "../sessions/session.ts";

/** Four parts of a row, the last of them short, with characters of one, two, three and four bytes. */
const PHOTO = "aé鯨🐋".repeat(320_000);

/** The model reads messages of any size. */
const LARGE = { context: { context_size: 10_000_000 } };

function photo(id: string): Msg {
  return UserMsg({ id, name: "user", content: PHOTO });
}

/** A digest that identifies a text without being as long: a failure is read by people. */
function digest(text: string): string {
  const isWhole = text.endsWith(PHOTO);
  return `${text.length} ${text.slice(0, 10)} ${isWhole ? "whole" : "not whole"}`;
}

function textOf(message: Msg | undefined): string {
  return digest(getTextContent(message!) ?? "");
}

interface Added {
  readonly value: { readonly message: Msg };
}

type PartRow = { owner: string; key: number; parts: number };

/** Numbers of parts that each value has on disk, and that its row names. */
function partsOf(storage: DurableObjectStorage): { stored: PartRow[]; named: PartRow[] } {
  const stored = storage.sql
    .exec<PartRow>(
      `SELECT owner, key, count(*) AS parts FROM parts WHERE owner IN ('event', 'message')
       GROUP BY owner, key ORDER BY owner, key`,
    )
    .toArray();
  const named = storage.sql
    .exec<PartRow>(
      `SELECT 'event' AS owner, seq AS key, parts FROM events WHERE parts > 0 UNION ALL
       SELECT 'message', position, parts FROM messages WHERE parts > 0 ORDER BY 1, 2`,
    )
    .toArray();
  return { stored, named };
}

function expectNoParts({ state }: Pick<HeldSession, "state">): void {
  const { stored, named } = partsOf(state.storage);
  expect(stored).toEqual(named);
}

describe("a reply to a large message", () => {
  it("is told all of it, and so is who reads the log and the messages", async () => {
    const init = await createdSession();
    const first = await startReply(init, PHOTO);
    const ended = await readReply(init, first.id, 60_000);
    const page = valueOf(await listMessages(init, { limit: 10 }));
    const [said] = page.data.filter(({ role }) => role === "user");
    const events = await allEvents(init);
    const parts = await runInDurableObject(objectOf(init), (_, { storage }) => partsOf(storage));

    expect(ended.status).toBe("completed");
    expect(textOf(said)).toBe(digest(PHOTO));
    expect(events[0]).toMatchObject({ type: "CUSTOM", name: "message_added" });
    expect(textOf((events[0] as unknown as { value: { message: Msg } }).value.message)).toBe(
      digest(PHOTO),
    );
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(parts.stored).toEqual(parts.named);
    expect(parts.named.length).toBeGreaterThanOrEqual(2);
  });

  it("is what the next reply's model is told of", async () => {
    const init = await createdSession(LARGE);
    const first = await startReply(init, PHOTO);
    await readReply(init, first.id, 60_000);
    const second = await startReply(init, "/recall");
    const ended = await readReply(init, second.id, 60_000);

    expect(ended.status).toBe("completed");
    expect(ended.usage!.input_tokens).toBeGreaterThan(PHOTO.length / 8);
  });

  it("begins in an AG-UI run as well, under the id that its client gave it", async () => {
    const init = await createdSession(LARGE);
    await run(init, "run_1", {
      messages: [{ id: "m1", name: "user", role: "user", content: PHOTO, metadata: {} }],
    });
    const { message } = valueOf(await readMessage(init, "m1"));
    const parts = await runInDurableObject(objectOf(init), (_, { storage }) => partsOf(storage));

    expect(textOf(message)).toBe(digest(PHOTO));
    expect(parts.stored).toEqual(parts.named);
  });

  it(
    "is refused when another reply has begun while it was written ahead, and leaves nothing",
    BROAD,
    () =>
      withHeldSession(LARGE, async ({ session, state }) => {
        const gates = holdGates();
        const large = session.queue.start({ input: PHOTO, on_busy: "reject" });
        await pauseMs(0);
        const small = valueOf(await session.queue.start({ input: GATE, on_busy: "interrupt" }));
        const refused = await large;
        gates.release();

        expect(refused).toMatchObject({ ok: false, refusal: { code: "reply_running" } });
        expectNoParts({ state });
        await session.queue.read(small.id, 60_000);
      }),
  );

  it.each(["interrupt", "queue"] as const)(
    "keeps its own text when several come at once, with on_busy %s",
    (on_busy) =>
      withHeldSession(LARGE, async ({ session, state }) => {
        const texts = ["a", "b", "c"].map((letter) => letter.repeat(3_500_000));
        const starts = texts.map((text, index) =>
          session.queue.start({
            input: [{ id: `m${index}`, content: text }],
            on_busy,
          } as never),
        );
        const begun = (await Promise.all(starts)).map((start) => valueOf(start));
        for (const { id } of begun) await session.queue.read(id, 60_000);
        const kept = texts.map((text, index) => {
          const message = session.findMessage(`m${index}`)?.message;
          return getTextContent(message!) === text;
        });
        const frames = [...session.log.events(0)].flatMap(({ item }) =>
          item.type === "CUSTOM" && item.name === "message_added"
            ? getTextContent(item.value["message"] as Msg)
            : [],
        );

        expect(kept).toEqual([true, true, true]);
        expect(frames.toSorted().map((text, index) => text === texts[index])).toEqual(kept);
        expectNoParts({ state });
      }),
  );

  it("and a large message that nobody answers, which comes meanwhile, both keep their text", () =>
    withHeldSession(LARGE, async ({ session, state }) => {
      const observed = "o".repeat(4_500_000);
      const large = session.queue.start({ input: PHOTO, on_busy: "reject" });
      await pauseMs(3);
      valueOf(await observeMessages(session, [{ id: "m1", content: observed }] as never));
      const { id } = valueOf(await large);
      await session.queue.read(id, 60_000);
      const events = [...session.log.events(0)].filter(({ item }) => item.type === "CUSTOM");
      const [first, second] = events.map(({ item }) => (item as never as Added).value.message);

      expect(getTextContent(session.findMessage("m1")!.message) === observed).toBe(true);
      expect(getTextContent(first!) === observed).toBe(true);
      expect(textOf(second)).toBe(digest(PHOTO));
      expectNoParts({ state });
    }));

  it("answers not_found when the session is closed while it is written ahead", () =>
    withHeldSession(LARGE, async ({ session, state }) => {
      const large = session.queue.start({ input: PHOTO, on_busy: "reject" });
      await pauseMs(0);
      closeSession(session);
      await state.storage.deleteAll();

      expect(await large).toMatchObject({ ok: false, refusal: { code: "not_found" } });
    }));
});

describe("what is written ahead", BROAD, () => {
  it("is used when nothing was appended since, and costs the commit little", () =>
    withHeldSession(LARGE, async ({ session, state }) => {
      const { log, tables } = session;
      const messages = [photo("m1"), UserMsg({ id: "m2", name: "user", content: "and this" })];
      const staging = new MessageStage(log, state.storage.sql).open();
      await staging.stage(messages, 1);
      const before = partsOf(state.storage).stored;
      const begun = valueOf(
        await session.queue.begin({ fresh: messages, unclaimed: [] }, { staging }, () => {}),
      );
      const [row] = state.storage.sql
        .exec<{ bytes: number }>("SELECT length(frames) AS bytes FROM events WHERE parts > 0")
        .toArray();
      const [message] = state.storage.sql
        .exec<{ bytes: number }>("SELECT length(body) AS bytes FROM messages WHERE parts > 0")
        .toArray();

      expect(begun.cursor).toBe(2);
      expect(before.map(({ owner }) => owner)).toEqual(["event", "message"]);
      expect([row?.bytes, message?.bytes]).toEqual([1_000, 1_000]);
      expect(textOf(tables.messages.find("m1")?.message)).toBe(digest(PHOTO));
      expect(tables.messages.find("m2")?.message).toEqual(messages[1]);
      expectNoParts({ state });
    }));

  it("is taken off the disk when something was appended since, and the messages are as they are", () =>
    withHeldSession(LARGE, async ({ session, state }) => {
      const { log, tables } = session;
      const messages = [photo("m1")];
      const staging = new MessageStage(log, state.storage.sql).open();
      await staging.stage(messages, 1);
      log.append([{ type: "CUSTOM", name: "note", value: {} }]);
      await session.queue.begin({ fresh: messages, unclaimed: [] }, { staging }, () => {});

      expect(textOf(tables.messages.find("m1")?.message)).toBe(digest(PHOTO));
      expect([...log.events(0)].map(({ item }) => item.type)).toEqual(
        expect.arrayContaining(["CUSTOM", "CUSTOM", "REPLY_START"]),
      );
      staging.release();
      expectNoParts({ state });
    }));

  it("is not used for other messages, nor behind deltas that are not written", () =>
    withHeldSession(LARGE, async ({ session, state }) => {
      const staging = new MessageStage(session.log, state.storage.sql).open();
      const messages = [photo("m1")];
      await staging.stage(messages, 1);
      const same = staging.use([photo("m1")]);
      const others = staging.use([photo("m2")]);
      const fewer = staging.use([]);
      session.log.appendDelta({
        type: "TEXT_BLOCK_DELTA",
        reply_id: "rep_1",
        block_id: "b",
        delta: "x",
      });
      const behind = staging.use(messages);
      staging.release();

      expect([same, others, fewer, behind].map((staged) => typeof staged)).toEqual([
        "object",
        "undefined",
        "undefined",
        "undefined",
      ]);
      expect(partsOf(state.storage).stored).toEqual([]);
    }));

  it("stops when another message takes its seqs, and leaves that one's parts alone", () =>
    withHeldSession(LARGE, async ({ session, state }) => {
      const other = "o".repeat(4_500_000);
      const staging = new MessageStage(session.log, state.storage.sql).open();
      const staged = staging.stage([photo("m1"), photo("m2")], 0);
      while (partsOf(state.storage).stored.length === 0) await pauseMs(0);
      const message = UserMsg({ id: "o1", name: "user", content: other });
      addMessages(session, [message, { ...message, id: "o2" }]);
      await staged;
      const used = staging.use([photo("m1"), photo("m2")]);
      staging.release();
      const kept = ["o1", "o2"].map((id) => getTextContent(session.findMessage(id)!.message));

      expect(typeof used).toBe("undefined");
      expect(kept.map((text) => text === other)).toEqual([true, true]);
      expectNoParts({ state });
    }));

  it("is one request's at a time", () =>
    withHeldSession(LARGE, async ({ session, state }) => {
      const stage = new MessageStage(session.log, state.storage.sql);
      const [first, second, third] = [stage.open(), stage.open(), stage.open()];
      await Promise.all([first.stage([photo("m1")], 1), second.stage([photo("m2")], 1)]);
      second.release();
      await third.stage([photo("m3")], 1);
      first.release();
      const fourth = stage.open();
      await fourth.stage([photo("m4")], 1);

      const used = [second.use([photo("m2")]), third.use([photo("m3")]), fourth.use([photo("m4")])];
      expect(used.map((staged) => typeof staged)).toEqual(["undefined", "undefined", "object"]);
    }));

  it("is nothing after a crash, and the next large message takes its place", () =>
    withHeldSession(LARGE, async ({ session, state }) => {
      const stage = new MessageStage(session.log, state.storage.sql);
      await stage.open().stage([photo("m1"), photo("m2")], 1);
      const { init } = session;
      closeSession(session);
      const next = await wokenSession(state, init);
      const events = [...next.log.events(0)];
      const begun = valueOf(await next.queue.start({ input: PHOTO, on_busy: "reject" }));
      await next.queue.read(begun.id, 60_000);
      closeSession(next);

      expect(events.length).toBe(0);
      expect(next.findMessage("m1")).toBeNull();
      expectNoParts({ state });
    }));
});

it.each([
  ["of more events", 5],
  ["under the same seq", 1],
])("a message that changes %s while it is read in time slices is read as it is then", (_, cursor) =>
  withHeldSession(LARGE, async ({ session }) => {
    const { messages } = session.tables;
    messages.put({ position: 1, reply_id: null, message: photo("m1"), cursor: 1 });
    const [unread] = messages.unread(2);
    const reading = unread!.readInSlices();
    const changed = UserMsg({ id: "m1", name: "user", content: `${PHOTO} and more` });
    messages.put({ position: 1, reply_id: null, message: changed, cursor });

    expect(textOf((await reading)?.message)).toBe(digest(`${PHOTO} and more`));
  }),
);
