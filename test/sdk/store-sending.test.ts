// Messages on their way: lost, repeated, refused, and over a reload.
import { describe, expect, it } from "vitest";

import { SessionStore, type UnsentStorage } from "@reprise/sdk/store";
import { BROAD } from "../support/breadth.ts";
import { collect } from "../support/collect.ts";
import { waitFor } from "../support/wait-for.ts";
import { openDesk } from "./desk.ts";
import { isIdle, textOf, watchStore } from "./watch-store.ts";

const desk = await openDesk();

/** The storage of a tab. */
function openStorage(isAsync = false) {
  const items = new Map<string, string>();
  const storage: UnsentStorage = {
    getItem: (key) => {
      const value = items.get(key) ?? null;
      return isAsync ? Promise.resolve(value) : value;
    },
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
  return { storage, items };
}

/** A client whose POSTs go through `post`. */
async function openSession(post: (send: () => Promise<Response>) => Promise<Response>) {
  const direct = await desk.openSession();
  const client = desk.clientOf({
    fetch: (url, init) => {
      const send = () => fetch(url, init);
      return init.method === "POST" ? post(send) : send();
    },
    maxRetries: 1,
  });
  return { direct, session: client.session(direct.id) };
}

async function loseAnswer(send: () => Promise<Response>): Promise<Response> {
  await (await send()).text();
  throw new TypeError("the answer is lost");
}

function refuse(): Promise<Response> {
  const body = { code: "unavailable", detail: "away", request_id: "req_1" };
  return Promise.resolve(Response.json(body, { status: 503, headers: { "Retry-After": "0" } }));
}

describe("a message", () => {
  it("whose answers are lost is answered once, and sent without being asked", async () => {
    let posts = 0;
    const { direct, session } = await openSession((send) =>
      (posts += 1) <= 3 ? loseAnswer(send) : send(),
    );
    const { store, until } = watchStore(session);

    const { id } = await store.send("/say Once.");

    const { messages } = await until((state) => isIdle(state) && state.messages.length === 2);
    expect(posts).toBe(4);
    expect((await direct.replies.list().page()).data.map((reply) => reply.id)).toEqual([id]);
    expect(messages).toEqual((await direct.messages.list().page()).data);
  });

  it("that cannot be sent has failed, and its retry is the same message", BROAD, async () => {
    let isAway = true;
    const { direct, session } = await openSession((send) => (isAway ? refuse() : send()));
    const { store, until } = watchStore(session);
    await until(isIdle);

    await expect(store.send("/say At last.")).rejects.toMatchObject({ code: "unavailable" });
    const failed = store.getState();
    const id = failed.outgoing[0]?.id ?? "";
    expect(failed).toMatchObject({
      status: "idle",
      outgoing: [{ state: "failed", error: { code: "unavailable" } }],
    });
    expect(failed.messages.map(textOf)).toEqual(["/say At last."]);
    isAway = false;
    const retried = store.retry(id);
    expect(store.getState().outgoing).toMatchObject([{ id, state: "sending", error: null }]);
    await retried;

    const { messages } = await until((state) => isIdle(state) && state.messages.length === 2);
    expect(messages[0]?.id).toBe(id);
    expect(messages).toEqual((await direct.messages.list().page()).data);
  });

  it("is sent after the one before it, and reaches the platform in this order", async () => {
    const { direct, session } = await openSession((send) => send());
    const { store, until } = watchStore(session);

    const inputs = ["/say One.", "/say Two.", "/say Three."];
    await Promise.all(inputs.map((input) => store.send(input)));

    const { messages } = await until((state) => isIdle(state) && state.messages.length === 6);
    expect(messages.map(textOf)).toEqual([
      "/say One.",
      "One.",
      "/say Two.",
      "Two.",
      "/say Three.",
      "Three.",
    ]);
    expect(messages).toEqual((await direct.messages.list().page()).data);
  });

  it("that is empty is refused before it is shown", BROAD, async () => {
    const session = await desk.openSession();
    const { store, until } = watchStore(session);
    await until(isIdle);

    await expect(store.send("")).rejects.toThrow(TypeError);
    await expect(store.send({ files: [] })).rejects.toThrow(TypeError);
    await expect(store.retry("msg_1")).rejects.toThrow(TypeError);
    expect(store.getState()).toMatchObject({ messages: [], outgoing: [] });
  });

  it("with blocks, a name and metadata arrives with them", async () => {
    const session = await desk.openSession();
    const { store, until } = watchStore(session);
    await until(isIdle);

    await store.send([{ type: "text", text: "/say One." }]);
    await until((state) => isIdle(state) && state.messages.length === 2);
    await store.send({ text: "/say Two.", name: "kim", metadata: { page: 7 } });

    const { messages } = await until((state) => isIdle(state) && state.messages.length === 4);
    expect(messages[0]).toMatchObject({ name: "user", content: [{ text: "/say One." }] });
    expect(messages[2]).toMatchObject({ name: "kim", metadata: { page: 7 } });
  });

  it("whose promise is not awaited is not reported as an unhandled rejection", BROAD, async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    const { session } = await openSession(refuse);
    const { store, until } = watchStore(session);
    await until(isIdle);

    void store.send("/say Lost.");
    void store.confirm("call_1");
    void store.interrupt();

    await until(({ outgoing }) => outgoing[0]?.state === "failed");
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });
});

