// The real client of AG-UI: tools of the agent's, and tools of the page's own.
import { describe, expect, it } from "vitest";

import { expectNoWarnings } from "../../sdk/ag-ui-stage.ts";
import { inCallOrder } from "../../support/ag-ui-client.ts";
import { request } from "../../support/platform-client.ts";
import { clientSayings, openThreadDesk, storedSayings } from "./thread-desk.ts";
import { owing } from "./released-clients.ts";
import type { ClientTool, WatchedAgent, WatchedRun } from "./watched-agent.ts";

expectNoWarnings();

const desk = await openThreadDesk();

const OPEN_PAGE: ClientTool = {
  name: "open_page",
  description: "Opens a page of the shop.",
  parameters: { type: "object", properties: { page: { type: "string" } } },
};
const TOOLS = [OPEN_PAGE];
const PAGE_AND_REFUND = '/call open_page {}\n/call refund_order {"order_id":"A-1001"}\n/say Done.';

function result(toolCallId = "", content = "It is open.", id = `result of ${toolCallId}`) {
  return { id, role: "tool" as const, toolCallId, content };
}

function callsOf({ agent }: WatchedAgent) {
  return agent.messages.flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []) : [],
  );
}

function idsOf({ frames }: WatchedRun, type: string, field: string): unknown[] {
  return frames.flatMap(({ event }) => (event.type === type ? [event[field]] : []));
}

/** The client holds the thread as it is stored, and as everybody sees it who joins. */
async function expectStored({ agent, sessionId }: WatchedAgent): Promise<void> {
  expect(clientSayings(agent.messages)).toEqual(await storedSayings(desk.key, sessionId));
  const joined = await desk.join(agent.threadId);
  const comparable = (messages: typeof joined.messages) =>
    inCallOrder(messages.map(({ id, role, ...message }) => ({ id, role, ...message })));
  expect(comparable(joined.messages)).toEqual(comparable(agent.messages));
}

async function repliesOf({ sessionId }: WatchedAgent): Promise<readonly string[]> {
  const { body } = await request<{ data: { status: string }[] }>(
    "GET",
    `/v1/sessions/${sessionId}/replies`,
    { key: desk.key },
  );
  return body.data.map(({ status }) => status).toReversed();
}

describe("tools of the agent's", () => {
  it("C6: every call begins, ends and gets its result once, under ids that differ", async () => {
    const client = desk.client();
    const call = (id: string) => `/call lookup_order {"order_id":"${id}"}`;

    const run = await client.say(
      [call("A-1001"), call("A-1002"), "/say And now:", call("A-1003"), "/say Done."].join("\n"),
    );

    const started = idsOf(run, "TOOL_CALL_START", "toolCallId");
    const results = idsOf(run, "TOOL_CALL_RESULT", "toolCallId");
    expect(started).toHaveLength(3);
    expect(idsOf(run, "TOOL_CALL_END", "toolCallId").toSorted()).toEqual(started.toSorted());
    expect(results.toSorted()).toEqual(started.toSorted());
    for (const id of started) {
      const types = run.frames.flatMap(({ event }) =>
        event["toolCallId"] === id ? [event.type] : [],
      );
      expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
      ]);
    }
    const ids = client.agent.messages.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(client.agent.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "assistant",
      "tool",
      "assistant",
    ]);
    expect(callsOf(client).map(({ function: { arguments: input } }) => JSON.parse(input))).toEqual([
      { order_id: "A-1001" },
      { order_id: "A-1002" },
      { order_id: "A-1003" },
    ]);
    await expectStored(client);
  });

  it("C6: a call that fails has its result too, and says so", async () => {
    const client = desk.client();

    const run = await client.say("/call nowhere {}\n/call lookup_order ]]\n/say Sorry.");

    const states = run.frames.flatMap(({ event }) =>
      event.type === "TOOL_CALL_RESULT" ? [event["metadata"]] : [],
    );
    expect(states).toEqual([
      { agentscope: { state: "error" } },
      { agentscope: { state: "error" } },
    ]);
    await expectStored(client);
  });
});

