// Runs that answer what a reply waits for: all of it at once, whole or not at all.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { runMarkOf } from "../../../protocol/ag-ui/ag-ui-run.ts";
import type { PendingCall, Reply } from "../../../protocol/replies/contract.ts";
import { KEY, LABEL, makeDue, REFUND, rowsOf, withTools } from "../confirmations/parked.ts";
import {
  allEvents,
  createdSession,
  listMessages,
  objectOf,
  readReply,
  stubOf,
} from "../sessions/session.ts";
import {
  answerTo,
  codeOf,
  inputOf,
  PRINT,
  resultOf,
  run,
  runRows,
  said,
  shownRuns,
  startRun,
} from "./runs.ts";

const BESIDE_EACH_OTHER = [REFUND, LABEL].map((tool) => ({ ...tool, concurrency_safe: true }));
const ONE = '/call refund {"order":1}\n/say done';
const TWO = '/call refund {"order":1}\n/call label {"to":2}\n/say done';

interface Waiting {
  readonly init: SessionInit;
  readonly parked: Reply;
  readonly calls: readonly PendingCall[];
  /** An entry for the call of that index. */
  readonly entry: (index: number, payload: unknown) => ReturnType<typeof answerTo>;
}

async function waitingRun(script: string, agent: object = {}): Promise<Waiting> {
  const init = await createdSession({ tools: BESIDE_EACH_OTHER, ...agent });
  const { reply: parked } = await run(init, "r1", { messages: [said("m1", script)] });
  const calls = parked.pending;
  const entry = (index: number, payload: unknown) =>
    answerTo(parked.id, calls[index]?.tool_call.id ?? "", payload);
  return { init, parked, calls, entry };
}

/** State that nobody may have changed: the log's end, and that of the reply. */
async function standing(init: SessionInit): Promise<unknown> {
  const [replies, rows] = [
    await rowsOf(init, "SELECT id, status, end_seq FROM replies"),
    await rowsOf(init, "SELECT max(seq) AS seq FROM events"),
  ];
  return [replies, rows];
}

