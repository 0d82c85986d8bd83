// Tools that end their reply: by the header `reprise-stop: true` of their answer.
import { describe, expect, onTestFinished, test } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Replay } from "../../../protocol/replay/contract.ts";
import { openBackgroundDesk, saidIn } from "../../support/background-desk.ts";
import { BROAD } from "../../support/breadth.ts";
import { startFakeOpenAi } from "../../support/fake-openai.ts";
import { openRequest, readSse, request } from "../../support/platform-client.ts";
import { startToolServer, type ToolRoute } from "../../support/tool-server.ts";
import {
  calls,
  eventsOf,
  openSession,
  say,
  statusOf,
  textOf,
  toolAt,
  type Started,
} from "../replies/ending-desk.ts";

const STOP = { "reprise-stop": "true" };

const stopping =
  (body: string, contentType = "application/json", more: object = {}, status = 200): ToolRoute =>
  (response) => {
    response.writeHead(status, { "content-type": contentType, ...STOP, ...more });
    response.end(body);
  };

async function startTools() {
  const tools = await startToolServer({
    "/close": stopping('{"output": "Closed."}'),
    "/stream": stopping('data: "Clo"\n\ndata: "sed."\n\n', "text/event-stream"),
    "/refused": stopping('{"output": "Refused.", "state": "error"}'),
    "/broken": stopping("Broken.", "text/plain", {}, 500),
    "/other": stopping("Open.", "text/plain", { "reprise-stop": "1" }),
    "/claims": (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"output": "Open.", "metadata": {"stops_reply": true, "page": 1}}');
    },
    "/look": (response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.end("In Bremen.");
    },
  });
  onTestFinished(() => tools.stop());
  return tools;
}

async function openDesk(names: readonly string[], more: object = {}, agent: object = {}) {
  const tools = await startTools();
  const session = await openSession({
    tools: names.map((name) => toolAt(tools, name, { concurrency_safe: true, ...more })),
    ...agent,
  });
  return { ...session, tools };
}

const endOf = (events: readonly LoggedEvent[]) =>
  events.flatMap((event) =>
    event.type === "REPLY_END" ? { reason: event.finished_reason, ...event.metadata } : [],
  );

const stopsOf = (events: readonly LoggedEvent[]) =>
  events.flatMap((event) =>
    event.type === "CUSTOM" && event.name === "request_stop" ? [event.value] : [],
  );

async function framesOf(
  { key, path }: Started,
  format: string,
): Promise<Record<string, unknown>[]> {
  const response = await openRequest("GET", `${path}/events?after=0&format=${format}`, {
    key,
    headers: { accept: "text/event-stream" },
  });
  return (await readSse(response)).map(({ data }) => JSON.parse(data) as Record<string, unknown>);
}

