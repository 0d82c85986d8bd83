// Runs whose id is known: what their requests bring begins the next part, and a repeated request shows its own one.
import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { PendingCall, Reply } from "../../../protocol/replies/contract.ts";
import type { RunInput } from "../../../protocol/dialects/ag-ui/input/run-input.ts";
import {
  confirmation,
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
  reply,
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

const HELLO = said("m1", "/say hello");
const NEXT = said("m2", "/say next");
const REFUNDS = "/call refund {}\n/say between\n/call refund {}\n/say done";
const SLOW = "/call print {}\n/say done";

interface Waiting {
  readonly init: SessionInit;
  readonly first: Partial<RunInput>;
  readonly reply: Reply;
  readonly call: PendingCall;
}

async function waitingRun(script: string, tools: readonly object[] = [REFUND]): Promise<Waiting> {
  const init = await createdSession({ tools });
  const first = { messages: [said("m1", script)] };
  const { reply: waiting } = await run(init, "r1", first);
  return { init, first, reply: waiting, call: pendingOf(waiting) };
}

function pendingOf({ pending: [call] }: Reply): PendingCall {
  if (!call) throw new Error("nothing waits");
  return call;
}

function approve({ id }: Reply, { tool_call }: PendingCall, approved = true) {
  return answerTo(id, tool_call.id, { approved });
}

/** Of each part: its run, its number and its range. */
async function partsOf(init: SessionInit): Promise<readonly unknown[]> {
  const rows = await runRows(init);
  return rows.map(({ run_id, part, from_seq, to_seq }) => [run_id, part, from_seq, to_seq]);
}

describe("an answer under the interrupted run's id", () => {
  it("begins the run's next part, and each request again shows its own", () =>
    withTools(async (requests) => {
      const { init, first, reply: asked, call } = await waitingRun(REFUNDS);
      const { cursor: end } = asked;
      const second = { resume: [approve(asked, call)] };
      const again = await run(init, "r1", second);
      const third = { ...first, resume: [approve(asked, pendingOf(again.reply), false)] };
      const last = await run(init, "r1", third);
      await evictDurableObject(objectOf(init));
      const repeated = await Promise.all(
        [first, second, third].map(async (input) => valueOf(await startRun(init, "r1", input))),
      );

      expect([again.is_repeated, again.cursor, again.reply.status]).toEqual([
        false,
        end,
        "awaiting_permission",
      ]);
      expect([last.is_repeated, last.reply.status]).toEqual([false, "completed"]);
      expect(repeated.map(({ cursor, is_repeated }) => [cursor, is_repeated])).toEqual([
        [1, true],
        [end, true],
        [again.reply.cursor, true],
      ]);
      expect(requests).toHaveLength(1);
      expect(await partsOf(init)).toEqual([
        ["r1", 1, 1, end],
        ["r1", 2, end, again.reply.cursor],
        ["r1", 3, again.reply.cursor, last.reply.cursor],
      ]);
      expect(await shownRuns(init)).toEqual([
        ["r1", "interrupt"],
        ["r1", "interrupt"],
        ["r1", "success"],
      ]);
    }));

  it("is one part, whoever sends it at the same moment", () =>
    withTools(async (requests) => {
      const { init, reply: asked, call } = await waitingRun("/call refund {}\n/say done");
      const input = { resume: [approve(asked, call)] };
      const started = await Promise.all([1, 2, 3].map(() => startRun(init, "r1", input)));
      await readReply(init, asked.id, 60_000);

      expect(started.map(valueOf).map(({ cursor }) => cursor)).toEqual(
        started.map(() => asked.cursor),
      );
      expect(started.map(valueOf).filter(({ is_repeated }) => !is_repeated)).toHaveLength(1);
      expect(await partsOf(init)).toHaveLength(2);
      expect(requests).toHaveLength(1);
    }));

  it("that came too late is refused, and given alike it shows what followed as the next part", () =>
    withTools(async () => {
      const { init, reply: asked, call } = await waitingRun("/call refund {}\n/say done");
      const receipt = valueOf(await post(init, confirmation(asked.id, call)));
      const ended = await readReply(init, asked.id, 60_000);
      const other = await startRun(init, "r1", { resume: [approve(asked, call, false)] });
      const alike = { resume: [approve(asked, call)] };
      const shown = await Promise.all([1, 2].map(() => startRun(init, "r1", alike)));

      expect(codeOf(other)).toBe("confirmation_used");
      expect(shown.map(valueOf)).toEqual(
        [1, 2].map(() => ({
          reply_id: asked.id,
          cursor: receipt.cursor,
          is_repeated: true,
          to_seq: ended.cursor,
        })),
      );
      expect(await partsOf(init)).toEqual([
        ["r1", 1, 1, receipt.cursor],
        ["r1", 2, receipt.cursor, ended.cursor],
      ]);
    }));

  it("that names no interrupt of the thread is refused", async () => {
    const { init, reply: asked } = await waitingRun("/call refund {}\n/say done");
    const stranger = answerTo(asked.id, "call_other", { approved: true });

    expect(codeOf(await startRun(init, "r1", { resume: [stranger] }))).toBe("interrupt_unknown");
    expect(await partsOf(init)).toHaveLength(1);
  });

  it("of a reply that was ended is refused, and not answered with the old part", async () => {
    const { init, reply: asked, call } = await waitingRun("/call refund {}\n/say done");
    valueOf(await post(init, interruption(asked.id)));

    expect(codeOf(await startRun(init, "r1", { resume: [approve(asked, call)] }))).toBe(
      "call_not_pending",
    );
  });

  it("leaves a message beside it to the next request, and is repeated with it", () =>
    withTools(async () => {
      const { init, first, reply: asked, call } = await waitingRun("/call refund {}\n/say done");
      const messages = [...(first.messages ?? []), NEXT];
      const both = { messages, resume: [approve(asked, call)] };
      const answered = await run(init, "r1", both);
      const repeated = valueOf(await startRun(init, "r1", both));
      const next = await run(init, "r1", { messages });
      const late = valueOf(await startRun(init, "r1", { messages }));

      expect(answered).toMatchObject({ reply_id: asked.id, is_repeated: false });
      expect(repeated).toEqual({
        reply_id: asked.id,
        cursor: answered.cursor,
        is_repeated: true,
        to_seq: answered.reply.cursor,
      });
      expect(next).toMatchObject({ is_repeated: false });
      expect(next.reply.message?.content).toMatchObject([{ text: "next" }]);
      expect(late).toMatchObject({ reply_id: next.reply_id, cursor: next.cursor });
      expect((await runRows(init)).map(({ left_messages }) => left_messages)).toEqual([
        null,
        '["m2"]',
        null,
      ]);
    }));

  it("keeps the ids of a hundred messages beside it, however many came", () =>
    withTools(async () => {
      const { init, reply: asked, call } = await waitingRun("/call refund {}\n/say done");
      const messages = Array.from({ length: 150 }, (_, index) => said(`n${index}`, "/say more"));
      await run(init, "r1", { resume: [approve(asked, call)], messages });
      const rows = await runRows(init);

      expect(rows.map(({ left_messages }) => JSON.parse(String(left_messages)))).toEqual([
        null,
        messages.slice(0, 100).map(({ id }) => id),
      ]);
    }));

  it("that answers some of the interrupts is refused, and a repeated first request is not", async () => {
    const beside = [REFUND, LABEL].map((tool) => ({ ...tool, concurrency_safe: true }));
    const {
      init,
      first,
      reply: asked,
    } = await waitingRun("/call refund {}\n/call label {}\n/say done", beside);
    const [refund] = asked.pending;
    const half = await startRun(init, "r1", { resume: [approve(asked, refund!)] });
    const message = await startRun(init, "r1", { messages: [...first.messages!, NEXT] });
    const again = valueOf(await startRun(init, "r1", first));

    expect([codeOf(half), codeOf(message)]).toEqual(["interrupts_open", "interrupts_open"]);
    expect(again).toEqual({
      reply_id: asked.id,
      cursor: 1,
      is_repeated: true,
      to_seq: asked.cursor,
    });
  });
});

describe("a result of the page under the run's own id", () => {
  it("begins the next part, and is shown it again", async () => {
    const init = await createdSession();
    const first = { messages: [said("m1", SLOW)], tools: [PRINT] };
    const { reply: asked } = await run(init, "r1", first);
    const results = [resultOf(pendingOf(asked).tool_call.id, "printed")];
    const ended = await run(init, "r1", { ...first, results });
    const again = await Promise.all(
      [{ ...first, results }, first].map(async (input) =>
        valueOf(await startRun(init, "r1", input)),
      ),
    );

    expect([ended.is_repeated, ended.cursor, ended.reply.status]).toEqual([
      false,
      asked.cursor,
      "completed",
    ]);
    expect(again.map(({ cursor }) => cursor)).toEqual([asked.cursor, 1]);
    expect(await partsOf(init)).toHaveLength(2);
  });

  it("has the tools and the state that come with it, as a new run has", async () => {
    const init = await createdSession();
    const first = { messages: [said("m1", "/call print {}\n/call show {}\n/say done")] };
    const { reply: asked } = await run(init, "r1", { ...first, tools: [PRINT] });
    const results = [resultOf(pendingOf(asked).tool_call.id, "printed")];
    const clash = [PRINT, PRINT];
    const refused = await startRun(init, "r1", { ...first, results, tools: clash });
    const ended = await run(init, "r1", { ...first, results, tools: [] });

    expect(codeOf(refused)).toBe("validation_failed");
    expect(ended.reply.status).toBe("completed");
  });

  it("that is given up for a message makes that message's reply the next part", async () => {
    const init = await createdSession();
    const first = { messages: [said("m1", SLOW)], tools: [PRINT] };
    const { reply: asked } = await run(init, "r1", first);
    const messages = [...first.messages, NEXT];
    const next = await run(init, "r1", { messages });
    const again = valueOf(await startRun(init, "r1", { messages }));
    const before = valueOf(await startRun(init, "r1", first));

    expect((await readReply(init, asked.id)).status).toBe("interrupted");
    expect([next.is_repeated, again.reply_id, again.cursor]).toEqual([
      false,
      next.reply_id,
      next.cursor,
    ]);
    expect(before).toMatchObject({ reply_id: asked.id, cursor: 1, is_repeated: true });
  });
});

describe("a new message under a known id", () => {
  it("begins the next part after the reply, and again it is that part", async () => {
    const init = await createdSession();
    const first = await run(init, "r1", { messages: [HELLO] });
    const next = await run(init, "r1", { messages: [HELLO, NEXT] });
    await run(init, "r2", { messages: [HELLO, NEXT, said("m3", "/say more")] });
    const again = await Promise.all(
      [[HELLO, NEXT], [HELLO]].map(async (messages) =>
        valueOf(await startRun(init, "r1", { messages })),
      ),
    );

    expect([next.is_repeated, next.reply_id === first.reply_id]).toEqual([false, false]);
    expect(again).toEqual([
      {
        reply_id: next.reply_id,
        cursor: next.cursor,
        is_repeated: true,
        to_seq: next.reply.cursor,
      },
      {
        reply_id: first.reply_id,
        cursor: first.cursor,
        is_repeated: true,
        to_seq: first.reply.cursor,
      },
    ]);
    expect((await partsOf(init)).map((part) => (part as unknown[]).slice(0, 2))).toEqual([
      ["r1", 1],
      ["r1", 2],
      ["r2", 1],
    ]);
  });

  it("is refused while the reply runs, which a repeated request may watch", async () => {
    const init = await createdSession({
      model: { provider: "scripted", parameters: { tokens_per_second: 5 } },
    });
    const first = { messages: [said("m1", "/say one two three four five six seven eight")] };
    const started = valueOf(await startRun(init, "r1", first));
    const refused = await startRun(init, "r1", { messages: [...first.messages, NEXT] });
    const again = valueOf(await startRun(init, "r1", first));
    valueOf(await post(init, interruption(started.reply_id)));

    expect(codeOf(refused)).toBe("reply_running");
    expect(again).toEqual({ ...started, is_repeated: true, to_seq: null });
  });

  it("that names a parent is held to the thread's newest run, as under a new id", async () => {
    const init = await createdSession();
    await run(init, "r1", { messages: [HELLO] });
    await run(init, "r2", { messages: [HELLO, NEXT] });
    const messages = [HELLO, NEXT, said("m3", "/say more")];
    const branch = { mark: { run_id: "r1", parent_run_id: "r1" } };
    const straight = { mark: { run_id: "r1", parent_run_id: "r2" } };
    const refused = await startRun(init, "r1", { messages }, branch);
    const taken = await startRun(init, "r1", { messages }, straight);

    expect([codeOf(refused), codeOf(taken)]).toEqual(["conflict", null]);
  });

  it("of a native reply's id begins a part of that run, beside the reply itself", async () => {
    const init = await createdSession();
    const native = await reply(init, "/say native");
    const next = await run(init, native.id, { messages: [NEXT] });
    const again = valueOf(await startRun(init, native.id, { messages: [NEXT] }));

    expect([next.is_repeated, next.reply_id === native.id]).toEqual([false, false]);
    expect(again).toMatchObject({ reply_id: next.reply_id, is_repeated: true });
  });
});

it("what every request of a run did is in the log once", () =>
  withTools(async () => {
    const { init, first, reply: asked, call } = await waitingRun("/call refund {}\n/say done");
    const second = { resume: [approve(asked, call)] };
    await run(init, "r1", second);
    const before = (await allEvents(init)).at(-1)?.seq;
    for (const input of [first, second, {}, first]) {
      await run(init, "r1", input);
    }
    expect((await allEvents(init)).at(-1)?.seq).toBe(before);
    expect(await partsOf(init)).toHaveLength(2);
  }));