describe("a run that answers an interrupt", () => {
  it("lets the call run and the reply go on, as a run of its own with the answer as its start", () =>
    withTools(async (requests) => {
      const { init, parked, entry } = await waitingRun(ONE);
      await evictDurableObject(objectOf(init));
      const resumed = await run(init, "r2", { resume: [entry(0, { approved: true })] });
      const accepted = (await allEvents(init)).find(({ type }) => type === "USER_CONFIRM_RESULT");

      expect(resumed).toMatchObject({ reply_id: parked.id, cursor: parked.cursor });
      expect(resumed.reply.status).toBe("completed");
      expect(requests).toHaveLength(1);
      expect(accepted).toMatchObject({ seq: parked.cursor + 1 });
      expect(accepted && runMarkOf(accepted)).toEqual({ run_id: "r2" });
      expect(await shownRuns(init)).toEqual([
        ["r1", "interrupt"],
        ["r2", "success"],
      ]);
      expect(await runRows(init)).toMatchObject([
        { run_id: "r1", from_seq: 1, to_seq: parked.cursor },
        { run_id: "r2", from_seq: parked.cursor, to_seq: resumed.reply.cursor },
      ]);
    }));

  it("denies it, gives it up, edits it and keeps rules as native answers do", () =>
    withTools(async (requests) => {
      const denied = await waitingRun(ONE);
      await run(denied.init, "r2", { resume: [denied.entry(0, { approved: false })] });
      const given = await waitingRun(ONE);
      const cancelled = { ...given.entry(0, undefined), status: "cancelled" as const };
      const gone = await run(given.init, "r2", { resume: [cancelled] });
      expect(requests).toHaveLength(0);
      expect(gone.reply.message?.content).toMatchObject([
        { type: "tool_call", state: "finished" },
        { type: "tool_result", state: "denied" },
        { type: "text" },
      ]);

      const edited = await waitingRun(ONE);
      const rules = edited.calls[0]?.suggested_rules;
      const payload = { approved: true, editedArgs: { order: 7 }, rules };
      await run(edited.init, "r2", { resume: [edited.entry(0, payload)] });
      expect(requests.map(({ body }) => JSON.parse(body))).toMatchObject([{ input: { order: 7 } }]);
      expect(await rowsOf(edited.init, "SELECT created_by FROM permission_rules")).toEqual([
        { created_by: KEY.id },
      ]);
    }));

  it("has to answer all that wait; then both kinds are one commit and one run", () =>
    withTools(async () => {
      const { init, calls, entry } = await waitingRun(TWO);
      expect(calls.map(({ kind }) => kind)).toEqual(["permission", "external_result"]);
      const before = await standing(init);
      const label = calls[1]?.tool_call.id ?? "";
      expect(codeOf(await startRun(init, "r2", { resume: [entry(0, { approved: true })] }))).toBe(
        "interrupts_open",
      );
      expect(codeOf(await startRun(init, "r2", { results: [resultOf(label, "x")] }))).toBe(
        "interrupts_open",
      );
      expect(await standing(init)).toEqual(before);

      await run(init, "r2", {
        resume: [entry(0, { approved: false })],
        results: [resultOf(label, "printed")],
      });
      expect(await shownRuns(init)).toEqual([
        ["r1", "interrupt"],
        ["r2", "success"],
      ]);
      const rows = await runInDurableObject(objectOf(init), (_, { storage }) =>
        storage.sql.exec<{ frames: ArrayBuffer }>("SELECT frames FROM events").toArray(),
      );
      const commit = rows
        .map(({ frames }) => new TextDecoder().decode(frames))
        .find((text) => text.includes("USER_CONFIRM_RESULT"));
      expect([...(commit ?? "").matchAll(/^event: (.+)$/gm)].map(([, type]) => type)).toEqual([
        "USER_CONFIRM_RESULT",
        "EXTERNAL_EXECUTION_RESULT",
        "TOOL_RESULT_START",
        "TOOL_RESULT_TEXT_DELTA",
        "TOOL_RESULT_END",
        "TOOL_RESULT_TEXT_DELTA",
        "TOOL_RESULT_END",
      ]);
    }));

  it("takes nothing when one of its answers is refused", () =>
    withTools(async (requests) => {
      const { init, entry } = await waitingRun(TWO);
      const before = await standing(init);
      const results = [entry(1, { output: "printed" })];
      const refused = [
        await startRun(init, "r2", { resume: [entry(0, { approved: "yes" }), ...results] }),
        await startRun(init, "r2", { resume: [entry(0, undefined), ...results] }),
        await startRun(init, "r2", {
          resume: [entry(0, { approved: true, rules: [{ ...RULE, tool_name: "x" }] }), ...results],
        }),
        await startRun(init, "r2", { resume: [{ ...entry(0, {}), interrupt_id: "nonsense" }] }),
        await startRun(init, "r2", { resume: [answerTo("rep_none", "x", {})] }),
        await startRun(init, "r2", {
          resume: [{ ...entry(0, { approved: true }), input_hash: "sha256:0" }, ...results],
        }),
      ];

      expect(refused.map(codeOf)).toEqual([
        "resume_invalid",
        "resume_invalid",
        "rule_not_suggested",
        "interrupt_unknown",
        "interrupt_unknown",
        "input_hash_mismatch",
      ]);
      expect(await standing(init)).toEqual(before);
      expect(requests).toHaveLength(0);
      expect(await runRows(init)).toHaveLength(1);
    }));

  it("needs the right to, for each kind of answer", async () => {
    const { init, entry } = await waitingRun(TWO);
    const resume = [entry(0, { approved: true }), entry(1, "printed")];
    const before = await standing(init);
    const refused = [
      await startRun(
        init,
        "r2",
        { resume },
        { rights: { may_confirm: false, may_give_results: true } },
      ),
      await startRun(
        init,
        "r2",
        { resume },
        { rights: { may_confirm: true, may_give_results: false } },
      ),
    ];

    expect(refused.map((one) => (one.ok ? null : one.refusal))).toMatchObject([
      { code: "insufficient_scope", extensions: { required_scope: "confirmations:write" } },
      { code: "insufficient_scope", extensions: { required_scope: "tool_results:write" } },
    ]);
    expect(await standing(init)).toEqual(before);
  });

  it("brings the hash of what was asked where the credential has to", () =>
    withTools(async () => {
      const { init, calls, entry } = await waitingRun(ONE);
      const actor = { ...KEY, must_prove_input: true };
      const start = (input_hash?: string | null) =>
        stubOf(init).act(
          "startRun",
          {
            agent_id: init.agent_id,
            mark: { run_id: "r2" },
            input: inputOf({
              resume: [{ ...entry(0, { approved: true }), ...(input_hash && { input_hash }) }],
            }),
            rights: { may_confirm: true, may_give_results: true },
            is_listed: true,
          },
          { actor },
        );

      expect(codeOf(await start())).toBe("input_hash_missing");
      expect(codeOf(await start(calls[0]?.input_hash))).toBeNull();
    }));

  it("gives up without the hash, for then nothing runs", () =>
    withTools(async (requests) => {
      const { init, parked, calls, entry } = await waitingRun(TWO);
      const actor = { ...KEY, must_prove_input: true };
      const cancelled = { ...entry(0, undefined), status: "cancelled" as const };
      const start = {
        agent_id: init.agent_id,
        rights: { may_confirm: true, may_give_results: true },
        is_listed: true,
      };
      const resume = [cancelled, entry(1, "printed")];
      const given = await stubOf(init).act(
        "startRun",
        { ...start, mark: { run_id: "r2" }, input: inputOf({ resume }) },
        { actor },
      );
      const ended = await readReply(init, parked.id, 60_000);
      const event = (await allEvents(init)).find(({ type }) => type === "USER_CONFIRM_RESULT");

      expect([codeOf(given), ended.status, requests.length]).toEqual([null, "completed", 0]);
      expect(calls[0]?.input_hash).toEqual(expect.any(String));
      expect(event).toMatchObject({ confirm_results: [{ confirmed: false }] });
    }));

  it("is refused where a message comes without an answer", async () => {
    const { init } = await waitingRun(ONE);
    const messages = [said("m1", ONE), said("m2", "and now?")];
    const before = await standing(init);

    expect(codeOf(await startRun(init, "r2", { messages }))).toBe("interrupts_open");
    expect(await standing(init)).toEqual(before);
  });

  it("leaves a message that was written meanwhile for the next run, which replies to it", () =>
    withTools(async () => {
      const { init, parked, entry } = await waitingRun(ONE);
      const messages = [said("m1", ONE), said("m2", "and now?")];
      const resume = [entry(0, { approved: true })];

      const resumed = await run(init, "r2", { messages, resume });
      const next = await run(init, "r3", { messages });

      expect(resumed.reply).toMatchObject({ id: parked.id, status: "completed" });
      expect(next.reply.status).toBe("completed");
      expect(next.reply.id).not.toBe(parked.id);
      const listed = await listMessages(init, { limit: 10 });
      const ids = listed.ok && listed.value.data.map(({ id }) => id);
      expect(ids).toEqual(["m1", parked.id, "m2", next.reply.id]);
    }));

  it("from two clients at the same moment runs the tool once", () =>
    withTools(async (requests) => {
      const { init, parked, entry } = await waitingRun(ONE);
      const resume = [entry(0, { approved: true })];
      const both = await Promise.all([
        startRun(init, "r2", { resume }),
        startRun(init, "r3", { resume }),
      ]);
      await readReply(init, parked.id, 60_000);

      expect(both.map(codeOf)).toEqual([null, null]);
      expect(both.map((one) => one.ok && one.value.is_repeated)).toEqual([false, true]);
      expect(requests).toHaveLength(1);
    }));

  it("too late finds the call denied, unless it gives it up itself", () =>
    withTools(async (requests) => {
      const { init, parked, entry } = await waitingRun(ONE);
      await makeDue(init, "expiry");
      const late = await startRun(init, "r2", { resume: [entry(0, { approved: true })] });
      const cancelled = { ...entry(0, undefined), status: "cancelled" as const };
      const given = await run(init, "r3", { resume: [cancelled] });

      expect(codeOf(late)).toBe("call_not_pending");
      expect(given).toMatchObject({ cursor: parked.cursor, is_repeated: true });
      expect(given.reply.status).toBe("completed");
      expect(requests).toHaveLength(0);
    }));
});

describe("a client's call that waits beside an interrupt", () => {
  it("is answered with it, by a message", () =>
    withTools(async () => {
      const init = await createdSession({ tools: BESIDE_EACH_OTHER });
      const script = "/call refund {}\n/call print {}\n/say done";
      const { reply: parked } = await run(init, "r1", {
        messages: [said("m1", script)],
        tools: [PRINT],
      });
      const [refund, print] = parked.pending.map(({ tool_call }) => tool_call.id);
      const resume = [answerTo(parked.id, refund ?? "", { approved: true })];
      expect(codeOf(await startRun(init, "r2", { resume, tools: [PRINT] }))).toBe(
        "interrupts_open",
      );
      const results = [resultOf(print ?? "", "printed")];
      const ended = await run(init, "r2", { resume, results, tools: [PRINT] });

      expect(ended.reply.status).toBe("completed");
    }));
});

const RULE = { tool_name: "refund", rule_content: null, behavior: "allow", source: "me" };