describe("a tool that answers with reprise-stop", () => {
  test("ends the reply behind its result, and the next message is answered as ever", async () => {
    const tools = await startTools();
    const model = await startFakeOpenAi(calls("call_1", "close"), calls("call_2", "look"));
    onTestFinished(() => model.stop());
    const session = await openSession({
      model: { provider: "openai", name: "m", base_url: model.baseUrl },
      tools: [toolAt(tools, "close"), toolAt(tools, "look", { return_direct: true })],
    });
    const reply = await say(session, "Close it.");
    const events = await eventsOf(session);
    const next = await say(session, "Where is it?");

    expect([reply.status, textOf(reply), reply.error]).toEqual(["completed", "", null]);
    const stop = {
      reply_id: reply.id,
      reason: "The tool close has stopped the reply.",
      generateReason: "ACTING_STOP_REQUESTED",
    };
    expect(stopsOf(events)).toEqual([stop]);
    expect(endOf(events)).toEqual([{ reason: "completed", stopped_by: { tool: "close" } }]);
    expect(
      events.flatMap((event) => (event.type === "TOOL_RESULT_END" ? event.metadata : [])),
    ).toEqual([{ stops_reply: true }]);
    expect(events.map(({ type }) => type).slice(-3)).toEqual([
      "TOOL_RESULT_END",
      "CUSTOM",
      "REPLY_END",
    ]);
    expect([next.status, textOf(next), model.requests.length]).toEqual([
      "completed",
      "In Bremen.",
      2,
    ]);
  });

  test("is a stop in each dialect", async () => {
    const desk = await openDesk(["close"]);
    const { id } = await say(desk, "/call close {}\n/say no");
    const java = await framesOf(desk, "agentscope-java");
    const page = await framesOf(desk, "ag-ui");

    expect(java.filter(({ type }) => type === "REQUEST_STOP")).toMatchObject([
      {
        reason: "The tool close has stopped the reply.",
        generateReason: "ACTING_STOP_REQUESTED",
        replyId: id,
      },
    ]);
    const [result] = java.filter(({ type }) => type === "AGENT_RESULT");
    expect(result).toMatchObject({
      result: { metadata: { agentscope_generate_reason: "ACTING_STOP_REQUESTED" } },
    });
    const told = page.filter(({ name }) => name === "request_stop");
    expect(told).toMatchObject([{ value: { generateReason: "ACTING_STOP_REQUESTED" } }]);
    expect(page.at(-1)).toMatchObject({ type: "RUN_FINISHED" });
  });

  test.each([
    { route: "stream", state: "success", title: "as a stream" },
    { route: "refused", state: "error", title: "as an error of its own" },
  ])("stops $title", BROAD, async ({ route, state }) => {
    const desk = await openDesk([route]);
    const reply = await say(desk, `/call ${route} {}\n/say no`);
    const result = reply.message?.content.find(({ type }) => type === "tool_result");

    expect([reply.status, textOf(reply)]).toEqual(["completed", ""]);
    expect(result).toMatchObject({ state });
  });

  test.each([
    { route: "broken", title: "with a status of failure" },
    { route: "other", title: "with another value" },
    { route: "claims", title: "in the metadata alone" },
  ])("stops nothing $title", async ({ route }) => {
    const desk = await openDesk([route]);
    const reply = await say(desk, `/call ${route} {}\n/say The model again.`);
    const events = await eventsOf(desk);

    expect([reply.status, textOf(reply)]).toEqual(["completed", "The model again."]);
    expect([stopsOf(events), endOf(events)]).toEqual([[], [{ reason: "completed" }]]);
    expect(JSON.stringify(events)).not.toContain("stops_reply");
  });
});

describe("the other calls of its turn", () => {
  test("get their results before the reply ends, parallel ones and those behind it", async () => {
    const desk = await openDesk(["close", "look"]);
    const beside = await say(desk, "/call look {}\n/call close {}\n/call look {}\n/say no");
    const second = await openDesk(["close", "look"], { concurrency_safe: false });
    const behind = await say(second, "/call close {}\n/call close {}\n/call look {}\n/say no");
    const statesOf = ({ message }: Reply) =>
      message?.content.flatMap((block) => (block.type === "tool_result" ? block.state : []));

    for (const reply of [beside, behind]) {
      expect([reply.status, textOf(reply)]).toEqual(["completed", ""]);
      expect(statesOf(reply)).toEqual(["success", "success", "success"]);
    }
    expect(stopsOf(await eventsOf(second))).toHaveLength(1);
  });

  test("are waited for where a person has to answer", async () => {
    const label = { type: "external", name: "label", read_only: true };
    const tools = await startTools();
    const desk = await openSession({ tools: [toolAt(tools, "close"), label] });
    const asked = await say(desk, "/call close {}\n/call label {}\n/say no");
    const result = { type: "tool_result", name: "label", output: "Label 4711.", state: "success" };
    const before = await eventsOf({ ...desk });
    await request("POST", `${desk.path}/events`, {
      key: desk.key,
      body: {
        type: "EXTERNAL_EXECUTION_RESULT",
        reply_id: asked.id,
        execution_results: [{ ...result, id: asked.pending[0]?.tool_call.id }],
      },
    });
    await expect.poll(() => statusOf(desk, asked.id)).toBe("completed");
    const events = await eventsOf(desk);

    expect(asked.status).toBe("awaiting_external_result");
    expect([stopsOf(before).length, endOf(before)]).toEqual([1, []]);
    expect(endOf(events)).toEqual([{ reason: "completed", stopped_by: { tool: "close" } }]);
  });
});