describe("tools of the page's own", () => {
  it("C10: a call waits for the page, and its result goes on with the reply", async () => {
    const client = desk.client();
    const asked = await client.say('/call open_page {"page":"returns"}\n/say There you are.', {
      tools: TOOLS,
    });
    const [call] = callsOf(client);
    client.agent.addMessage(result(call?.id));

    const answered = await client.run({ tools: TOOLS });

    expect(call?.function).toEqual({ name: "open_page", arguments: '{"page":"returns"}' });
    expect(asked.end).toMatchObject({
      type: "RUN_FINISHED",
      outcome: owing(call?.id),
    });
    expect(asked.pendingToolCallIds).toEqual([call?.id]);
    expect(idsOf(asked, "TOOL_CALL_RESULT", "toolCallId")).toEqual([]);
    expect(answered.types).not.toContain("TOOL_CALL_START");
    expect(answered.end).toMatchObject({ outcome: { type: "success" } });
    expect(answered.pendingToolCallIds).toEqual([]);
    expect(client.agent.messages.map(({ role, content }) => [role, content])).toEqual([
      ["user", '/call open_page {"page":"returns"}\n/say There you are.'],
      ["assistant", undefined],
      ["tool", "It is open."],
      ["assistant", "There you are."],
    ]);
    await expectStored(client);
    expect(await repliesOf(client)).toEqual(["completed"]);
  });

  it("C10: several calls are answered one after the other, or an error among them", async () => {
    const client = desk.client();
    const asked = await client.say("/call open_page {}\n/call open_page {}\n/say Both.", {
      tools: TOOLS,
    });
    const [one = "", other = ""] = asked.pendingToolCallIds;
    client.agent.addMessage(result(one));

    const half = await client.run({ tools: TOOLS });
    client.agent.addMessage({ ...result(other, ""), error: "The page is gone." });
    const whole = await client.run({ tools: TOOLS });

    expect(half.end).toMatchObject({ outcome: owing(other) });
    expect(half.types).toEqual(["RUN_STARTED", "CUSTOM", "RUN_FINISHED"]);
    expect(whole.end).toMatchObject({ outcome: { type: "success" } });
    expect(client.agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Both." });
    const stored = await storedSayings(desk.key, client.sessionId);
    expect(stored.filter(([kind]) => kind === "tool")).toEqual([
      ["tool", one, "It is open."],
      ["tool", other, "The page is gone."],
    ]);
  });

  it("C10: beside a call of the agent's, the page's alone is left to it", async () => {
    const client = desk.client();
    const asked = await client.say(
      '/call lookup_order {"order_id":"A-1001"}\n/call open_page {}\n/say Done.',
      { tools: TOOLS },
    );
    const [looked, opened] = callsOf(client);
    client.agent.addMessage(result(opened?.id));

    await client.run({ tools: TOOLS });

    expect(asked.pendingToolCallIds).toEqual([opened?.id]);
    expect(idsOf(asked, "TOOL_CALL_RESULT", "toolCallId")).toEqual([looked?.id]);
    await expectStored(client);
  });

  it("C10: a user who goes on talking leaves the call, and is answered", async () => {
    const client = desk.client();
    await client.say("/call open_page {}\n/say Never said.", { tools: TOOLS });

    const run = await client.say("/say Something else.", { tools: TOOLS });

    expect(run.end).toMatchObject({ outcome: { type: "success" } });
    expect(client.agent.messages.at(-1)).toMatchObject({ content: "Something else." });
    expect(await repliesOf(client)).toEqual(["interrupted", "completed"]);
    const { messages } = await desk.join(client.agent.threadId);
    expect(messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "user",
      "assistant",
    ]);
  });

  it("C10: a result that comes as a message and as an answer is one result", async () => {
    const client = desk.client();
    const asked = await client.say("/call open_page {}\n/say Done.", { tools: TOOLS });
    const [toolCallId = ""] = asked.pendingToolCallIds;
    client.agent.addMessage(result(toolCallId, "It is open."));
    const interruptId = `${client.replyId}:${toolCallId}`;
    const resume = [{ interruptId, status: "resolved" as const, payload: "It is open." }];

    const answered = await client.run({ tools: TOOLS, resume });

    expect(answered.end).toMatchObject({ outcome: { type: "success" } });
    const stored = await storedSayings(desk.key, client.sessionId);
    expect(stored.filter(([kind]) => kind === "tool")).toEqual([
      ["tool", toolCallId, "It is open."],
    ]);
    await client.say("/say More.");
    await expectStored(client);
    expect(await repliesOf(client)).toEqual(["completed", "completed"]);
  });

  it("C10: beside a question it is an interrupt too, and sent twice it is one result", async () => {
    const client = desk.client();
    const asked = await client.say(PAGE_AND_REFUND, {
      tools: TOOLS,
    });
    const page = callsOf(client).find(({ function: { name } }) => name === "open_page");
    client.agent.addMessage(result(page?.id, "By message."));
    const resume = client.agent.pendingInterrupts.map(({ id, toolCallId }) => {
      const payload = toolCallId === page?.id ? "By answer." : { approved: false };
      return { interruptId: id, status: "resolved" as const, payload };
    });

    const answered = await client.run({ tools: TOOLS, resume });

    expect(asked.end).toMatchObject({ outcome: { type: "interrupt" } });
    expect(resume).toHaveLength(2);
    expect(answered.end).toMatchObject({ outcome: { type: "success" } });
    const stored = await storedSayings(desk.key, client.sessionId);
    expect(stored.filter(([, id]) => id === page?.id)).toEqual([
      ["call", page?.id, "open_page", "{}"],
      ["tool", page?.id, "By answer."],
    ]);
    expect(client.agent.messages.filter(({ role }) => role === "tool")).toHaveLength(2);
    await client.say("/say More.");
    await expectStored(client);
  });

  it("C10: a name that the agent's own tools have is refused before the run", async () => {
    const client = desk.client();
    client.agent.addMessage({ id: "hi", role: "user", content: "/say Hi." });
    const seen: string[] = [];

    const refused = client.agent.runAgent(
      { tools: [{ ...OPEN_PAGE, name: "lookup_order" }] },
      { onEvent: ({ event }) => void seen.push(event.type) },
    );

    await expect(refused).rejects.toMatchObject({
      status: 400,
      payload: expect.stringContaining("#/tools/0/name"),
    });
    expect(seen).toEqual([]);
  });
});
