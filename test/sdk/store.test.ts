// The state of a session for user interfaces, over the real platform.
import { describe, expect, it } from "vitest";

import { collect } from "../support/collect.ts";
import { openDesk } from "./desk.ts";
import { isIdle, textOf, watchStore } from "./watch-store.ts";

const desk = await openDesk();

describe("a conversation", () => {
  it("is loading, then idle, and shows a message at once, then its reply word by word", async () => {
    const session = await desk.openSession();
    const { store, states, until } = watchStore(session);
    expect(store.getState()).toMatchObject({ status: "loading", messages: [] });
    await until(isIdle);

    const sending = store.send("/rate 200\n/words 40");

    expect(store.getState()).toMatchObject({ status: "running", outgoing: [{ state: "sending" }] });
    expect(store.getState().messages.map(({ role }) => role)).toEqual(["user"]);
    const reply = await sending;
    await until((state) => state.replyId === reply.id);
    const { messages } = await until(isIdle);
    expect(messages).toEqual((await session.messages.list().page()).data);
    expect(states.map(({ messages: shown }) => textOf(shown[1]).length)).toEqual(
      states.map(({ messages: shown }) => textOf(shown[1]).length).toSorted((a, b) => a - b),
    );
    const texts = new Set(states.map(({ messages: shown }) => textOf(shown[1])));
    expect(texts.size).toBeGreaterThan(5);
  });

  it("that another client has is the same here, with the message that it sent", async () => {
    const session = await desk.openSession();
    const { until } = watchStore(session);
    await until(isIdle);

    await collect(session.reply("/say Hello from elsewhere."));

    const { messages } = await until((state) => isIdle(state) && state.messages.length === 2);
    expect(messages).toEqual((await session.messages.list().page()).data);
  });
});
