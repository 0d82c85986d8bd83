// The hook in React, over the real platform; all in StrictMode.
import { createElement, memo, useState, type FunctionComponent } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, inject, it } from "vitest";

import {
  useSession,
  useSessionStore,
  useSessionValue,
  type Msg,
  type SessionStore,
  type SessionView,
  type UseSessionOptions,
} from "@reprise/sdk/react";
import { BROAD } from "../support/breadth.ts";
import { collect } from "../support/collect.ts";
import { waitFor } from "../support/wait-for.ts";
import { openDesk, QUICK } from "./desk.ts";
import { mount, mountHook } from "./react-page.ts";
import { textOf } from "./watch-store.ts";

const desk = await openDesk();

/** A client that remembers what it asked for, and which requests are open. */
function openClient() {
  const requests: string[] = [];
  const signals: AbortSignal[] = [];
  const client = desk.clientOf({
    fetch: (url, init) => {
      requests.push(`${init.method} ${url.replace(/^.*\/v1/, "").replace(/\?.*/, "")}`);
      if (init.signal) signals.push(init.signal);
      return fetch(url, init);
    },
  });
  return { options: { client }, requests, signals };
}

function until(view: () => SessionView | undefined, isReached: (view: SessionView) => boolean) {
  return waitFor(() => {
    const now = view();
    if (now && isReached(now)) return now;
    throw new Error(`not yet: ${now?.status}, ${now?.messages.length} messages, ${now?.error}`);
  });
}

function isDone(count: number) {
  return ({ status, messages }: SessionView) => status === "idle" && messages.length === count;
}

describe("useSession", () => {
  it("streams what it sends: one reply, and no message or request twice", async () => {
    const session = await desk.openSession();
    const { options, requests } = openClient();
    const { view } = mountHook({ sessionId: session.id, options });
    await until(view, isDone(0));

    const reply = await view()?.send("/rate 300\n/words 30");
    const { messages } = await until(view, isDone(2));

    expect(messages).toEqual((await session.messages.list().page()).data);
    expect((await session.replies.list().page()).data.map(({ id }) => id)).toEqual([reply?.id]);
    const path = `/sessions/${session.id}`;
    expect(requests.toSorted()).toEqual(
      [
        `GET ${path}`,
        `GET ${path}/events`,
        `GET ${path}/messages`,
        `POST ${path}/replies`,
      ].toSorted(),
    );
  });

  it("keeps its functions the same from render to render", async () => {
    const session = await desk.openSession();
    const { view, views } = mountHook({ sessionId: session.id, options: openClient().options });
    await until(view, isDone(0));
    await view()?.send("/say Hello.");
    await until(view, isDone(2));

    const [first] = views.slice(-8);
    expect(view()?.send).toBe(first?.send);
    expect(view()?.confirm).toBe(first?.confirm);
    expect(view()?.store).toBe(first?.store);
  });

  it("leaves the old session when it gets another one, and shows nothing of it", async () => {
    const [one, other] = [await desk.openSession(), await desk.openSession()];
    await collect(one.reply("/say First session."));
    await collect(other.reply("/say Other session."));
    const { options, signals } = openClient();
    const { view, views, render } = mountHook({ sessionId: one.id, options });
    await until(view, isDone(2));
    const ofFirst = signals.length;
    const rendered = views.length;

    render({ sessionId: other.id, options });

    await until(view, (now) => textOf(now.messages[1]) === "Other session.");
    await waitFor(() =>
      expect(signals.slice(0, ofFirst).every(({ aborted }) => aborted)).toBe(true),
    );
    const shown = views.slice(rendered).map(({ messages }) => messages.map(textOf).join("|"));
    expect(shown.filter((text) => text.includes("First"))).toEqual([]);
    render({ sessionId: null, options });
    await until(view, ({ status, messages }) => status === "idle" && messages.length === 0);
  });

  it("ends its stream when it is taken away, and the reply goes on", BROAD, async () => {
    const session = await desk.openSession();
    const { options, signals } = openClient();
    const { view, leave } = mountHook({ sessionId: session.id, options });
    await until(view, isDone(0));
    const reply = await view()?.send("/rate 100\n/words 60");
    await until(view, ({ messages }) => textOf(messages[1]).length > 20);

    leave();

    await waitFor(() => expect(signals.every(({ aborted }) => aborted)).toBe(true));
    expect(await session.resumeReply(reply?.id ?? "").text()).not.toBe("");
    expect((await session.replies.get(reply?.id ?? "")).status).toBe("completed");
  });

  it("takes the newest token function, and does not begin anew for it", async () => {
    const session = await desk.openSession();
    const asked: string[] = [];
    const minted: { readonly id: string }[] = [];
    const optionsOf = (name: string): UseSessionOptions => ({
      baseUrl: inject("baseUrl"),
      reconnect: QUICK,
      token: async () => {
        asked.push(name);
        const made = await session.tokens.create({ verbs: ["read", "reply"] });
        minted.push(made);
        return made.token;
      },
    });
    const { view, render } = mountHook({ sessionId: session.id, options: optionsOf("first") });
    const { store } = await until(view, isDone(0));

    render({ sessionId: session.id, options: optionsOf("second") });
    await session.tokens.revoke(minted[0]?.id ?? "");
    await until(view, () => asked.includes("second"));
    await view()?.send("/say Hello.");
    await until(view, isDone(2));

    expect(asked).toEqual(["first", "second"]);
    expect(view()?.store).toBe(store);
  });

  it("renders on a server as loading, without a request", () => {
    const { options, requests } = openClient();
    const Page = () => createElement("output", null, useSession("ses_1", options).status);

    expect(renderToString(createElement(Page))).toBe("<output>loading</output>");
    expect(requests).toEqual([]);
  });

  it("shows the same in two places of a page that do not know each other", async () => {
    const session = await desk.openSession();
    const one = mountHook({ sessionId: session.id, options: openClient().options });
    const other = mountHook({ sessionId: session.id, options: openClient().options });
    await until(one.view, isDone(0));
    await until(other.view, isDone(0));

    await one.view()?.send("/rate 300\n/words 30");

    const { messages } = await until(one.view, isDone(2));
    expect((await until(other.view, isDone(2))).messages).toEqual(messages);
    expect(messages).toEqual((await session.messages.list().page()).data);
  });
});

