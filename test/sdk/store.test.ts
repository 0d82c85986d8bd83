// The state of a session for user interfaces, over the real platform.
import { describe, expect, it } from "vitest";

import type { LoggedEvent } from "../../sdk/index.ts";
import { BROAD } from "../support/breadth.ts";
import { collect } from "../support/collect.ts";
import { HOLD, startGateTool } from "../support/gate-tool.ts";
import { openDesk } from "./desk.ts";
import { isIdle, textOf, watchStore, type WatchedStore } from "./watch-store.ts";

const SLOW = "/rate 50\n/words 20000";
/** The text of `/words 6`. */
const LINE = "a parcel left the harbour before";
const desk = await openDesk();

/** A reply of six lines, each of which waits until the one before has been shown, and what lets it go on. */
async function openLines() {
  const gates = await Promise.all(Array.from({ length: 6 }, () => startGateTool()));
  const tools = gates.map(({ tool }, index) => ({ ...tool, name: `hold_${index}` }));
  const { openSession } = await openDesk({ tools });
  const turns = gates.map((_, index) => `/words 6\n/call hold_${index} {}`);
  return {
    session: await openSession(),
    script: ["/rate 200", ...turns, "/say End."].join("\n"),
    /** @param at Which of the messages the reply is. */
    showAll: async ({ until }: WatchedStore, at: number) => {
      const shown: string[] = [];
      for (const gate of gates) {
        shown.push(LINE);
        await until(({ messages }) => textOf(messages[at]) === shown.join("\n"));
        gate.open();
      }
    },
  };
}

describe("a conversation", () => {
  it("is loading, then idle, and shows a message at once, then its reply word by word", async () => {
    const { session, script, showAll } = await openLines();
    const watched = watchStore(session);
    const { store, states, until } = watched;
    expect(store.getState()).toMatchObject({ status: "loading", messages: [] });
    await until(isIdle);

    const sending = store.send(script);

    expect(store.getState()).toMatchObject({ status: "running", outgoing: [{ state: "sending" }] });
    expect(store.getState().messages.map(({ role }) => role)).toEqual(["user"]);
    const reply = await sending;
    await until((state) => state.replyId === reply.id);
    await showAll(watched, 1);
    const { messages } = await until(isIdle);
    expect(messages).toEqual((await session.messages.list().page()).data);
    const lengths = states.map(({ messages: shown }) => textOf(shown[1]).length);
    expect(lengths).toEqual(lengths.toSorted((one, other) => one - other));
    expect(new Set(lengths).size).toBeGreaterThan(5);
  });

  it("that another client has is the same here, with the message that it sent", async () => {
    const session = await desk.openSession();
    const { until } = watchStore(session);
    await until(isIdle);

    await collect(session.reply("/say Hello from elsewhere."));

    const { messages } = await until((state) => isIdle(state) && state.messages.length === 2);
    expect(messages).toEqual((await session.messages.list().page()).data);
  });

  it(
    "keeps every message that did not change the same object while another one grows",
    BROAD,
    async () => {
      const { session, script, showAll } = await openLines();
      await collect(session.reply("/say First."));
      const watched = watchStore(session);
      const { store, states, until } = watched;
      await until(isIdle);

      await store.send(script);
      await showAll(watched, 3);
      const { messages } = await until((state) => isIdle(state) && state.messages.length === 4);

      const loaded = states.filter((state) => state.messages.length >= 2);
      for (const state of loaded) {
        expect(state.messages[0]).toBe(messages[0]);
        expect(state.messages[1]).toBe(messages[1]);
      }
      expect(new Set(loaded.map((state) => state.messages[3])).size).toBeGreaterThan(5);
    },
  );

  it(
    "is read a page at a time, newest first, and what was read twice is there once",
    BROAD,
    async () => {
      const session = await desk.openSession();
      for (const number of [1, 2, 3, 4, 5]) await collect(session.reply(`/say Number ${number}.`));
      const { store, until } = watchStore(session, { pageSize: 3 });
      const first = await until(isIdle);
      const all = (await session.messages.list().page()).data;
      expect([first.hasOlder, first.messages]).toEqual([true, all.slice(-3)]);

      await Promise.all([store.loadOlder(), store.loadOlder()]);
      const second = store.getState();
      await store.loadOlder();
      await store.loadOlder();
      const third = store.getState();

      expect([second.hasOlder, second.isLoadingOlder, second.messages]).toEqual([
        true,
        false,
        all.slice(-6),
      ]);
      expect(second.messages.at(-1)).toBe(first.messages.at(-1));
      expect([third.hasOlder, third.messages]).toEqual([false, all]);
      await store.loadOlder();
      expect(store.getState()).toBe(third);
    },
  );

  it("goes on growing in the right place while older messages are loaded", BROAD, async () => {
    const session = await desk.openSession();
    for (const number of [1, 2, 3]) await collect(session.reply(`/say Number ${number}.`));
    const { store, until } = watchStore(session, { pageSize: 2 });
    await until(isIdle);

    await store.send("/rate 200\n/words 100");
    await until((state) => textOf(state.messages.at(-1)).length > 20);
    await store.loadOlder();
    const { messages } = await until(isIdle);

    const all = (await session.messages.list().page()).data;
    expect(messages).toEqual(all.slice(-messages.length));
    expect(messages.length).toBe(6);
  });

  it(
    "of a reply that began before is there at its present word, and its end follows",
    BROAD,
    async () => {
      const gate = await startGateTool();
      const { openSession } = await openDesk({ tools: [gate.tool] });
      const session = await openSession();
      const running = session.reply(`/rate 100\n/words 130\n${HOLD}\n/words 30`);
      const reading = collect(running);
      const { until: untilFirst } = watchStore(session);
      await untilFirst((state) => textOf(state.messages[1]).length > 600);

      const { states, until } = watchStore(session);
      await until((state) => state.status === "running");
      gate.open();
      await reading;
      const { messages } = await until(isIdle);

      const firstShown = states.find(({ messages: shown }) => shown.length === 2);
      expect(textOf(firstShown?.messages[1]).length).toBeGreaterThan(30);
      expect(messages[1]).toEqual(running.message());
    },
  );

  it("gives a listener each event behind what was loaded once and in order", async () => {
    const session = await desk.openSession();
    const { store, until } = watchStore(session);
    await until(isIdle);
    const heard: LoggedEvent[] = [];
    const stopListening = store.onEvent((event) => heard.push(event));

    const { id } = await store.send("/words 30");
    await until(isIdle);
    stopListening();
    await store.send("/say Unheard.");
    await until((state) => isIdle(state) && state.messages.length === 4);

    const ofReply = heard.filter((event) => event.reply_id === id);
    expect(ofReply).toEqual(await collect(session.events({ replyId: id })));
    expect(heard.map(({ seq }) => seq)).toEqual(
      heard.map((_, index) => (heard[0]?.seq ?? 0) + index),
    );
  });
});

