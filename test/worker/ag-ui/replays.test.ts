// Interrupts that were answered before, by somebody else or by a client that never heard of it.
import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { PendingCall } from "../../../protocol/replies/contract.ts";
import {
  confirmation,
  externalResult,
  interruption,
  LABEL,
  post,
  REFUND,
  withTools,
} from "../confirmations/parked.ts";
import {
  allEvents,
  createdSession,
  objectOf,
  readReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { answerTo, codeOf, resultOf, run, runRows, said, shownRuns, startRun } from "./runs.ts";

const REFUNDS = "/call refund {}\n/say between\n/call refund {}\n/say done";

interface Waiting {
  readonly init: SessionInit;
  readonly reply_id: string;
  readonly call: PendingCall;
}

async function waitingRun(script: string, tools: readonly object[] = [REFUND]): Promise<Waiting> {
  const init = await createdSession({ tools });
  const { reply } = await run(init, "r1", { messages: [said("m1", script)] });
  const [call] = reply.pending;
  if (!call) throw new Error("nothing waits");
  return { init, reply_id: reply.id, call };
}

async function nextCall(init: SessionInit, replyId: string): Promise<PendingCall> {
  const [call] = (await readReply(init, replyId, 60_000)).pending;
  if (!call) throw new Error("nothing waits");
  return call;
}

describe("an interrupt that a webhook has answered", () => {
  it("is answered again alike by the continuation, from the answer on", () =>
    withTools(async (requests) => {
      const { init, reply_id, call } = await waitingRun("/call refund {}\n/say done");
      const receipt = valueOf(await post(init, confirmation(reply_id, call)));
      const ended = await readReply(init, reply_id, 60_000);
      await evictDurableObject(objectOf(init));
      const resume = [answerTo(reply_id, call.tool_call.id, { approved: true })];
      const last = (await allEvents(init)).at(-1)?.seq;
      const replayed = valueOf(await startRun(init, "r2", { resume }));
      const again = valueOf(await startRun(init, "r2", { resume }));

      expect(ended.status).toBe("completed");
      expect(replayed).toEqual({
        reply_id,
        cursor: receipt.cursor,
        is_repeated: true,
        to_seq: expect.any(Number),
      });
      expect(again).toEqual(replayed);
      expect(requests).toHaveLength(1);
      expect((await allEvents(init)).at(-1)?.seq).toBe(last);
      expect(await runRows(init)).toMatchObject([
        { run_id: "r1", to_seq: receipt.cursor },
        { run_id: "r2", reply_id, from_seq: receipt.cursor, to_seq: last },
      ]);
      // The log calls the continuation by the reply's id: nobody's run had begun it.
      expect(await shownRuns(init)).toEqual([
        ["r1", "interrupt"],
        [reply_id, "success"],
      ]);
    }));

  it("with a rule is answered again alike by a client that says nothing of rules", () =>
    withTools(async () => {
      const { init, reply_id, call } = await waitingRun("/call refund {}\n/say done");
      const rules = [...call.suggested_rules];
      const receipt = valueOf(await post(init, confirmation(reply_id, call, { rules })));
      await readReply(init, reply_id, 60_000);
      const entry = (payload: object) => ({
        resume: [answerTo(reply_id, call.tool_call.id, payload)],
      });
      const plain = valueOf(await startRun(init, "r2", entry({ approved: true })));
      const other = rules.map((rule) => ({ ...rule, behavior: "deny" }));

      expect(rules.length).toBeGreaterThan(0);
      expect(plain).toEqual({
        reply_id,
        cursor: receipt.cursor,
        is_repeated: true,
        to_seq: expect.any(Number),
      });
      const refused = [
        await startRun(init, "r3", entry({ approved: true, rules: other })),
        await startRun(init, "r3", entry({ approved: false })),
      ];
      expect(refused.map(codeOf)).toEqual(["confirmation_used", "confirmation_used"]);
    }));

  it("is refused another answer", () =>
    withTools(async () => {
      const { init, reply_id, call } = await waitingRun("/call refund {}\n/say done");
      valueOf(await post(init, confirmation(reply_id, call)));
      await readReply(init, reply_id, 60_000);
      const entry = (payload: unknown) => ({
        resume: [answerTo(reply_id, call.tool_call.id, payload)],
      });
      const cancelled = [
        { ...answerTo(reply_id, call.tool_call.id, undefined), status: "cancelled" as const },
      ];

      expect(codeOf(await startRun(init, "r2", entry({ approved: false })))).toBe(
        "confirmation_used",
      );
      expect(
        codeOf(await startRun(init, "r2", entry({ approved: true, editedArgs: { a: 1 } }))),
      ).toBe("confirmation_used");
      expect(codeOf(await startRun(init, "r2", { resume: cancelled }))).toBe("confirmation_used");
      expect(await runRows(init)).toHaveLength(1);
    }));

  it("shows what the reply has come to since: where it waits again, that is the run's end", () =>
    withTools(async () => {
      const { init, reply_id, call } = await waitingRun(REFUNDS);
      const receipt = valueOf(await post(init, confirmation(reply_id, call)));
      const second = await nextCall(init, reply_id);
      const resume = [answerTo(reply_id, call.tool_call.id, { approved: true })];
      const replayed = await run(init, "r2", { resume });
      const both = [...resume, answerTo(reply_id, second.tool_call.id, { approved: true })];
      const ended = await run(init, "r3", { resume: both });
      const rows = await runRows(init);

      expect(replayed).toMatchObject({ cursor: receipt.cursor, is_repeated: true });
      expect(replayed.reply.status).toBe("awaiting_permission");
      expect(ended).toMatchObject({ cursor: replayed.reply.cursor, is_repeated: false });
      expect(ended.reply.status).toBe("completed");
      expect(rows.map(({ run_id, from_seq, to_seq }) => [run_id, from_seq, to_seq])).toEqual([
        ["r1", 1, receipt.cursor],
        ["r2", receipt.cursor, replayed.reply.cursor],
        ["r3", replayed.reply.cursor, ended.reply.cursor],
      ]);
    }));

  it("is no answer to the others, which the same run brings as messages", () =>
    withTools(async () => {
      const beside = [REFUND, LABEL].map((tool) => ({ ...tool, concurrency_safe: true }));
      const script = "/call refund {}\n/call label {}\n/say done";
      const { init, reply_id, call } = await waitingRun(script, beside);
      valueOf(await post(init, confirmation(reply_id, call)));
      const outside = await nextCall(init, reply_id);
      const resume = [answerTo(reply_id, call.tool_call.id, { approved: true })];
      const results = [resultOf(outside.tool_call.id, "printed")];
      const ended = await run(init, "r2", { resume, results });

      expect(outside.kind).toBe("external_result");
      expect([ended.is_repeated, ended.reply.status]).toEqual([false, "completed"]);
    }));

  it("and comes with a message begins a reply with that message", () =>
    withTools(async () => {
      const { init, reply_id, call } = await waitingRun("/call refund {}\n/say done");
      valueOf(await post(init, confirmation(reply_id, call)));
      await readReply(init, reply_id, 60_000);
      const resume = [answerTo(reply_id, call.tool_call.id, { approved: true })];
      const messages = [said("m2", "/say next")];
      const other = [answerTo(reply_id, call.tool_call.id, { approved: false })];
      const refused = await startRun(init, "r2", { resume: other, messages });
      const next = await run(init, "r2", { resume, messages });

      expect(codeOf(refused)).toBe("confirmation_used");
      expect(next.reply_id).not.toBe(reply_id);
      expect(next.reply.message?.content).toMatchObject([{ text: "next" }]);
    }));
});

describe("a result that came before", () => {
  it("is taken again alike, and another one is refused", async () => {
    const { init, reply_id, call } = await waitingRun("/call label {}\n/say done", [LABEL]);
    const receipt = valueOf(await post(init, externalResult(reply_id, call, "printed")));
    await readReply(init, reply_id, 60_000);
    const { id } = call.tool_call;
    const replayed = await startRun(init, "r2", { resume: [answerTo(reply_id, id, "printed")] });
    const other = await startRun(init, "r3", { resume: [answerTo(reply_id, id, "burnt")] });

    expect(valueOf(replayed)).toEqual({
      reply_id,
      cursor: receipt.cursor,
      is_repeated: true,
      to_seq: expect.any(Number),
    });
    expect(codeOf(other)).toBe("call_not_pending");
  });

  it("is taken again where the entry leaves it to the message", async () => {
    const { init, reply_id, call } = await waitingRun("/call label {}\n/say done", [LABEL]);
    const { id } = call.tool_call;
    const both = (output: string) => ({
      resume: [answerTo(reply_id, id, undefined)],
      results: [resultOf(id, output)],
    });
    const first = await run(init, "r2", both("printed"));
    const replayed = valueOf(await startRun(init, "r3", both("printed")));
    const other = await startRun(init, "r4", both("burnt"));

    expect(first.reply.status).toBe("completed");
    expect(replayed).toEqual({
      reply_id,
      cursor: first.cursor,
      is_repeated: true,
      to_seq: expect.any(Number),
    });
    expect(codeOf(other)).toBe("call_not_pending");
  });

  it("shows a client that lost its answer the run that followed the result, and not the first", async () => {
    const { init, reply_id, call } = await waitingRun("/call label {}\n/say done", [LABEL]);
    const { id } = call.tool_call;
    const results = [
      { message_id: "t1", tool_call_id: id, output: "printed", state: "success" as const },
    ];
    const messages = [said("m1", "x")];
    const first = await run(init, "r2", { messages, results });
    const retried = valueOf(await startRun(init, "r3", { messages, results }));
    const begun = valueOf(await startRun(init, "r4", { messages }));

    expect(first.is_repeated).toBe(false);
    expect(retried).toEqual({
      reply_id,
      cursor: first.cursor,
      is_repeated: true,
      to_seq: expect.any(Number),
    });
    expect(begun).toEqual({ reply_id, cursor: 1, is_repeated: true, to_seq: expect.any(Number) });
  });
});

describe("a permission that was given for a call that is then handed out", () => {
  it("is no result of the call when the client repeats it", async () => {
    const asked = { ...LABEL, read_only: false };
    const { init, reply_id, call } = await waitingRun("/call label {}\n/say done", [asked]);
    const receipt = valueOf(await post(init, confirmation(reply_id, call)));
    const outside = await nextCall(init, reply_id);
    const { id } = call.tool_call;
    const resume = [answerTo(reply_id, id, { approved: true })];
    const replayed = await startRun(init, "r2", { resume });

    expect(outside.kind).toBe("external_result");
    expect(valueOf(replayed)).toMatchObject({ cursor: receipt.cursor, is_repeated: true });
    expect((await readReply(init, reply_id)).status).toBe("awaiting_external_result");
    const ended = await run(init, "r3", { resume: [answerTo(reply_id, id, { output: "ok" })] });
    expect(ended.reply.status).toBe("completed");
  });
});

describe("interrupts of a reply that was ended", () => {
  it("can be given up, which shows the end, and not answered", async () => {
    const { init, reply_id, call } = await waitingRun("/call refund {}\n/say done");
    valueOf(await post(init, interruption(reply_id)));
    const entry = answerTo(reply_id, call.tool_call.id, { approved: true });
    const answered = await startRun(init, "r2", { resume: [entry] });
    const given = valueOf(
      await startRun(init, "r3", { resume: [{ ...entry, status: "cancelled" }] }),
    );

    expect(codeOf(answered)).toBe("call_not_pending");
    expect(given).toMatchObject({ reply_id, is_repeated: true });
    expect((await shownRuns(init)).map(([, outcome]) => outcome)).toEqual([
      "interrupt",
      "cancelled",
    ]);
    expect(valueOf(await stubOf(init).act("readReply", { reply_id, wait_ms: 0 })).status).toBe(
      "interrupted",
    );
  });
});
