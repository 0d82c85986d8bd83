// The real client of AG-UI: calls that wait for somebody, and everything that can be said to them.
import { describe, expect, it } from "vitest";

import { expectNoWarnings } from "../../sdk/ag-ui-stage.ts";
import { inCallOrder } from "../../support/ag-ui-client.ts";
import { request } from "../../support/platform-client.ts";
import { clientSayings, openThreadDesk, storedSayings } from "./thread-desk.ts";
import { releasedClient } from "./released-clients.ts";
import { readFrames, type Resume, type WatchedAgent } from "./watched-agent.ts";

expectNoWarnings();

const released = releasedClient();
const desk = await openThreadDesk();

const REFUND = '/call refund_order {"order_id":"A-1001","amount":"38.00 EUR"}\n/say Done.';
const TWO = [
  '/call refund_order {"order_id":"A-1001"}',
  '/call print_label {"order_id":"A-1001"}',
  "/say Both.",
].join("\n");
const SUCCESS = { type: "RUN_FINISHED", outcome: { type: "success" } };

async function ask(script = REFUND): Promise<WatchedAgent> {
  const client = desk.client();
  const { end } = await client.say(script);
  expect(end).toMatchObject({ outcome: { type: "interrupt" } });
  return client;
}

/** Codes of a run that is refused in its stream. */
async function refusal(client: WatchedAgent, resume: Resume): Promise<unknown> {
  const codes: unknown[] = [];
  const { types, end } = await client.run(
    { resume },
    { onRunErrorEvent: ({ event }) => void codes.push(event.code) },
  );
  expect([types, codes]).toEqual([["RUN_STARTED", "RUN_ERROR"], [end["code"]]]);
  return end["code"];
}

function resumed(client: WatchedAgent, payload: unknown): Resume {
  return client.agent.pendingInterrupts.map(({ id }) => {
    return { interruptId: id, status: "resolved", payload };
  });
}

function cancelled(client: WatchedAgent): Resume {
  return client.agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: "cancelled" }));
}

/** The arguments and the result of the thread's refund. */
async function refundOf(client: WatchedAgent): Promise<unknown> {
  const stored = await storedSayings(desk.key, client.sessionId);
  const call = stored.find(([kind, , name]) => kind === "call" && name === "refund_order");
  const result = stored.find(([kind, id]) => kind === "tool" && id === call?.[1]);
  return [JSON.parse(call?.[3] ?? "null"), result?.[2]];
}

async function expectStored(client: WatchedAgent): Promise<void> {
  const { agent, sessionId } = client;
  expect(clientSayings(agent.messages)).toEqual(await storedSayings(desk.key, sessionId));
  const joined = await desk.join(agent.threadId);
  expect(inCallOrder(joined.messages)).toEqual(inCallOrder(agent.messages));
}

function confirmAll(client: WatchedAgent, confirmed: boolean) {
  return {
    type: "USER_CONFIRM_RESULT",
    confirm_results: client.agent.pendingInterrupts.map(({ toolCallId: id }) => {
      return { confirmed, tool_call: { id } };
    }),
  };
}

