// Tools that a client brings: for the loop they are outside, and their client may go on without them.
import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { PendingCall, Reply } from "../../../protocol/replies/contract.ts";
import { runMarkOf } from "../../../protocol/ag-ui/ag-ui-run.ts";
import { externalResult, LABEL, post, REFUND, rowsOf } from "../confirmations/parked.ts";
import {
  allEvents,
  createdSession,
  objectOf,
  openStream,
  readEvents,
  readReply,
  reply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import {
  answerTo,
  codeOf,
  PRINT,
  resultOf,
  run,
  runRows,
  said,
  shownRuns,
  startRun,
} from "./runs.ts";

const PRINTS = "/call print {}\n/say done";
const TOOLS = { tools: [PRINT] };

interface Waiting {
  readonly init: SessionInit;
  readonly parked: Reply;
  readonly calls: readonly PendingCall[];
}

async function waitingRun(script = PRINTS, agent: object = {}): Promise<Waiting> {
  const init = await createdSession(agent);
  const { reply: parked } = await run(init, "r1", { messages: [said("m1", script)], ...TOOLS });
  return { init, parked, calls: parked.pending };
}

function callId({ calls }: Waiting, index = 0): string {
  return calls[index]?.tool_call.id ?? "";
}

function resultsOf({ message }: Reply): unknown {
  return message?.content.flatMap((block) =>
    block.type === "tool_result" ? [[block.name, block.state]] : [],
  );
}

describe("a call of a client's tool", () => {
  it("is handed out at once, says who has the tool, and never expires", async () => {
    const waiting = await waitingRun();
    const event = (await allEvents(waiting.init)).find(
      ({ type }) => type === "REQUIRE_EXTERNAL_EXECUTION",
    );

    expect(waiting.parked.status).toBe("awaiting_external_result");
    expect(waiting.calls).toMatchObject([{ kind: "external_result", expires_at: null }]);
    expect(event?.metadata).toEqual({
      expires_at: { [callId(waiting)]: null },
      offered_by: { [callId(waiting)]: "client" },
    });
    expect(await rowsOf(waiting.init, "SELECT kind FROM timers WHERE kind = 'expiry'")).toEqual([]);
  });

  it("comes with the tools and the context that each run brought, in its first event", async () => {
    const waiting = await waitingRun();
    const { init } = waiting;
    const context = [{ description: "page", value: "7" }];
    await run(init, "r2", { results: [resultOf(callId(waiting), "printed")], context });
    await run(init, "r3", { messages: [said("m2", "/say bare")] });
    const marks = (await allEvents(init)).map(runMarkOf);

    expect(marks.filter(({ run_id }) => run_id !== undefined)).toEqual([
      { run_id: "r1", ...TOOLS },
      { run_id: "r2", context },
      { run_id: "r3" },
    ]);
  });

  it("goes on with its result, in a run of its own", async () => {
    const waiting = await waitingRun();
    const { init } = waiting;
    await evictDurableObject(objectOf(init));
    const results = [resultOf(callId(waiting), "printed")];
    const ended = await run(init, "r2", { messages: [said("m1", PRINTS)], results, ...TOOLS });

    expect(ended.reply.status).toBe("completed");
    expect(ended.cursor).toBe(waiting.parked.cursor);
    expect(await shownRuns(init)).toEqual([
      ["r1", "success"],
      ["r2", "success"],
    ]);
  });

  it("waits on for the others when one result comes alone", async () => {
    const waiting = await waitingRun("/call print {}\n/call print {}\n/say done");
    const { init } = waiting;
    const one = await run(init, "r2", { results: [resultOf(callId(waiting), "1")] });
    const all = await run(init, "r3", { results: [resultOf(callId(waiting, 1), "2")] });

    expect(waiting.calls).toHaveLength(2);
    expect(one.reply.pending.map(({ tool_call }) => tool_call.id)).toEqual([callId(waiting, 1)]);
    expect(all.reply.status).toBe("completed");
    expect(await runRows(init)).toHaveLength(3);
  });

  it("takes a native result, like the call of any tool outside", async () => {
    const { init, parked, calls } = await waitingRun();
    const [call] = calls;
    if (!call) throw new Error("nothing waits");
    valueOf(await post(init, externalResult(parked.id, call, "printed")));

    expect((await readReply(init, parked.id, 60_000)).status).toBe("completed");
  });

  it("is held against the agent's rules that ask and deny", async () => {
    const rule = { tool_name: "print", rule_content: null, source: "agent" };
    const rulesOf = (behavior: string) => ({
      permission: { mode: "default", rules: [{ ...rule, behavior }] },
    });
    const asking = await waitingRun(PRINTS, rulesOf("ask"));
    const denied = await waitingRun(PRINTS, rulesOf("deny"));

    expect(asking.calls).toMatchObject([{ kind: "permission" }]);
    expect(denied.parked.status).toBe("completed");
    expect(denied.parked.message?.content.slice(0, 2)).toMatchObject([
      { type: "tool_call" },
      { type: "tool_result", state: "denied" },
    ]);
  });

  it("survives a machine that is lost before the call is made", async () => {
    const init = await createdSession();
    const script = `/rate 100\n/words 60\n${PRINTS}`;
    const { reply_id } = valueOf(
      await startRun(init, "r1", { messages: [said("m1", script)], ...TOOLS }),
    );
    await readEvents(await openStream(init, "after=0"), ({ type }) => type === "TEXT_BLOCK_DELTA");
    await abortAllDurableObjects();
    const parked = await readReply(init, reply_id, 60_000);

    expect(parked.pending).toMatchObject([{ tool_call: { name: "print" } }]);
    expect(await runRows(init)).toMatchObject([{ run_id: "r1", to_seq: parked.cursor }]);
  });
});

describe("the tools of a run", () => {
  it("take no name of the agent's, of the platform's or of each other", async () => {
    const init = await createdSession({ tools: [REFUND, LABEL] });
    const named = (...names: string[]) => names.map((name) => ({ ...PRINT, name }));
    const refusals = [];
    for (const tools of [
      named("print", "refund"),
      named("label"),
      named("GenerateStructuredOutput"),
      named("update_shared_state"),
      named("print", "other", "print"),
    ]) {
      const refused = await startRun(init, "r1", { messages: [said("m1", "/say x")], tools });
      refusals.push(refused.ok ? null : refused.refusal);
    }

    expect(refusals.map((refusal) => [refusal?.code, refusal?.errors?.[0]?.pointer])).toEqual([
      ["validation_failed", "#/tools/1/name"],
      ["validation_failed", "#/tools/0/name"],
      ["validation_failed", "#/tools/0/name"],
      ["validation_failed", "#/tools/0/name"],
      ["validation_failed", "#/tools/2/name"],
    ]);
    expect(await rowsOf(init, "SELECT seq FROM events")).toEqual([]);
  });

  it("are those of the reply's newest run, and of no later reply", async () => {
    const script = "/call print {}\n/then\n/call show {}\n/then\n/call print {}\n/say done";
    const waiting = await waitingRun(script);
    const { init, parked } = waiting;
    const tools = [{ ...PRINT, name: "show" }];
    const results = [resultOf(callId(waiting), "printed")];
    const second = await run(init, "r2", { results, tools });
    const [shown] = second.reply.pending;
    const third = await run(init, "r3", {
      results: [resultOf(shown?.tool_call.id ?? "", "shown")],
      tools,
    });
    const next = await reply(init, PRINTS);

    expect(shown?.tool_call.name).toBe("show");
    expect(third.reply_id).toBe(parked.id);
    expect(resultsOf(third.reply)).toEqual([
      ["print", "success"],
      ["show", "success"],
      ["print", "error"],
    ]);
    expect(resultsOf(next)).toEqual([["print", "error"]]);
  });

  it("can be tested against the rules while their reply is open", async () => {
    const { init, parked } = await waitingRun();
    const call = { tool_name: "print", input: {} };
    const open = valueOf(await stubOf(init).act("testCall", call));
    await stubOf(init).act("interrupt", {});

    expect(open.behavior).toBe("allow");
    expect(codeOf(await stubOf(init).act("testCall", call))).toBe("validation_failed");
    expect(parked.status).toBe("awaiting_external_result");
  });
});

describe("a message while only the client's own calls wait", () => {
  it("ends the reply that waits, with the results that came, and begins the next one", async () => {
    const waiting = await waitingRun("/call print {}\n/call print {}\n/say done");
    const { init, parked } = waiting;
    const next = await run(init, "r2", {
      messages: [said("m1", "x"), said("m2", "/say next")],
      results: [resultOf(callId(waiting), "printed")],
    });
    const ended = await readReply(init, parked.id);

    expect(ended.status).toBe("interrupted");
    expect(ended.message?.content.filter(({ type }) => type === "tool_result")).toMatchObject([
      { state: "success" },
      { state: "interrupted" },
    ]);
    expect(next.reply).toMatchObject({
      status: "completed",
      message: { content: [{ text: "next" }] },
    });
    expect((await shownRuns(init)).at(-1)).toEqual(["r2", "success"]);
  });

  it("asks the model once, when all results come with it", async () => {
    const waiting = await waitingRun();
    const { init, parked } = waiting;
    await run(init, "r2", {
      messages: [said("m2", "/say next")],
      results: [resultOf(callId(waiting), "printed")],
    });
    const events = await allEvents(init);

    expect((await readReply(init, parked.id)).status).toBe("interrupted");
    expect(events.filter(({ type }) => type === "MODEL_CALL_START")).toHaveLength(2);
  });

  it("takes results whose entries leave them to the messages", async () => {
    const waiting = await waitingRun();
    const { init, parked } = waiting;
    const next = await run(init, "r2", {
      messages: [said("m2", "/say next")],
      resume: [answerTo(parked.id, callId(waiting), undefined)],
      results: [resultOf(callId(waiting), "printed")],
    });

    expect((await readReply(init, parked.id)).status).toBe("interrupted");
    expect(next.reply.message?.content).toMatchObject([{ text: "next" }]);
  });

  it("takes nothing when the run is refused", async () => {
    const waiting = await waitingRun(PRINTS, { tools: [REFUND] });
    const { init, parked } = waiting;
    const messages = [said("m2", "/say next")];
    const results = [resultOf(callId(waiting), "printed")];
    const rights = { may_confirm: true, may_give_results: false };
    const refused = [
      await startRun(init, "r2", { messages, results }, { rights }),
      await startRun(init, "r2", { messages, results, tools: [{ ...PRINT, name: "refund" }] }),
    ];

    expect(refused.map(codeOf)).toEqual(["insufficient_scope", "validation_failed"]);
    expect(await readReply(init, parked.id)).toEqual(parked);
  });
});