describe("rendering", () => {
  it(
    "of 20,000 words commits once for each frame, and never a message that is done",
    BROAD,
    async () => {
      const session = await desk.openSession();
      await collect(session.reply("/say Done before."));
      let frames = 0;
      const waiting: (() => void)[] = [];
      const timer = setInterval(() => {
        const tell = waiting.shift();
        if (tell) frames += 1;
        tell?.();
      }, 40);
      const rendered = new Map<string, number>();
      const Message: FunctionComponent<{ message: Msg }> = memo(({ message }) => {
        rendered.set(message.id, (rendered.get(message.id) ?? 0) + 1);
        return createElement("p", null, textOf(message).length);
      });
      const options = {
        ...openClient().options,
        schedule: (tell: () => void) => waiting.push(tell),
      };
      let view: SessionView | undefined;
      const page = mount(() => {
        view = useSession(session.id, { storage: null, ...options });
        return view.messages.map((message) => createElement(Message, { key: message.id, message }));
      }, {});
      await until(() => view, isDone(2));
      const before = { commits: page.commits(), frames };
      const [user, answer] = [...rendered];
      let events = 0;
      view?.store.onEvent(() => (events += 1));

      await view?.send("/words 20000");
      const { messages } = await until(() => view, isDone(4));
      clearInterval(timer);

      expect(textOf(messages[3])).toBe(
        textOf((await session.message(messages[3]?.id ?? "")).message),
      );
      expect(rendered.get(user?.[0] ?? "")).toBe(user?.[1]);
      expect(rendered.get(answer?.[0] ?? "")).toBe(answer?.[1]);
      expect(page.commits() - before.commits).toBeLessThanOrEqual(frames - before.frames + 4);
      expect(page.container.textContent).toContain(String(textOf(messages[3]).length));
    },
  );

  it("of a part that shows the status alone happens when the status changes", BROAD, async () => {
    const session = await desk.openSession();
    const { options } = openClient();
    const statuses: string[] = [];
    const Status = memo(({ store }: { store: SessionStore }) => {
      const status = useSessionValue(store, (state) => state.status);
      if (statuses.at(-1) !== status) statuses.push(status);
      else statuses.push(`${status} again`);
      return null;
    });
    let view: SessionView | undefined;
    mount(() => {
      view = useSession(session.id, { storage: null, ...options });
      return createElement(Status, { store: view.store });
    }, {});
    await until(() => view, isDone(0));
    const atFirst = statuses.length;

    await view?.send("/rate 200\n/words 60");
    await until(() => view, isDone(2));

    // StrictMode renders twice.
    const later = statuses.slice(atFirst);
    expect(later).toEqual(["running", "running again", "idle", "idle again"]);
  });

  it("of a second part of the page needs no connection of its own", async () => {
    const session = await desk.openSession();
    const { options, requests } = openClient();
    const Count = ({ store }: { store: SessionStore }) =>
      createElement("output", null, useSessionStore(store).messages.length);
    let view: SessionView | undefined;
    let show: (isShown: boolean) => void = () => undefined;
    const { container } = mount(() => {
      const [isShown, setShown] = useState(false);
      show = setShown;
      view = useSession(session.id, { storage: null, ...options });
      return isShown ? createElement(Count, { store: view.store }) : null;
    }, {});
    await until(() => view, isDone(0));

    show(true);
    await view?.send("/say Hello.");
    await until(() => view, isDone(2));

    await waitFor(() => expect(container.textContent).toBe("2"));
    expect(requests.filter((path) => path.endsWith("/events"))).toHaveLength(1);
  });
});