describe("a run that is asked about", () => {
  it("C8: ends with an interrupt, and goes no further until that is answered", async () => {
    const client = desk.client();
    const { types, end } = await client.say(REFUND);
    const { agent } = client;
    const [interrupt] = agent.pendingInterrupts;

    const locally = client.say("And now?");
    await expect(locally).rejects.toThrow(interrupt?.id);
    const posted = await desk.post({
      threadId: agent.threadId,
      runId: "past the client",
      messages: agent.messages,
    });

    // In 0.0 the run's own frames have been enough.
    const before = released.profile === "1.0" ? "MESSAGES_SNAPSHOT" : "STEP_FINISHED";
    expect(types.slice(-2)).toEqual([before, "RUN_FINISHED"]);
    expect(end).toMatchObject({ outcome: { type: "interrupt", interrupts: [interrupt] } });
    expect(interrupt).toMatchObject({ reason: "tool_call", message: expect.any(String) });
    expect(interrupt?.responseSchema).toMatchObject({
      properties: { approved: { type: "boolean" }, editedArgs: { type: "object" } },
    });
    expect(posted.status).toBe(200);
    const frames = readFrames(await posted.text());
    expect(frames.map(({ event }) => [event.type, event["code"]])).toEqual([
      ["RUN_STARTED", undefined],
      ["RUN_ERROR", "interrupts_open"],
    ]);
  });

  it("C9: goes on when it is approved", async () => {
    const client = await ask();

    const run = await client.answerAll({ approved: true });

    expect(run.types).not.toContain("TOOL_CALL_START");
    expect(run.types).toContain("TOOL_CALL_RESULT");
    expect(run.end).toMatchObject(SUCCESS);
    expect(client.agent.pendingInterrupts).toEqual([]);
    expect(client.agent.messages.at(-1)).toMatchObject({ content: "Done." });
    await expectStored(client);
  });

  it.each([
    ["denied", (client: WatchedAgent) => resumed(client, { approved: false })],
    ["cancelled", cancelled],
  ])("C9: goes on without the call when that is %s", async (_, answerOf) => {
    const client = await ask();

    const run = await client.run({ resume: answerOf(client) });

    const result = run.frames.find(({ event }) => event.type === "TOOL_CALL_RESULT");
    expect(result?.event["metadata"]).toEqual({ agentscope: { state: "denied" } });
    expect(run.end).toMatchObject(SUCCESS);
    await expectStored(client);
  });

  it("C9: runs the call with the arguments that a person has put in", async () => {
    const client = await ask();
    const editedArgs = { order_id: "A-1001", amount: "19.00 EUR" };

    const run = await client.answerAll({ approved: true, editedArgs });

    expect(run.end).toMatchObject(SUCCESS);
    expect(await refundOf(client)).toEqual([editedArgs, expect.stringContaining("19.00 EUR")]);
    await expectStored(client);
  });

  it("C9: asks no more for what a remembered rule allows", async () => {
    const client = await ask();
    const [interrupt] = client.agent.pendingInterrupts;
    const { suggestedRules } = interrupt!.metadata!["agentscope"] as { suggestedRules: object[] };
    await client.answerAll({ approved: true, rules: suggestedRules });

    const again = await client.say(REFUND);

    expect(suggestedRules.length).toBeGreaterThan(0);
    expect(again.end).toMatchObject(SUCCESS);
    await expectStored(client);
  });

  it("C9: is refused an answer to a part of it, to nobody, or in a wrong form, and goes on after it", async () => {
    const client = await ask(TWO);
    const [first, second] = client.agent.pendingInterrupts;
    const yes = { status: "resolved", payload: { approved: true } } as const;
    const label = { interruptId: second?.id ?? "", status: "resolved", payload: "X" } as const;
    const post = async (resume: object[]) => {
      const { threadId, messages } = client.agent;
      const body = { threadId, runId: crypto.randomUUID(), messages, resume };
      return readFrames(await (await desk.post(body)).text()).at(-1)?.event["code"];
    };

    const codes = [
      // The client itself would not send what does not answer all.
      await post([{ interruptId: first?.id, ...yes }]),
      await post([{ interruptId: "nobody", ...yes }]),
      await refusal(client, [
        { interruptId: first?.id ?? "", ...yes },
        label,
        { interruptId: "nobody", ...yes },
      ]),
      await refusal(client, [
        { interruptId: first?.id ?? "", status: "resolved", payload: { approved: "yes" } },
        label,
      ]),
    ];
    const open = client.agent.pendingInterrupts.map(({ id }) => id);
    const run = await client.run({ resume: [{ interruptId: first?.id ?? "", ...yes }, label] });

    expect(codes).toEqual([
      "interrupts_open",
      "interrupt_unknown",
      "interrupt_unknown",
      "resume_invalid",
    ]);
    expect(open).toEqual([first?.id, second?.id]);
    expect(run.end).toMatchObject(SUCCESS);
    await expectStored(client);
  });

  it("C9: shows what came of it when it is answered again, and refuses another answer", async () => {
    const client = await ask();
    const { threadId, messages } = client.agent;
    const yes = resumed(client, { approved: true });
    const no = resumed(client, { approved: false });
    const forgetful = desk.client({ threadId, initialMessages: structuredClone(messages) });
    const first = await client.run({ resume: yes });

    const again = await forgetful.run({ resume: yes });
    const other = await refusal(forgetful, no);

    const nameless = ({ frames }: typeof first) =>
      frames.map(({ id, event: { runId: _, ...event } }) => ({ id, event }));
    expect(nameless(again)).toEqual(nameless(first));
    expect(forgetful.agent.messages).toEqual(client.agent.messages);
    expect(other).toBe("confirmation_used");
    expect(forgetful.agent.messages).toEqual(client.agent.messages);
  });

  it("C9: is answered under the id of the run that asked, and each of its parts is shown again", async () => {
    const client = desk.client();
    const runId = crypto.randomUUID();
    const asked = await client.say(REFUND, { runId });
    const before = structuredClone(client.agent.messages);
    const resume = resumed(client, { approved: true });

    const answered = await client.run({ runId, resume });
    const { threadId } = client.agent;
    const forgetful = desk.client({ threadId, initialMessages: structuredClone(before) });
    const again = await forgetful.run({ runId, resume });
    const newcomer = desk.client({ threadId, initialMessages: before.slice(0, 1) });
    const first = await newcomer.run({ runId });

    expect(answered.end).toMatchObject(SUCCESS);
    expect(again.frames).toEqual(answered.frames);
    expect(first.frames).toEqual(asked.frames);
    expect(newcomer.agent.pendingInterrupts).toHaveLength(1);
    await expectStored(client);
    await expectStored(forgetful);
  });

  it("C9: is not answered by another tab's run under the same id in other words", async () => {
    const client = desk.client();
    const runId = crypto.randomUUID();
    await client.say(REFUND, { runId });
    const { threadId, messages } = client.agent;
    const other = desk.client({ threadId, initialMessages: structuredClone(messages) });
    const resume = resumed(client, { approved: true });
    await client.run({ runId, resume });

    const { end } = await other.run({
      runId,
      resume: resume.map((entry) => ({ ...entry, payload: { approved: false } })),
    });

    expect(end).toMatchObject({ type: "RUN_ERROR", code: "confirmation_used" });
  });

  it("C11: two wait at once, and one array answers both", async () => {
    const client = await ask(TWO);
    const open = client.agent.pendingInterrupts;
    const resume = released.buildResumeArray(open, {
      [open[0]?.id ?? ""]: { status: "resolved", payload: { approved: true } },
      [open[1]?.id ?? ""]: { status: "resolved", payload: { output: "RETURN-1001" } },
    });

    const run = await client.run({ resume });

    expect(open.map(({ reason }) => reason)).toEqual([
      "tool_call",
      "agentscope:external_execution",
    ]);
    const results = run.frames.filter(({ event }) => event.type === "TOOL_CALL_RESULT");
    expect(results.map(({ event }) => event["toolCallId"]).toSorted()).toEqual(
      open.map(({ toolCallId }) => toolCallId).toSorted(),
    );
    expect(run.end).toMatchObject(SUCCESS);
    await expectStored(client);
  });

  it("C11: asked about one after the other, each is a run's end", async () => {
    const client = await ask(`${REFUND}\n/call refund_order {"order_id":"A-1002"}\n/say All.`);
    const [first] = client.agent.pendingInterrupts;

    const second = await client.answerAll({ approved: true });
    const [next] = client.agent.pendingInterrupts;
    const last = await client.answerAll({ approved: false });

    expect(second.end).toMatchObject({ outcome: { type: "interrupt" } });
    expect(next?.id).not.toBe(first?.id);
    expect(last.end).toMatchObject(SUCCESS);
    await expectStored(client);
  });
});

