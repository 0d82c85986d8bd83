// An agent that another one has called, over HTTP and in the protocol's own client: its lane, and its questions, which runs
// of the thread answer.
import { describe, expect, it } from "vitest";

import { agUiBody, playAgUi } from "../../support/ag-ui-client.ts";
import { BROAD } from "../../support/breadth.ts";
import { createAgent, createTenant, openRequest, request } from "../../support/platform-client.ts";
import { readRun, type RunAnswer } from "../../support/run-answer.ts";
import { verifyAgUi } from "../../support/verify-ag-ui.ts";

const PAY = { type: "external", name: "pay" };
const SCRIPT = JSON.stringify({ message: '/say I look.\n/call pay {"eur":5}\n/say Paid.' });
const INPUT = `/call desk ${SCRIPT}\n/say All done.`;

/** @param levels Of agents below the first one: the last of them pays. */
async function openDesk(levels = 1) {
  const { key } = await createTenant();
  let agent = await createAgent(key, { name: "Order desk", tools: [PAY] });
  for (let level = 0; level < levels; level += 1) {
    const tool = { type: "agent", name: "desk", agent_id: agent, read_only: true };
    agent = await createAgent(key, { name: "Concierge", tools: [tool] });
  }
  return { key, agent };
}

interface Interrupt {
  readonly id: string;
  readonly subagentRunId?: string;
  readonly toolCallId: string;
  readonly reason: string;
  readonly metadata: { readonly agentscope: { readonly sessionId: string } };
}

/** A thread whose first run has ended with the question of the agent that it has called. */
async function openAsked(levels = 1) {
  const { key, agent } = await openDesk(levels);
  const threadId = crypto.randomUUID();
  const run = async (input: object): Promise<RunAnswer> => {
    const body = {
      threadId,
      runId: crypto.randomUUID(),
      protocolVersion: "1.0",
      messages: [],
      ...input,
    };
    return readRun(await openRequest("POST", `/v1/agents/${agent}/ag-ui`, { key, body }));
  };
  const below = `/call desk ${JSON.stringify({ message: INPUT })}\n/say Passed on.`;
  const message = { id: "m1", role: "user", content: levels === 1 ? INPUT : below };
  const first = await run({ messages: [message] });
  const [asked] = interruptsOf(first);
  if (!asked) throw new Error("the agent does not ask");
  const answer = (payload: unknown, more: object = {}) =>
    run({
      messages: [message],
      resume: [{ interruptId: asked.id, status: "resolved", payload }],
      ...more,
    });
  return { key, agent, threadId, asked, first, run, answer };
}

function endOf({ frames }: RunAnswer) {
  return frames.at(-1)?.event ?? { type: "none" };
}

function interruptsOf(answer: RunAnswer): readonly Interrupt[] {
  const { outcome } = endOf(answer) as { outcome?: { interrupts?: readonly Interrupt[] } };
  return outcome?.interrupts ?? [];
}

/** The code of a refused run. */
function codeOf(answer: RunAnswer): unknown {
  return endOf(answer)["code"] ?? answer.problem.code;
}

