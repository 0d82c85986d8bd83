// Calls that wait, in a store: answered, refused, and answered by somebody else.
import { describe, expect, it } from "vitest";

import { BROAD } from "../support/breadth.ts";
import type { Msg } from "../../sdk/index.ts";
import { CALL_LABEL, CALL_REFUND, openPeopleDesk } from "./people-desk.ts";
import { isIdle, textOf, watchStore } from "./watch-store.ts";

async function openWaiting(input: string) {
  const desk = await openPeopleDesk();
  const session = await desk.openSession();
  const watched = watchStore(session);
  await watched.until(isIdle);
  await watched.store.send(input);
  await watched.until(({ status }) => status === "waiting");
  return { desk, session, ...watched };
}

function inputsOf(requests: readonly { readonly path: string; readonly body: unknown }[]) {
  return requests
    .filter(({ path }) => path === "/refund_order")
    .map(({ body }) => (body as { readonly input: unknown }).input);
}

function stateOf(message: Msg | undefined) {
  return message?.content.flatMap((block) => (block.type === "tool_result" ? [block.state] : []));
}

describe("a call that asks", () => {
  it("has its question, its input and its rules, the same live and after a reload", async () => {
    const { session, store } = await openWaiting(CALL_REFUND);

    const [call] = store.getState().pendingCalls;
    const reloaded = await watchStore(session).until(({ status }) => status === "waiting");

    const [known] = (await session.get()).pending;
    expect(call).toEqual({
      ...known,
      reply_id: store.getState().replyId,
      input: { order_id: "A-1001" },
      isAnswering: false,
      error: null,
    });
    expect(call?.question).toEqual(expect.any(String));
    expect(call?.suggested_rules).toHaveLength(1);
    expect(reloaded.pendingCalls).toEqual([call]);
  });

  it("is shown as answered at once, runs with the edit, and the reply goes on", BROAD, async () => {
    const { desk, session, store, until } = await openWaiting(CALL_REFUND);
    const [call] = store.getState().pendingCalls;
    if (!call) throw new Error("no call waits");

    const confirming = store.confirm(call, { input: { ...call.input, amount: 10 } });

    expect(store.getState()).toMatchObject({
      status: "running",
      pendingCalls: [{ isAnswering: true }],
    });
    expect((await confirming).applied).toBe(true);
    const { messages, pendingCalls } = await until(isIdle);
    expect(pendingCalls).toEqual([]);
    expect(inputsOf(desk.tools.requests)).toEqual([{ order_id: "A-1001", amount: 10 }]);
    expect(messages).toEqual((await session.messages.list().page()).data);
  });

  it("is denied with a reason that the model reads", async () => {
    const { desk, store, until } = await openWaiting(CALL_REFUND);

    await store.deny(store.getState().pendingCalls, { reason: "Over the limit." });

    const { messages } = await until(isIdle);
    expect(stateOf(messages[1])).toEqual(["denied"]);
    expect(JSON.stringify(messages[1])).toContain("Over the limit.");
    expect(inputsOf(desk.tools.requests)).toEqual([]);
  });

  it("no longer asks after an answer with its rules", BROAD, async () => {
    const { desk, store, until } = await openWaiting(CALL_REFUND);
    const [call] = store.getState().pendingCalls;

    await store.confirm(call?.tool_call.id ?? "", { rules: call?.suggested_rules });
    await until(isIdle);
    await store.send(CALL_REFUND);
    await until((state) => isIdle(state) && state.messages.length === 4);

    expect(inputsOf(desk.tools.requests)).toHaveLength(2);
  });

  it("waits again, with the reason, when the platform refuses the answer", BROAD, async () => {
    const { store, until } = await openWaiting(CALL_REFUND);
    const [call] = store.getState().pendingCalls;

    const confirming = store.confirm(call ?? [], { input: { order_id: 7 } });

    await expect(confirming).rejects.toMatchObject({ code: "edited_input_invalid" });
    expect(store.getState()).toMatchObject({
      status: "waiting",
      pendingCalls: [{ isAnswering: false, error: { code: "edited_input_invalid" } }],
    });
    await store.confirm(call ?? []);
    expect((await until(isIdle)).pendingCalls).toEqual([]);
  });

  it("disappears when another client answers, and an answer that comes later is refused", async () => {
    const { session, store, until } = await openWaiting(CALL_REFUND);
    const other = watchStore(session);
    await other.until(({ status }) => status === "waiting");
    const [call] = store.getState().pendingCalls;

    await other.store.deny(other.store.getState().pendingCalls);

    await until(isIdle);
    expect(store.getState().pendingCalls).toEqual([]);
    await expect(store.confirm(call ?? [])).rejects.toMatchObject({ code: "confirmation_used" });
    await expect(store.confirm("call_unknown")).rejects.toMatchObject({ code: "call_not_pending" });
    expect(store.getState().pendingCalls).toEqual([]);
  });

  it("is answered once when the answer to its answer is lost", BROAD, async () => {
    const { desk, session } = await openWaiting(CALL_REFUND);
    let lost = 0;
    const phone = desk.clientOf({
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (init.method !== "POST" || lost++ > 0) return response;
        await response.text();
        throw new TypeError("the connection is gone");
      },
    });
    const { store, until } = watchStore(phone.session(session.id));
    await until(({ status }) => status === "waiting");

    await store.confirm(store.getState().pendingCalls);

    await until(isIdle);
    expect(inputsOf(desk.tools.requests)).toEqual([{ order_id: "A-1001" }]);
  });

  it("waits beside another one, each with its own answer", BROAD, async () => {
    const desk = await openPeopleDesk();
    const { tools } = await desk.reprise.agents.get(desk.agentId);
    // Of tools that may run at the same time all ask at once.
    const parallel = tools.map((tool) => ({ ...tool, concurrency_safe: true }));
    await desk.reprise.agents.update(desk.agentId, { tools: parallel });
    const { store, until } = watchStore(await desk.openSession());
    await store.send(CALL_REFUND.replace("\n", `\n${CALL_LABEL.split("\n")[0]}\n`));
    const { pendingCalls } = await until((state) => state.pendingCalls.length === 2);
    const [refund, label] = pendingCalls;

    await store.submitResult(label ?? [], "Label 4711");
    const state = await until((now) => now.status === "waiting" && now.pendingCalls.length === 1);
    expect(state.pendingCalls[0]).toBe(refund);
    await store.deny(refund ?? []);

    const { messages } = await until(isIdle);
    expect(inputsOf(desk.tools.requests)).toEqual([]);
    expect(JSON.stringify(messages[1])).toContain("Label 4711");
    expect(stateOf(messages[1])?.toSorted()).toEqual(["denied", "success"]);
  });
});