describe("a question that somebody else has answered", () => {
  it.each([
    ["approved", true],
    ["denied", false],
  ])("C9: in the same words (%s) is answered by what came of it", async (_, approved) => {
    const client = await ask();
    await desk.answerElsewhere(client.sessionId, confirmAll(client, approved));

    const run = await client.answerAll({ approved });

    expect(run.end).toMatchObject(SUCCESS);
    expect(client.agent.pendingInterrupts).toEqual([]);
    await expectStored(client);
    const { body } = await request<{ data: object[] }>(
      "GET",
      `/v1/sessions/${client.sessionId}/replies`,
      { key: desk.key },
    );
    expect(body.data).toHaveLength(1);
  });

  it("C9: otherwise is told so, and the client can give its own answer up", async () => {
    const client = await ask();
    await desk.answerElsewhere(client.sessionId, confirmAll(client, false));

    const code = await refusal(client, resumed(client, { approved: true }));
    const stillOpen = client.agent.pendingInterrupts.length;
    const run = await client.run({ resume: cancelled(client) });

    expect([code, stillOpen]).toEqual(["confirmation_used", 1]);
    expect(run.end).toMatchObject(SUCCESS);
    await expectStored(client);
  });

  it("C9: a result that is there already is not taken again, and another one is refused", async () => {
    const client = await ask("/call print_label {}\n/say Printed.");
    const [interrupt] = client.agent.pendingInterrupts;
    await desk.answerElsewhere(client.sessionId, {
      type: "EXTERNAL_EXECUTION_RESULT",
      execution_results: [{ id: interrupt?.toolCallId, output: "RETURN-1" }],
    });

    const code = await refusal(client, resumed(client, "RETURN-2"));
    const run = await client.answerAll("RETURN-1");

    expect(code).toBe("call_not_pending");
    expect(run.end).toMatchObject(SUCCESS);
    await expectStored(client);
  });

  it("C9: and the client goes on talking when it has heard of it", async () => {
    const client = await ask();
    await desk.answerElsewhere(client.sessionId, confirmAll(client, true));
    await client.answerAll({ approved: true });

    const run = await client.say("/say More.");

    expect(run.end).toMatchObject(SUCCESS);
    expect(client.agent.messages.at(-1)).toMatchObject({ content: "More." });
    await expectStored(client);
  });
});