describe("a called agent", () => {
  it("is a subagent of the run, whose questions a client holds and answers as the agent's own", async () => {
    const { first, run } = await openAsked();
    const answers = ["tool_call", "agentscope:external_execution"];
    const runs = [first];
    const reasons: (string | undefined)[] = [];
    for (const payload of [{ approved: true }, "Sent."]) {
      const [asked] = interruptsOf(runs.at(-1) ?? first);
      reasons.push(asked?.reason);
      const resume = [{ interruptId: asked?.id ?? "", status: "resolved", payload }];
      runs.push(await run({ resume }));
    }
    let messages: Awaited<ReturnType<typeof playAgUi>>["messages"] = [];
    const lanes: unknown[] = [];
    for (const { frames } of runs) {
      const events = frames.map(({ event }) => event);
      for (const { type, name, outcome } of events) {
        if (!type.startsWith("SUBAGENT_")) continue;
        lanes.push([type, name ?? (outcome as { type: string }).type]);
      }
      const played = await playAgUi(agUiBody(events), messages);
      expect(played.warnings).toEqual([]);
      ({ messages } = played);
    }

    expect(reasons).toEqual(answers);
    expect(lanes).toEqual([
      ["SUBAGENT_STARTED", "Order desk"],
      ["SUBAGENT_FINISHED", "suspended"],
      ["SUBAGENT_STARTED", "Order desk"],
      ["SUBAGENT_FINISHED", "suspended"],
      ["SUBAGENT_STARTED", "Order desk"],
      ["SUBAGENT_FINISHED", "success"],
    ]);
    const shown = messages.map(({ role, content, subagentRunId }) => {
      return [subagentRunId ? "desk" : "concierge", role, content];
    });
    expect(shown.slice(1)).toEqual([
      ["concierge", "assistant", undefined],
      ["concierge", "tool", "Paid."],
      ["desk", "assistant", "I look."],
      ["desk", "tool", "Sent."],
      ["desk", "assistant", "Paid."],
      ["concierge", "assistant", "All done."],
    ]);
  });

  it("asks nobody else in the thread: what does not answer it is refused, and sent twice it is one", async () => {
    const { run, answer, asked, first } = await openAsked();
    const runId = crypto.randomUUID();
    const other = { id: "m2", role: "user", content: "Hello?" };

    expect(codeOf(await run({ messages: [other] }))).toBe("interrupts_open");
    expect(codeOf(await answer("no answer"))).toBe("resume_invalid");
    const taken = await answer({ approved: false, reason: "No." }, { runId });
    const again = await answer({ approved: false, reason: "No." }, { runId });

    expect(endOf(taken)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
    expect(again.frames).toEqual(taken.frames);
    expect(codeOf(await answer({ approved: true }))).toBe("confirmation_used");
    await verifyAgUi([...first.frames, ...taken.frames].map(({ event }) => event));
    expect(asked.subagentRunId).toBe(asked.metadata.agentscope.sessionId);
  });

  it(
    "may be answered in its own session, and the run that brings the same answer shows what followed",
    BROAD,
    async () => {
      const { key, answer, asked } = await openAsked();
      const [reply_id = "", call = ""] = asked.id.split(":");
      const path = `/v1/sessions/${asked.metadata.agentscope.sessionId}/events`;
      const confirm_results = [{ confirmed: false, tool_call: { id: call } }];
      const body = { type: "USER_CONFIRM_RESULT", reply_id, confirm_results };
      expect((await request("POST", path, { key, body })).status).toBe(202);

      const shown = await answer({ approved: false });

      expect(endOf(shown)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
      expect(codeOf(await answer({ approved: true }))).toBe("confirmation_used");
    },
  );

  it(
    "asks from two levels down, with the lanes of both, and is answered there",
    BROAD,
    async () => {
      const { first, asked, answer } = await openAsked(2);
      const taken = await answer({ approved: false });
      const started = (run: RunAnswer) =>
        run.frames.flatMap(({ event }) => (event.type === "SUBAGENT_STARTED" ? [event] : []));
      const [middle, lowest] = started(first);

      expect(lowest).toMatchObject({
        subagentRunId: asked.subagentRunId,
        parentSubagentRunId: middle?.["subagentRunId"],
      });
      expect(started(taken).map(({ subagentRunId }) => subagentRunId)).toEqual([
        middle?.["subagentRunId"],
        asked.subagentRunId,
      ]);
      expect(endOf(taken)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
      await verifyAgUi([...first.frames, ...taken.frames].map(({ event }) => event));
    },
  );

  it("asks once its caller, which asks at once itself, has its own answer", BROAD, async () => {
    const { key } = await createTenant();
    const desk = await createAgent(key, { name: "Order desk", tools: [PAY] });
    const tools = [
      { type: "agent", name: "desk", agent_id: desk, read_only: true },
      { ...PAY, name: "ask_ada", read_only: true, concurrency_safe: true },
    ];
    const agent = await createAgent(key, { name: "Concierge", tools });
    const threadId = crypto.randomUUID();
    const content = `/call desk ${SCRIPT}\n/call ask_ada {}\n/say All done.`;
    const messages = [{ id: "m1", role: "user", content }];
    const run = async (resume: readonly object[]) => {
      const ids = { threadId, runId: crypto.randomUUID(), protocolVersion: "1.0" };
      const body = { ...ids, messages, ...(resume.length > 0 && { resume }) };
      const path = `/v1/agents/${agent}/ag-ui`;
      return readRun(await openRequest("POST", path, { key, body }));
    };

    const first = await run([]);
    const [own] = interruptsOf(first);
    const answerTo = (asked: Interrupt | undefined, payload: unknown) =>
      run([{ interruptId: asked?.id ?? "", status: "resolved", payload }]);
    const second = await answerTo(own, "Ada says yes.");
    const [below] = interruptsOf(second);
    const third = await answerTo(below, { approved: false });

    expect([interruptsOf(first).length, own?.reason, own?.subagentRunId]).toEqual([
      1,
      "agentscope:external_execution",
      undefined,
    ]);
    expect([interruptsOf(second).length, below?.reason]).toEqual([1, "tool_call"]);
    expect(below?.subagentRunId).toMatch(/^ses_/);
    expect(endOf(third)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } });
    const runs = [first, second, third];
    await verifyAgUi(runs.flatMap(({ frames }) => frames.map(({ event }) => event)));
  });

  it("asks a page whose token may confirm, and no other", BROAD, async () => {
    const { key, agent, threadId, asked, first } = await openAsked();
    const session = first.headers.get("reprise-session-id");
    const mint = async (verbs: readonly string[]) => {
      const body = { verbs };
      const path = `/v1/sessions/${session}/tokens`;
      return (await request<{ token: string }>("POST", path, { key, body })).body.token;
    };
    const resumeAs = async (token: string, payload: object) => {
      const resume = [{ interruptId: asked.id, status: "resolved", payload }];
      const ids = { threadId, runId: crypto.randomUUID(), protocolVersion: "1.0" };
      const body = { ...ids, messages: [], resume };
      const path = `/v1/agents/${agent}/ag-ui`;
      return readRun(await openRequest("POST", path, { key: token, body }));
    };

    const reader = await resumeAs(await mint(["read", "reply"]), { approved: true });
    const unproven = await resumeAs(await mint(["read", "reply", "confirm"]), { approved: true });

    expect([reader.status, unproven.status]).toEqual([403, 200]);
    expect(codeOf(unproven)).toBe("input_hash_missing");
  });
});