describe("a store without a session", () => {
  it("is idle and empty, and sends nothing", async () => {
    const { SessionStore } = await import("@reprise/sdk/store");
    const store = new SessionStore(null);
    const leave = store.subscribe(() => undefined);

    expect(store.getState()).toMatchObject({ status: "idle", messages: [], error: null });
    await expect(store.send("Hello")).rejects.toThrow("there is no session yet");
    leave();
  });
});

describe("the queue", () => {
  it("shows a message behind a running reply as queued, and it begins after an interrupt", async () => {
    const session = await desk.openSession();
    const { store, until } = watchStore(session);
    await until(isIdle);
    const running = await store.send(SLOW);
    await until((state) => state.replyId === running.id);

    const queued = await store.send("/say Next.");

    const state = store.getState();
    expect(state.outgoing).toMatchObject([{ state: "queued", error: null }]);
    expect(state.queuedReplyIds).toEqual([queued.id]);
    expect(textOf(state.messages.at(-1))).toBe("/say Next.");
    const other = watchStore(session);
    const seen = await other.until(({ replyId }) => replyId === running.id);
    expect(seen.queuedReplyIds).toEqual([queued.id]);
    await store.interrupt();
    const { messages, queuedReplyIds } = await until(isIdle);
    expect(queuedReplyIds).toEqual([]);
    expect(messages).toEqual((await session.messages.list().page()).data);
    expect(messages.map(({ finished_reason }) => finished_reason)).toEqual([
      null,
      "interrupted",
      null,
      "completed",
    ]);
  });

  it("is dropped by an interrupt that says so, and shows that its reply was interrupted", async () => {
    const session = await desk.openSession();
    const { store, until } = watchStore(session);
    await until(isIdle);
    const running = await store.send(SLOW);
    await until((state) => state.replyId === running.id);
    const queued = await store.send("/say Never.");

    await store.interrupt({ queued: "drop" });

    const { messages } = await until((state) => isIdle(state) && state.messages.length === 4);
    expect(messages.at(-1)).toMatchObject({ id: queued.id, finished_reason: "interrupted" });
  });

  it("is not used by a message that is to interrupt, or to be refused", BROAD, async () => {
    const session = await desk.openSession();
    const { store, until } = watchStore(session);
    await until(isIdle);
    const running = await store.send(SLOW);
    await until((state) => state.replyId === running.id);

    await expect(store.send("/say Refused.", { onBusy: "reject" })).rejects.toMatchObject({
      code: "reply_running",
    });
    expect(store.getState().outgoing).toMatchObject([
      { state: "failed", error: { code: "reply_running" } },
    ]);
    const next = await store.send("/say Instead.", { onBusy: "interrupt" });
    const { messages } = await until(({ messages: shown, replyId, status }) => {
      return status === "idle" && replyId === null && shown.some(({ id }) => id === next.id);
    });

    expect(messages.map(textOf).at(-1)).toBe("/say Refused.");
    store.discard(store.getState().outgoing[0]?.id ?? "");
    expect(store.getState().outgoing).toEqual([]);
    expect(store.getState().messages).toEqual((await session.messages.list().page()).data);
  });
});

describe("files", () => {
  it("are uploaded first, and named by the message", async () => {
    const session = await desk.openSession();
    const { store, until } = watchStore(session);
    await until(isIdle);
    const note = new File(["The parcel was wet."], "note.txt", { type: "text/plain" });

    const sending = store.send({ text: "/say Seen.", files: [note] });

    expect(store.getState().outgoing).toMatchObject([{ state: "uploading" }]);
    await sending;
    const { messages } = await until((state) => isIdle(state) && state.messages.length === 2);
    expect(messages[0]?.content).toMatchObject([
      { type: "text", text: "/say Seen." },
      { type: "data", name: "note.txt", source: { type: "url", media_type: "text/plain" } },
    ]);
    const [, block] = messages[0]?.content ?? [];
    const url = block?.type === "data" && block.source.type === "url" ? block.source.url : "";
    const [, id = ""] = /files\/([^/]+)\/content$/.exec(url) ?? [];
    expect(await (await desk.reprise.files.content(id)).text()).toBe("The parcel was wet.");
    expect((await desk.reprise.files.get(id)).session_id).toBe(session.id);
  });
});