describe("what a reply was to end with", () => {
  test("its structured output is left out", async () => {
    const desk = await openDesk(["close"]);
    const structured_schema = { type: "object", properties: { place: { type: "string" } } };
    const script = '/call close {}\n/then\n/structured {"place":"Bremen"}';
    const reply = await say(desk, script, { structured_schema });

    expect([reply.status, reply.message?.structured_output ?? null, textOf(reply)]).toEqual([
      "completed",
      null,
      "",
    ]);
  });

  test("a result that is the answer still is it", async () => {
    const desk = await openDesk(["close"], { return_direct: true });
    const reply = await say(desk, "/call close {}\n/say no");
    const [end] = endOf(await eventsOf(desk));

    expect([reply.status, textOf(reply)]).toEqual(["completed", "Closed."]);
    expect(end).toMatchObject({
      return_direct: [expect.any(String)],
      stopped_by: { tool: "close" },
    });
  });

  test("hooks behind the reply are asked", async () => {
    const server = await startToolServer({
      "/hook": (response) => response.writeHead(204).end(),
    });
    onTestFinished(() => server.stop());
    const hooks = [{ type: "http", name: "last", point: "post_reply", url: `${server.url}/hook` }];
    const desk = await openDesk(["close"], {}, { hooks });
    await say(desk, "/call close {}\n/say no");

    expect(server.calls("/hook")).toBe(1);
  });
});

test("a replay of the reply ends where it has ended", async () => {
  const desk = await openDesk(["close"]);
  const { key, agent, path } = desk;
  await say(desk, "/call close {}\n/say no");
  const session_id = path.split("/").at(-1);
  const { body } = await request<Replay>("POST", `/v1/agents/${agent}/replays`, {
    key,
    body: { session_id },
  });

  expect(body.stopped).toBe(null);
  const [reply] = body.replies;
  expect(reply?.calls).toMatchObject([{ change: "same" }]);
  expect(reply?.replayed).toMatchObject({ text: "", model_calls: 1 });
  expect(desk.tools.calls("/close")).toBe(1);
});

describe("a call that works in the background", () => {
  test("stops its reply by an answer in time, and nothing once it was let go", BROAD, async () => {
    const inTime = await openBackgroundDesk({ background_after_ms: 500_000 });
    const said = inTime.say("/call report {}\n/say no");
    await inTime.server.answer(0, { output: "done" }, 200, STOP);
    const late = await openBackgroundDesk();
    const first = await late.say("/call report {}\n/say It is on its way.");
    const { task_id = "" } = await late.server.sent(0);
    await late.server.answer(0, { output: "/say Here it is." }, 200, STOP);

    expect([saidIn(await said), saidIn(first)]).toEqual(["", "It is on its way."]);
    expect(saidIn(await late.woken(task_id))).toBe("Here it is.");
  });

  test("stops nothing by a result that is posted", BROAD, async () => {
    const desk = await openBackgroundDesk({ background_after_ms: 500_000 });
    const said = desk.say("/call report {}\n/say It is there.");
    const { callback_url } = await desk.server.sent(0);
    const headers = { "content-type": "application/json", ...STOP };
    const body = JSON.stringify({ output: "posted" });
    const posted = await fetch(callback_url ?? "", { method: "POST", headers, body });

    expect([posted.status, saidIn(await said)]).toEqual([200, "It is there."]);
  });
});
