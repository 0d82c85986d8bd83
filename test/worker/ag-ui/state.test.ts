// The shared state in runs: the version with which a reply begins, and what a client sends along.
import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { stateVersionOf } from "../../../protocol/ag-ui/ag-ui-run.ts";
import type { StateObject } from "../../../protocol/shared-state/events.ts";
import { confirmation, post, REFUND, rowsOf, withTools } from "../confirmations/parked.ts";
import {
  allEvents,
  createdSession,
  objectOf,
  reply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { answerTo, codeOf, PRINT, resultOf, run, said, startRun } from "./runs.ts";

async function stateIs(init: SessionInit): Promise<unknown> {
  const { state, version } = valueOf(await stubOf(init).act("readSharedState"));
  return [version, state];
}

async function change(init: SessionInit, state: StateObject): Promise<void> {
  const patch = [{ op: "replace", path: "", value: state }] as const;
  valueOf(await stubOf(init).act("patchSharedState", { patch }));
}

/** The id of the text that the reply showed, as clients of AG-UI know it. */
async function begunThread(state: StateObject | null = null) {
  const init = await createdSession();
  const first = await run(init, "r1", { messages: [said("m1", "/say hello")], state });
  const seen = first.reply.message?.content.find(({ type }) => type === "text")?.id ?? "";
  return { init, seen };
}

function next(state: StateObject | null, seen: readonly string[] = [], id = "m2") {
  const messages = [said(id, "/say next")];
  return { messages, state, message_ids: [id, ...seen] };
}

describe("a reply", () => {
  it("says the version of the state with which it begins, of which the session keeps the state", async () => {
    const init = await createdSession();
    await reply(init, "/say none");
    await change(init, { n: 1 });
    await reply(init, "/say one");
    await reply(init, "/say one again");
    await change(init, { n: 2 });
    await change(init, { n: 3 });
    await run(init, "r1", { messages: [said("m1", "/say three")] });
    const starts = (await allEvents(init)).filter(({ type }) => type === "REPLY_START");

    expect(starts.map(stateVersionOf)).toEqual([0, 1, 1, 3]);
    expect(starts[0]?.metadata).toEqual({});
    expect(await rowsOf(init, "SELECT version, state FROM shared_state_versions")).toEqual([
      { version: 1, state: '{"n":1}' },
      { version: 3, state: '{"n":3}' },
    ]);
  });
});

describe("a client's state", () => {
  it("is the thread's from its first run on, before the run begins", async () => {
    const { init } = await begunThread({ page: 1 });
    const events = await allEvents(init);

    expect(await stateIs(init)).toEqual([1, { page: 1 }]);
    expect(
      events.slice(0, 3).map((event) => (event.type === "CUSTOM" ? event.name : event.type)),
    ).toEqual(["shared_state_updated", "message_added", "REPLY_START"]);
    expect(events.slice(0, 1)).toMatchObject([
      { value: { patch: [{ op: "replace", path: "", value: { page: 1 } }], version: 1 } },
    ]);
  });

  it("changes it when the client has seen the newest reply, and says nothing when it is the same", async () => {
    const { init, seen } = await begunThread({ page: 1 });
    await evictDurableObject(objectOf(init));
    await run(init, "r2", next({ page: 1 }, [seen]));
    expect(await stateIs(init)).toEqual([1, { page: 1 }]);
    const last = (await allEvents(init)).findLast(({ type }) => type === "TEXT_BLOCK_START");
    const shown = last && "block_id" in last ? last.block_id : "";
    await run(init, "r3", next({ page: 2 }, [seen, shown], "m3"));
    expect(await stateIs(init)).toEqual([2, { page: 2 }]);
  });

  it("is left aside when the client has not seen the newest reply, or a change since", async () => {
    const { init, seen } = await begunThread({ page: 1 });
    await run(init, "r2", next({ page: 9 }));
    expect(await stateIs(init)).toEqual([1, { page: 1 }]);
    await run(init, "r3", next({ page: 9 }, [seen], "m3"));
    expect(await stateIs(init)).toEqual([1, { page: 1 }]);

    const other = await begunThread({ page: 1 });
    await change(other.init, { page: 5 });
    await run(other.init, "r2", next({ page: 9 }, [other.seen]));
    expect(await stateIs(other.init)).toEqual([2, { page: 5 }]);
  });

  it("that is empty is none", async () => {
    const { init, seen } = await begunThread({ page: 1 });
    await run(init, "r2", next(null, [seen]));

    expect(await stateIs(init)).toEqual([1, { page: 1 }]);
  });

  it("is held to the agent's schema, and refused with the whole run", async () => {
    const schema = { type: "object", required: ["n"] };
    const init = await createdSession({
      shared_state: { enabled: false, schema },
      tools: [REFUND],
    });
    const refused = await startRun(init, "r1", next({ m: 1 }));
    const { reply: parked } = await run(init, "r1", {
      messages: [said("m1", "/say look\n/call refund {}\n/say done")],
    });
    const [call] = parked.pending;
    const seen = parked.message?.content[0]?.id ?? "";
    const answer = await startRun(init, "r2", {
      resume: [answerTo(parked.id, call?.tool_call.id ?? "", { approved: true })],
      state: { m: 1 },
      message_ids: [seen],
    });

    expect([refused, answer].map(codeOf)).toEqual(["state_invalid", "state_invalid"]);
    expect(await stateIs(init)).toEqual([0, {}]);
    expect(
      valueOf(await stubOf(init).act("readReply", { reply_id: parked.id, wait_ms: 0 })).pending,
    ).toHaveLength(1);
  });

  it("comes with an answer too, in front of it", () =>
    withTools(async () => {
      const init = await createdSession({ tools: [REFUND] });
      const { reply: parked } = await run(init, "r1", {
        messages: [said("m1", "/say look\n/call refund {}\n/say done")],
      });
      const [call] = parked.pending;
      if (!call) throw new Error("nothing waits");
      const seen = parked.message?.content[0]?.id ?? "";
      const resume = [answerTo(parked.id, call.tool_call.id, { approved: true })];
      const resumed = await run(init, "r2", { resume, state: { ok: true }, message_ids: [seen] });

      expect(await stateIs(init)).toEqual([1, { ok: true }]);
      // The change stands before the run.
      expect(resumed.cursor).toBe(parked.cursor + 1);
    }));

  it("is left aside where a webhook's answer was first, and the reply has gone on", () =>
    withTools(async () => {
      const init = await createdSession({ tools: [REFUND] });
      const { reply: parked } = await run(init, "r1", {
        messages: [said("m1", "/say look\n/call refund {}\n/say done")],
      });
      const [call] = parked.pending;
      if (!call) throw new Error("nothing waits");
      valueOf(await post(init, confirmation(parked.id, call)));
      await stubOf(init).act("readReply", { reply_id: parked.id, wait_ms: 60_000 });
      const resume = [answerTo(parked.id, call.tool_call.id, { approved: true })];
      await run(init, "r2", { resume, state: { ok: true }, message_ids: [] });

      expect(await stateIs(init)).toEqual([0, {}]);
    }));
});

describe("a client's state, where the newest reply has changed it", () => {
  const CHANGES = '/call update_shared_state {"patch":[{"op":"add","path":"/n","value":1}]}';
  const SHARED = { shared_state: { enabled: true }, tools: [REFUND] };

  it("is left aside when the client has seen that reply's beginning alone", () =>
    withTools(async () => {
      const init = await createdSession(SHARED);
      const { reply: parked } = await run(init, "r1", {
        messages: [said("m1", `/say look\n/call refund {}\n/then\n${CHANGES}\n/say done`)],
      });
      const [call] = parked.pending;
      if (!call) throw new Error("nothing waits");
      valueOf(await post(init, confirmation(parked.id, call)));
      const ended = valueOf(
        await stubOf(init).act("readReply", { reply_id: parked.id, wait_ms: 60_000 }),
      );
      const [look, done] = (ended.message?.content ?? []).flatMap((block) =>
        block.type === "text" ? [block.id] : [],
      );
      await run(init, "r2", next({ page: 1 }, [look ?? ""]));
      expect(await stateIs(init)).toEqual([1, { n: 1 }]);

      const other = await createdSession(SHARED);
      const whole = await run(other, "r1", { messages: [said("m1", `${CHANGES}\n/say done`)] });
      const last = whole.reply.message?.content.findLast(({ type }) => type === "text");
      await run(other, "r2", next({ page: 1 }, [last?.id ?? ""]));
      expect([done, await stateIs(other)]).toEqual([expect.any(String), [2, { page: 1 }]]);
    }));

  it("is taken with a message that ends the reply, unless it was changed while that waited", async () => {
    const begin = async () => {
      const init = await createdSession(SHARED);
      const messages = [said("m1", `${CHANGES}\n/then\n/say look\n/call print {}`)];
      const { reply: parked } = await run(init, "r1", { messages, tools: [PRINT] });
      const look = parked.message?.content.find(({ type }) => type === "text");
      const result = resultOf(parked.pending[0]?.tool_call.id ?? "", "printed");
      const input = next({ page: 1 }, [look?.id ?? "", result.message_id]);
      return { init, input: { ...input, results: [result] } };
    };
    const taken = await begin();
    await run(taken.init, "r2", { ...taken.input, results: [] });
    const late = await begin();
    await change(late.init, { n: 2 });
    await run(late.init, "r2", late.input);

    expect([await stateIs(taken.init), await stateIs(late.init)]).toEqual([
      [2, { page: 1 }],
      [2, { n: 2 }],
    ]);
  });
});

describe("what a client says beside the conversation", () => {
  it("is told to the model once in a reply, and again where a later run says otherwise", async () => {
    const init = await createdSession();
    const context = [{ description: "The page", value: "cart" }];
    const script = "/call print {}\n/then\n/call print {}\n/then\n/call print {}\n/say done";
    const first = await run(init, "r1", {
      messages: [said("m1", script)],
      tools: [PRINT],
      context,
    });
    let { reply: parked } = first;
    for (const [run_id, value] of [
      ["r2", "cart"],
      ["r3", "checkout"],
      ["r4", null],
    ] as const) {
      const results = [resultOf(parked.pending[0]?.tool_call.id ?? "", "printed")];
      const said_ = value === null ? [] : [{ description: "The page", value }];
      ({ reply: parked } = await run(init, run_id, { results, tools: [PRINT], context: said_ }));
    }
    const hints = parked.message?.content.filter(({ type }) => type === "hint");

    expect(parked.status).toBe("completed");
    expect(hints).toMatchObject([
      { source: "client_context", hint: expect.stringContaining('"value":"cart"') },
      { source: "client_context", hint: expect.stringContaining('"value":"checkout"') },
      { source: "client_context", hint: "The app adds nothing to the conversation any more." },
    ]);
  });
});