describe("a reload", () => {
  it.each([false, true])(
    "sends what the page had not, once (async storage: %s)",
    async (isAsync) => {
      const { storage, items } = openStorage(isAsync);
      // The first page's request leaves when the page is closed: it learns neither of the answer nor, by its stream, of the
      // message, which it would forget then.
      const closed = Promise.withResolvers<void>();
      let arrived: Promise<Response> | undefined;
      const { direct, session } = await openSession((send) => {
        if (arrived) return send();
        arrived = closed.promise.then(send);
        return arrived.then(() => new Promise<Response>(() => undefined));
      });
      const first = watchStore(session, { storage });
      await first.until(isIdle);
      void first.store.send("/say Kept.");
      await waitFor(() => expect(arrived).toBeDefined());
      await waitFor(() => expect([...items.values()].join()).toContain("/say Kept."));
      first.leave();
      closed.resolve();
      expect((await arrived)?.ok).toBe(true);

      const second = watchStore(direct, { storage });

      const { messages } = await second.until(
        (state) => isIdle(state) && state.messages.length === 2,
      );
      expect(messages).toEqual((await direct.messages.list().page()).data);
      expect((await direct.replies.list().page()).data).toHaveLength(1);
      await waitFor(() => expect(items.size).toBe(0));
    },
  );

  it.each([false, true])(
    "keeps what two stores of a session send at the same time (async storage: %s)",
    async (isAsync) => {
      const { storage, items } = openStorage(isAsync);
      const { session } = await openSession(() => new Promise(() => undefined));
      const stores = [watchStore(session, { storage }), watchStore(session, { storage })];
      for (const { until } of stores) await until(isIdle);

      for (const [index, { store }] of stores.entries()) void store.send(`/say Number ${index}.`);

      await waitFor(() => {
        const text = [...items.values()].join();
        expect([text.includes("Number 0."), text.includes("Number 1.")]).toEqual([true, true]);
      });
    },
  );

  it("keeps a message as sent when the look at its reply is lost", async () => {
    const { storage } = openStorage();
    const direct = await desk.openSession();
    const first = watchStore(direct, { storage });
    await first.until(isIdle);
    const running = await first.store.send("/rate 50\n/words 20000");
    await first.until(({ replyId }) => replyId === running.id);
    await first.store.send("/say Next.");
    first.leave();
    let hasPosted = false;
    let lost = 0;
    const client = desk.clientOf({
      fetch: (url, init) => {
        hasPosted ||= init.method === "POST";
        const isLook = hasPosted && /\/sessions\/[^/]+$/.test(url);
        if (!isLook || lost > 0) return fetch(url, init);
        lost += 1;
        return Promise.reject(new TypeError("lost"));
      },
      maxRetries: 0,
    });

    const { states, store, until } = watchStore(client.session(direct.id), { storage });

    await until(({ outgoing }) => outgoing[0]?.state === "queued");
    expect(lost).toBe(1);
    expect(states.flatMap((state) => state.outgoing).map(({ error }) => error)).not.toContainEqual(
      expect.anything(),
    );
    await store.interrupt();
    await until((now) => isIdle(now) && now.messages.length === 4);
  });

  it("sends a message that had never left the page", BROAD, async () => {
    const { storage, items } = openStorage();
    const { direct, session } = await openSession(() => new Promise(() => undefined));
    const first = watchStore(session, { storage });
    await first.until(isIdle);
    void first.store.send("/say Never left.");
    await waitFor(() => expect(items.size).toBe(1));
    first.leave();

    const second = watchStore(direct, { storage });

    const { messages } = await second.until(
      (state) => isIdle(state) && state.messages.length === 2,
    );
    expect(messages.map(textOf)).toEqual(["/say Never left.", "Never left."]);
  });

  it("settles a message that comes while it is still looked for in the storage", async () => {
    const session = await desk.openSession();
    const kept = {
      body: { id: "msg_late", content: [{ type: "text", text: "/rate 50\n/words 20000" }] },
      options: {},
      atMs: Date.now(),
      isFailed: false,
    };
    let text: string | null = JSON.stringify([kept]);
    let find = (): void => undefined;
    const isFound = new Promise<void>((resolve) => (find = resolve));
    const storage: UnsentStorage = {
      getItem: () => isFound.then(() => text),
      setItem: (_, value) => (text = value),
      removeItem: () => (text = null),
    };
    const { store, until } = watchStore(session, { storage });
    await until(isIdle);
    const { id } = await session.replies.create(
      { id: "msg_late", content: [{ type: "text", text: "/rate 50\n/words 20000" }] },
      { background: true },
    );
    await until((state) => textOf(state.messages[1]).length > 0);

    find();

    await waitFor(() => expect(text).toBeNull());
    const state = await until(({ outgoing }) => outgoing.length === 0);
    expect([state.replyId, state.messages.length]).toEqual([id, 2]);
    await store.interrupt();
    await until(isIdle);
  });

  it("shows a queued message as queued again", BROAD, async () => {
    const { storage } = openStorage();
    const session = await desk.openSession();
    const first = watchStore(session, { storage });
    await first.until(isIdle);
    const running = await first.store.send("/rate 50\n/words 20000");
    await first.until(({ replyId }) => replyId === running.id);
    const queued = await first.store.send("/say Next.");
    first.leave();

    const second = watchStore(session, { storage });

    const state = await second.until(({ outgoing }) => outgoing[0]?.state === "queued");
    expect([state.messages.map(textOf).at(-1), state.queuedReplyIds]).toEqual([
      "/say Next.",
      [queued.id],
    ]);
    await second.store.interrupt();
    await second.until((now) => isIdle(now) && now.messages.length === 4);
  });

  it(
    "leaves a failed or an old message to the person, who may retry or discard it",
    BROAD,
    async () => {
      const { storage, items } = openStorage();
      const { direct, session } = await openSession(refuse);
      const first = watchStore(session, { storage });
      await first.until(isIdle);
      await first.store.send("/say Failed.").catch(() => undefined);
      await waitFor(() => expect([...items.values()].join()).toContain('"isFailed":true'));
      const key = [...items.keys()][0] ?? "";
      const [failed] = JSON.parse(items.get(key) ?? "[]") as [{ readonly body: object }];
      const old = { ...failed, atMs: 0, isFailed: false, body: { ...failed.body, id: "msg_old" } };
      items.set(key, JSON.stringify([failed, old]));
      first.leave();

      const second = watchStore(direct, { storage });
      const { outgoing } = await second.until((state) => state.outgoing.length === 2);
      second.store.discard("msg_old");
      await second.store.retry(outgoing[0]?.id ?? "");

      expect(outgoing.map(({ state }) => state)).toEqual(["failed", "failed"]);
      const { messages } = await second.until(
        (state) => isIdle(state) && state.messages.length === 2,
      );
      expect(messages.map(textOf)).toEqual(["/say Failed.", "Failed."]);
      await waitFor(() => expect(items.size).toBe(0));
    },
  );

  it("forgets a message that was answered long ago", BROAD, async () => {
    const { storage, items } = openStorage();
    const session = await desk.openSession();
    const content = [{ type: "text", text: "/say Long ago." }] as const;
    await collect(session.reply({ id: "msg_known", content: [...content] }));
    for (const number of [1, 2]) await collect(session.reply(`/say ${number}.`));
    const kept = {
      body: { id: "msg_known", content },
      options: {},
      atMs: Date.now(),
      isFailed: false,
    };
    items.set(`reprise.unsent.${session.id}`, JSON.stringify([kept]));

    const { until } = watchStore(session, { storage, pageSize: 2 });

    await waitFor(() => expect(items.size).toBe(0));
    const { messages } = await until(isIdle);
    expect(messages.map(textOf)).toEqual(["/say 2.", "2."]);
    expect((await session.replies.list().page()).data).toHaveLength(3);
  });

  it("works with a storage that fails, or holds something else", BROAD, async () => {
    const fail = () => {
      throw new Error("forbidden");
    };
    const session = await desk.openSession();
    for (const storage of [
      { getItem: fail, setItem: fail, removeItem: fail },
      { getItem: () => "not JSON", setItem: fail, removeItem: fail },
      { getItem: () => '{"other":1}', setItem: fail, removeItem: fail },
      {
        getItem: () => '[null,1,{},{"body":{}},{"body":{"id":"x"}}]',
        setItem: fail,
        removeItem: fail,
      },
    ]) {
      const { store, until } = watchStore(session, { storage });
      await until(isIdle);
      const { id } = await store.send("/say Sent.");
      await until((state) => isIdle(state) && state.messages.at(-1)?.id === id);
    }
  });

  it("finds the messages of a store that had no time to read the session", BROAD, async () => {
    const { storage, items } = openStorage();
    const { direct, session } = await openSession(() => new Promise(() => undefined));
    void new SessionStore(session, { storage }).send("/say Early.");
    await waitFor(() => expect(items.size).toBe(1));

    const { until } = watchStore(direct, { storage });

    await until((state) => isIdle(state) && state.messages.length === 2);
  });
});