describe("an external call", () => {
  it("is typed as one, and gets its result", async () => {
    const { store, until } = await openWaiting(CALL_LABEL);
    const [call] = store.getState().pendingCalls;
    expect(call).toMatchObject({ kind: "external_result", input: { order_id: "A-1001" } });

    await store.submitResult(call ?? [], "Label 4711");

    const { messages } = await until(isIdle);
    expect(JSON.stringify(messages[1])).toContain("Label 4711");
    expect(textOf(messages[1])).toBe("Done.");
  });

  it("is taken over by a page that was opened while it waited", BROAD, async () => {
    const { session } = await openWaiting(CALL_LABEL);
    const { store, until } = watchStore(session);
    const { pendingCalls } = await until(({ status }) => status === "waiting");

    await store.submitResult(pendingCalls, { output: "No paper.", state: "error" });

    expect(stateOf((await until(isIdle)).messages[1])).toEqual(["error"]);
  });
});

describe("a reply that waits", () => {
  it("is ended by an interrupt, and nothing waits any more", async () => {
    const { store, until } = await openWaiting(CALL_REFUND);

    await store.interrupt();

    const { messages, pendingCalls } = await until(isIdle);
    expect([messages[1]?.finished_reason, pendingCalls]).toEqual(["interrupted", []]);
  });

  it("lets a message be queued behind it", BROAD, async () => {
    const { store, until } = await openWaiting(CALL_REFUND);

    await store.send("/say Afterwards.");

    expect(store.getState()).toMatchObject({
      status: "waiting",
      outgoing: [{ state: "queued" }],
    });
    await store.confirm(store.getState().pendingCalls);
    const { messages } = await until((state) => isIdle(state) && state.messages.length === 4);
    expect(messages.map(textOf)).toEqual([CALL_REFUND, "Done.", "/say Afterwards.", "Afterwards."]);
  });
});
