// Answers of people and of systems outside, at the session's object.
import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { hashInput } from "../../../durable-objects/settings/hash-input.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import {
  confirmation,
  externalResult,
  interruption,
  KEY,
  LABEL,
  LOOK,
  parkedSession,
  post,
  rowsOf,
  withTools,
} from "./parked.ts";
import {
  allEvents,
  createdSession,
  objectOf,
  openStream,
  readEvents,
  readReply,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";

describe("a confirmation", () => {
  it("lets the call run and the reply go on to its end", () =>
    withTools(async (calls) => {
      const { init, parked, call } = await parkedSession();
      const receipt = valueOf(await post(init, confirmation(parked.id, call)));
      const ended = await readReply(init, parked.id, 60_000);

      expect(receipt).toMatchObject({ applied: true, cursor: parked.cursor });
      expect(receipt.reply).toMatchObject({ id: parked.id, status: "running", pending: [] });
      expect(ended).toMatchObject({ status: "completed", pending: [] });
      expect(calls).toHaveLength(1);
      const events = (await allEvents(init)).filter(({ seq }) => seq > receipt.cursor);
      expect(events.slice(0, 4).map(({ type }) => type)).toEqual([
        "USER_CONFIRM_RESULT",
        "TOOL_RESULT_START",
        "TOOL_RESULT_TEXT_DELTA",
        "TOOL_RESULT_END",
      ]);
      expect(events[0]?.metadata).toEqual({ decided_by: { kind: "api_key", id: "key_1" } });
      expect(foldEvents(await allEvents(init))).toEqual(ended.message);
    }));

  it("from two clients at the same moment runs the tool once", () =>
    withTools(async (calls) => {
      const { init, parked, call } = await parkedSession();
      const both = await Promise.all([
        post(init, confirmation(parked.id, call)),
        post(init, confirmation(parked.id, call)),
      ]);
      await readReply(init, parked.id, 60_000);

      expect(both.map((result) => result.ok && result.value.applied)).toEqual([true, false]);
      expect(both.map((result) => result.ok && result.value.cursor)).toEqual([
        parked.cursor,
        parked.cursor,
      ]);
      expect(calls).toHaveLength(1);
    }));

  it("that contradicts one at the same moment is refused, and nothing runs twice", () =>
    withTools(async (calls) => {
      const { init, parked, call } = await parkedSession();
      const [yes, no] = await Promise.all([
        post(init, confirmation(parked.id, call)),
        post(init, confirmation(parked.id, call, { confirmed: false })),
      ]);
      await readReply(init, parked.id, 60_000);

      expect(yes.ok).toBe(true);
      expect(no).toMatchObject({
        refusal: { code: "confirmation_used", extensions: { same_answer: false } },
      });
      expect(calls).toHaveLength(1);
    }));

  it("that comes again after its tool ran is refused as used, also when the reply is over", () =>
    withTools(async (calls) => {
      const { init, parked, call } = await parkedSession();
      await post(init, confirmation(parked.id, call));
      await readReply(init, parked.id, 60_000);
      const before = await allEvents(init);
      const again = await post(init, confirmation(parked.id, call));
      await reply(init, "/say next");
      const later = await post(init, confirmation(parked.id, call));

      for (const refused of [again, later]) {
        expect(refused).toMatchObject({
          refusal: {
            code: "confirmation_used",
            extensions: {
              tool_call_id: call.tool_call.id,
              same_answer: true,
              reply: { id: parked.id, status: "completed" },
              pending: [],
            },
          },
        });
      }
      expect((await allEvents(init)).slice(0, before.length)).toEqual(before);
      expect(calls).toHaveLength(1);
    }));

  it("that says no makes the call's result at once, so the same no again is refused as used", () =>
    withTools(async (calls) => {
      const { init, parked, call } = await parkedSession();
      const no = confirmation(parked.id, call, { confirmed: false });
      const [first, second] = [await post(init, no), await post(init, no)];
      const ended = await readReply(init, parked.id, 60_000);

      expect(first).toMatchObject({ ok: true, value: { applied: true } });
      expect(second).toMatchObject({
        refusal: { code: "confirmation_used", extensions: { same_answer: true } },
      });
      expect(ended.message?.content[1]).toMatchObject({ type: "tool_result", state: "denied" });
      expect(calls).toEqual([]);
    }));

  it("with an edit runs what the person wrote, and keeps what the model wrote", () =>
    withTools(async (calls) => {
      const { init, parked, call } = await parkedSession();
      const input = '{"order_id":"A-7"}';
      await post(init, confirmation(parked.id, call, { input }));
      const { message } = await readReply(init, parked.id, 60_000);

      expect(calls.map(({ body }) => JSON.parse(body))).toMatchObject([
        { input: { order_id: "A-7" } },
      ]);
      expect(message?.content.slice(0, 2)).toMatchObject([
        { type: "tool_call", input },
        { type: "tool_result", metadata: { original_input: '{"order_id":"A-1001"}' } },
      ]);
      const [answered] = valueOf(await stubOf(init).act("listDecisions", { limit: 1 })).data;
      expect(answered).toMatchObject({ behavior: "allow", edited_input: input });
    }));

  it("for another reply, or a call that nobody asked about, says how things stand", async () => {
    const { init, parked, call } = await parkedSession();
    const other = await createdSession();
    const unknownReply = await post(init, confirmation("rep_other", call));
    const tool_call = { ...call.tool_call, id: "call_other" };
    const unknownCall = await post(init, confirmation(parked.id, { tool_call }));
    const foreign = await post(other, confirmation(parked.id, call));

    expect(unknownReply).toMatchObject({
      refusal: { code: "call_not_pending", extensions: { reply: null, pending: [call] } },
    });
    expect(unknownCall).toMatchObject({
      refusal: {
        code: "call_not_pending",
        extensions: {
          state: null,
          reply: { id: parked.id, status: "awaiting_permission" },
          pending: [call],
        },
      },
    });
    expect(foreign).toMatchObject({
      refusal: { code: "call_not_pending", extensions: { reply: null, pending: [] } },
    });
  });

  it("by a credential that is about other calls is refused, and shows none of them", async () => {
    const { init, parked, call } = await parkedSession();
    const other = { ...KEY, kind: "callback", tool_call_ids: ["call_other"] } as const;

    expect(
      await stubOf(init).act("postEvent", confirmation(parked.id, call), { actor: other }),
    ).toMatchObject({
      refusal: { code: "call_not_pending", extensions: { state: null, pending: [] } },
    });
    expect(await readReply(init, parked.id)).toEqual(parked);
  });

  it("for one of two calls lets that one run, and the other goes on waiting", () =>
    withTools(async (calls) => {
      const input = '/call refund {"order_id":"A-1"}\n/call refund {"order_id":"A-2"}\n/say done';
      const { init, parked, call } = await parkedSession(input);
      valueOf(await post(init, confirmation(parked.id, call)));
      const second = await readReply(init, parked.id, 60_000);
      const [other] = second.pending;

      expect(second.status).toBe("awaiting_permission");
      expect(other?.tool_call.input).toBe('{"order_id":"A-2"}');
      if (other) valueOf(await post(init, confirmation(parked.id, other)));
      expect(await readReply(init, parked.id, 60_000)).toMatchObject({ status: "completed" });
      expect(calls).toHaveLength(2);
    }));

  it("while another call runs is taken at the runner's next step, by the same runner", async () => {
    const slow = Promise.withResolvers<void>();
    await withTools(
      async (calls) => {
        const tools = ["look", "refund"].map((name) => ({
          ...LOOK,
          name,
          url: `https://tools.example/${name}`,
          read_only: name === "look",
        }));
        const init = await createdSession({ tools });
        const started = await startReply(init, "/call refund {}\n/call look {}\n/say done");
        const asked = await readEvents(
          await openStream(init, `after=${started.cursor}`),
          ({ type }) => type === "REQUIRE_USER_CONFIRM",
        );
        const event = asked.at(-1);
        if (event?.type !== "REQUIRE_USER_CONFIRM") throw new Error("nobody was asked");
        await expect.poll(() => calls.length).toBe(1);
        const [tool_call] = event.tool_calls;
        if (!tool_call) throw new Error("no call");
        const receipt = valueOf(await post(init, confirmation(started.id, { tool_call })));
        expect(receipt).toMatchObject({ applied: true, reply: { status: "running" } });
        slow.resolve();

        expect(await readReply(init, started.id, 60_000)).toMatchObject({ status: "completed" });
        expect(calls.map(({ url }) => url)).toEqual([
          "https://tools.example/look",
          "https://tools.example/refund",
        ]);
        expect(await rowsOf(init, "SELECT epoch FROM replies")).toEqual([{ epoch: 1 }]);
      },
      async (url) => {
        if (url.endsWith("look")) await slow.promise;
        return new Response("made");
      },
    );
  });
});

describe("a reply that waits", () => {
  it("goes on after its object was evicted as if nothing had happened", () =>
    withTools(async (calls) => {
      const { init, parked, call } = await parkedSession();
      await evictDurableObject(objectOf(init));
      expect(await readReply(init, parked.id)).toEqual(parked);
      await evictDurableObject(objectOf(init));
      valueOf(await post(init, confirmation(parked.id, call)));

      expect(await readReply(init, parked.id, 60_000)).toMatchObject({ status: "completed" });
      expect(calls).toHaveLength(1);
    }));

  it("goes on after its object was reset", () =>
    withTools(async (calls) => {
      const { init, parked, call } = await parkedSession();
      await abortAllDurableObjects();
      valueOf(await post(init, confirmation(parked.id, call)));

      expect(await readReply(init, parked.id, 60_000)).toMatchObject({ status: "completed" });
      expect(calls).toHaveLength(1);
    }));

  it("takes a result of an external tool, once", async () => {
    const { init, parked, call } = await parkedSession("/call label {}\n/say printed");
    expect(parked).toMatchObject({
      status: "awaiting_external_result",
      pending: [{ kind: "external_result", tool_call: { name: "label", state: "submitted" } }],
    });
    const receipt = valueOf(await post(init, externalResult(parked.id, call, "L-1")));
    const ended = await readReply(init, parked.id, 60_000);
    const again = await post(init, externalResult(parked.id, call, "L-1"));

    expect(receipt).toMatchObject({ applied: true, cursor: parked.cursor });
    expect(ended.message?.content[1]).toMatchObject({
      type: "tool_result",
      output: [{ type: "text", text: "L-1" }],
      state: "success",
    });
    expect(again).toMatchObject({
      refusal: { code: "call_not_pending", extensions: { state: "finished", same_answer: true } },
    });
  });

  it("takes the results of parallel external calls one by one", async () => {
    const input = '/call label {"n":1}\n/call label {"n":2}\n/say printed';
    const { init, parked } = await parkedSession(input, {
      tools: [{ ...LABEL, concurrency_safe: true }],
    });
    const [first, second] = parked.pending;
    if (!first || !second) throw new Error("two should wait");
    valueOf(await post(init, externalResult(parked.id, second, "L-2")));
    const between = await readReply(init, parked.id, 60_000);
    valueOf(await post(init, externalResult(parked.id, first, "L-1")));
    const ended = await readReply(init, parked.id, 60_000);

    expect([between.status, between.pending]).toEqual(["awaiting_external_result", [first]]);
    expect(ended.status).toBe("completed");
    const results = ended.message?.content.filter(({ type }) => type === "tool_result");
    expect(results).toMatchObject([
      { id: first.tool_call.id, output: [{ text: "L-1" }] },
      { id: second.tool_call.id, output: [{ text: "L-2" }] },
    ]);
  });

  it("ends by an interrupt that is in the log, and takes no answer then", async () => {
    const { init, parked, call } = await parkedSession();
    const [ended, late] = await Promise.all([
      post(init, interruption(parked.id)),
      post(init, confirmation(parked.id, call)),
    ]);

    expect(valueOf(ended)).toMatchObject({ applied: true, reply: { status: "interrupted" } });
    expect(late).toMatchObject({
      refusal: {
        code: "call_not_pending",
        extensions: { state: "finished", reply: { id: parked.id, status: "interrupted" } },
      },
    });
    const after = (await allEvents(init)).filter(({ seq }) => seq > parked.cursor);
    expect(after.map(({ type }) => type)).toEqual([
      "USER_INTERRUPT",
      "TOOL_RESULT_START",
      "TOOL_RESULT_TEXT_DELTA",
      "TOOL_RESULT_END",
      "REPLY_END",
    ]);
    expect(after[0]?.metadata).toEqual({ decided_by: { kind: "api_key", id: KEY.id } });
  });

  it("is not ended by an interrupt that was meant for an earlier one", async () => {
    const { init, parked } = await parkedSession();
    await stubOf(init).act("interrupt", {});
    const next = await reply(init, "/call refund {}");
    const before = await allEvents(init);

    expect(valueOf(await post(init, interruption(parked.id)))).toMatchObject({
      applied: false,
      reply: { id: parked.id, status: "interrupted" },
    });
    expect(await allEvents(init)).toEqual(before);
    expect(await readReply(init, next.id)).toEqual(next);
  });

  it("and was answered at the moment of its session's removal is gone", () =>
    withTools(async () => {
      const { init, parked, call } = await parkedSession();
      const [answered, removed] = await Promise.all([
        post(init, confirmation(parked.id, call)),
        stubOf(init).remove(),
      ]);

      expect(removed).toEqual({ ok: true, value: null });
      if (!answered.ok) expect(answered.refusal.code).toBe("not_found");
      expect(await stubOf(init).act("read")).toMatchObject({ refusal: { code: "not_found" } });
    }));

  it("shows the hash that the answer may have to bring back", async () => {
    const { init, parked, call } = await parkedSession();
    const hash = await hashInput("refund", '{"order_id":"A-1001"}');
    const event = confirmation(parked.id, call);
    const wary = { ...KEY, must_prove_input: true };
    const proven = { ...event, metadata: { input_hashes: { [call.tool_call.id]: hash } } };

    expect(call.input_hash).toBe(hash);
    expect(await stubOf(init).act("postEvent", event, { actor: wary })).toMatchObject({
      refusal: { code: "input_hash_missing" },
    });
    await withTools(async () => {
      expect(await stubOf(init).act("postEvent", proven, { actor: wary })).toMatchObject({
        ok: true,
      });
      await readReply(init, parked.id, 60_000);
    });
  });
});
