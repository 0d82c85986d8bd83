// The protocol's own client reads the log of the running platform.
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { toAgUiMessages } from "../../../protocol/dialects/ag-ui/wire/messages.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { agUiBody, inCallOrder, playAgUi } from "../../support/ag-ui-client.ts";
import { BROAD } from "../../support/breadth.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  request,
} from "../../support/platform-client.ts";
import { answer, startToolServer, type ToolServer } from "../../support/tool-server.ts";

let tools: ToolServer;
let key: string;

beforeAll(async () => {
  ({ key } = await createTenant());
  tools = await startToolServer({ "/text": answer(JSON.stringify({ output: "of a tool" })) });
});

afterAll(async () => {
  await tools.stop();
});

interface AgUiFrame {
  readonly id: string;
  readonly event: { readonly type: string } & Readonly<Record<string, unknown>>;
}

function toolDefinition(name: string, overrides: object = {}): object {
  const flags = { read_only: true, concurrency_safe: true };
  return { type: "http", name, url: `${tools.url}/text`, ...flags, ...overrides };
}

async function openSession(overrides: object = {}): Promise<string> {
  const guarded = { read_only: false, concurrency_safe: false };
  const definitions = [
    toolDefinition("text"),
    toolDefinition("dangerous", guarded),
    { type: "external", name: "print_label", input_schema: { type: "object" }, read_only: true },
  ];
  return createSession(key, await createAgent(key, { tools: definitions, ...overrides }));
}

async function say(session: string, input: string): Promise<void> {
  const { status } = await request("POST", `/v1/sessions/${session}/replies`, {
    key,
    body: { input },
  });
  expect(status).toBe(200);
}

/** @param query Behind the format. */
async function read(session: string, query = "", lastEventId?: string): Promise<AgUiFrame[]> {
  const response = await openRequest("GET", `/v1/sessions/${session}/events?format=ag-ui${query}`, {
    key,
    headers: {
      accept: "text/event-stream",
      ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
    },
  });
  expect([200, 204]).toContain(response.status);
  const text = await response.text();
  expect(text).not.toContain("\r");
  return text.split("\n\n").flatMap((frame): AgUiFrame[] => {
    const [, id, type, data] = /^id: (.+)\nevent: (.+)\ndata: (.+)$/.exec(frame) ?? [];
    if (id === undefined || data === undefined) return [];
    const event = JSON.parse(data) as AgUiFrame["event"];
    expect(event.type).toBe(type);
    return [{ id, event }];
  });
}

async function storedMessages(session: string): Promise<readonly unknown[]> {
  const { body } = await request<{ data: Msg[] }>("GET", `/v1/sessions/${session}/messages`, {
    key,
  });
  return inCallOrder(body.data.flatMap((message) => toAgUiMessages(message)));
}

/**
 * The client's messages of all frames are those that the platform has stored; so are those of every cut that is
 * resumed.
 */
async function expectFaithful(session: string): Promise<AgUiFrame[]> {
  const frames = await read(session, "&after=0");
  const whole = await playAgUi(agUiBody(frames.map(({ event }) => event)));
  expect(whole.warnings).toEqual([]);
  expect(inCallOrder(whole.messages)).toEqual(await storedMessages(session));

  const joined = await read(session);
  const fresh = await playAgUi(agUiBody(joined.map(({ event }) => event)));
  expect({ ...fresh, messages: inCallOrder(fresh.messages) }).toEqual({
    ...whole,
    messages: inCallOrder(whole.messages),
  });

  for (const [index, { id }] of frames.entries()) {
    expect(await read(session, "", id)).toEqual(frames.slice(index + 1));
  }
  return frames;
}

function typesOf(frames: readonly AgUiFrame[]): string[] {
  const types = frames.map(({ event }) => event.type);
  return types.filter((type, index) => type !== types[index - 1]);
}

describe("a client of AG-UI", () => {
  it("reads a reply of thoughts and text", async () => {
    const session = await openSession();
    await say(session, "/think Hm.\n/say Hello, wörld 👋");
    const frames = await expectFaithful(session);
    expect(typesOf(frames)).toEqual([
      "RUN_STARTED",
      "STEP_STARTED",
      "REASONING_START",
      "REASONING_MESSAGE_START",
      "REASONING_MESSAGE_CONTENT",
      "REASONING_MESSAGE_END",
      "REASONING_END",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "STEP_FINISHED",
      "RUN_FINISHED",
    ]);
  });

  it("reads parallel calls, and a second reply behind the first", BROAD, async () => {
    const session = await openSession();
    await say(session, '/call text {"q":1}\n/call text {"q":2}\n/say Done.');
    await say(session, "/say More.");
    const frames = await expectFaithful(session);
    expect(frames.filter(({ event }) => event.type === "TOOL_CALL_RESULT")).toHaveLength(2);
    expect(frames.filter(({ event }) => event.type === "RUN_FINISHED")).toHaveLength(2);
  });

  it(
    "reads a result that is the answer, a summary, and what is said about an interrupt",
    BROAD,
    async () => {
      const direct = [toolDefinition("text", { return_direct: true })];
      const answered = await openSession({ tools: direct });
      await say(answered, '/call text {"q":1}\n/say no');
      const summarised = await openSession({ max_iters: 1, on_max_iters: "summarize" });
      await say(summarised, '/call text {"q":1}\n/say I asked once.');
      const interrupted = await openSession({ on_interrupt: { type: "model" } });
      await request("POST", `/v1/sessions/${interrupted}/replies`, {
        key,
        body: { input: "/call print_label {}\n/say I have stopped." },
      });
      await request("POST", `/v1/sessions/${interrupted}/interrupt`, { key });

      const texts = [];
      for (const session of [answered, summarised, interrupted]) {
        const frames = await read(session, "&after=0");
        if (session !== summarised) await expectFaithful(session);
        const said = frames.map(({ event }) =>
          event.type === "TEXT_MESSAGE_CONTENT" ? event["delta"] : "",
        );
        texts.push([said.join(""), frames.at(-1)?.event.type]);
      }
      expect(texts).toEqual([
        ["of a tool", "RUN_FINISHED"],
        ["I asked once.", "RUN_ERROR"],
        ["I have stopped.", "RUN_FINISHED"],
      ]);
    },
  );

  it("gets the calls that wait as interrupts, and goes on when they are answered", async () => {
    const session = await openSession();
    await say(session, '/call dangerous {"q":1}\n/call print_label {}\n/say Done.');
    const asked = await expectFaithful(session);
    const [first] = await pendingCalls(session);
    const { pendingInterrupts } = await playAgUi(agUiBody(asked.map(({ event }) => event)));
    expect(pendingInterrupts).toMatchObject([
      { toolCallId: first?.tool_call.id, reason: "tool_call" },
    ]);

    await postEvent(session, {
      type: "USER_CONFIRM_RESULT",
      confirm_results: [{ confirmed: true, tool_call: { id: first?.tool_call.id } }],
    });
    const [second] = await pendingCalls(session);
    const outside = await expectFaithful(session);
    expect(outside.slice(0, asked.length)).toEqual(asked);
    expect(outside.at(-1)?.event).toMatchObject({
      type: "RUN_FINISHED",
      outcome: {
        type: "interrupt",
        interrupts: [{ toolCallId: second?.tool_call.id, reason: "agentscope:external_execution" }],
      },
    });

    await postEvent(session, {
      type: "EXTERNAL_EXECUTION_RESULT",
      execution_results: [{ id: second?.tool_call.id, output: "printed" }],
    });
    const ended = await expectFaithful(session);
    expect(ended.slice(0, outside.length)).toEqual(outside);
    expect(ended.at(-1)?.event).toMatchObject({
      type: "RUN_FINISHED",
      outcome: { type: "success" },
    });
  });

  it("reads an interrupted reply as cancelled", BROAD, async () => {
    const session = await openSession();
    const { body } = await request<{ cursor: number }>("POST", `/v1/sessions/${session}/replies`, {
      key,
      body: { input: "/rate 50\n/words 20000", background: true },
    });
    expect(body.cursor).toBeGreaterThan(0);
    await request("POST", `/v1/sessions/${session}/interrupt`, { key });
    const frames = await expectFaithful(session);
    expect(frames.at(-1)?.event).toMatchObject({ outcome: { type: "cancelled" } });
  });

  it("reads a parked reply that is interrupted as cancelled", BROAD, async () => {
    const session = await openSession();
    await say(session, "/call dangerous {}\n/call print_label {}");
    await request("POST", `/v1/sessions/${session}/interrupt`, { key });
    const frames = await expectFaithful(session);
    expect(frames.map(({ event }) => event["outcome"]).filter(Boolean)).toMatchObject([
      { type: "interrupt" },
      { type: "cancelled" },
    ]);
  });

  it.each([
    ["a failed reply", "/say Half a senten\n/fail setup", {}, "setup"],
    ["a reply at its limit", '/call text {"q":1}\n/loop', { max_iters: 2 }, "exceed_max_iters"],
  ])("reads %s as an error with a code", async (_name, input, overrides, code) => {
    const session = await openSession(overrides);
    await say(session, input);
    const frames = await expectFaithful(session);
    expect(frames.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code });
  });

  it("loses what the model had said before it broke off", BROAD, async () => {
    const session = await openSession();
    await say(session, "/say First of all.");
    await say(session, "/say Half a senten\n/fail upstream");
    const frames = await expectFaithful(session);
    expect(typesOf(frames)).toContain("MESSAGES_SNAPSHOT");
  });

  it("joins a reply that runs", BROAD, async () => {
    const session = await openSession();
    await say(session, "/say Before.");
    await request("POST", `/v1/sessions/${session}/replies`, {
      key,
      body: { input: "/rate 200\n/words 100", background: true },
    });
    const frames = await read(session);
    const { messages, warnings } = await playAgUi(agUiBody(frames.map(({ event }) => event)));
    expect(warnings).toEqual([]);
    expect(messages).toEqual(await storedMessages(session));
    expect(frames.at(-1)?.event).toMatchObject({ outcome: { type: "success" } });
  });

  it("joins a fork that has not answered yet", BROAD, async () => {
    const session = await openSession();
    await say(session, '/think Hm.\n/call text {"q":1}\n/say Before.');
    const { body } = await request<{ id: string }>("POST", `/v1/sessions/${session}/fork`, {
      key,
      body: {},
    });
    const frames = await read(body.id);
    const { messages, warnings } = await playAgUi(agUiBody(frames.map(({ event }) => event)));
    expect(warnings).toEqual([]);
    expect(messages).toEqual(await storedMessages(body.id));
    expect(messages).toHaveLength(5);
    await say(body.id, "/say More.");
    await expectFaithful(body.id);
  });

  it("goes on at the exact frame while the reply runs", async () => {
    const session = await openSession();
    const { body } = await request<{ id: string }>("POST", `/v1/sessions/${session}/replies`, {
      key,
      body: { input: "/rate 100\n/words 60", background: true },
    });
    const path = `/v1/sessions/${session}/events?format=ag-ui&reply_id=${body.id}&after=0`;
    const response = await openRequest("GET", path, {
      key,
      headers: { accept: "text/event-stream" },
    });
    const seen: string[] = [];
    for await (const text of response.body!.pipeThrough(new TextDecoderStream())) {
      seen.push(...[...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id!));
      if (seen.length > 6) break;
    }
    // As many as there are when each comes alone.
    const before = seen.slice(0, 7);
    const after = await read(session, `&reply_id=${body.id}`, before.at(-1));
    const whole = await read(session, `&reply_id=${body.id}&after=0`);
    expect(after.length).toBeGreaterThan(10);
    expect([...before, ...after.map(({ id }) => id)]).toEqual(whole.map(({ id }) => id));
  });

  it("gets one reply when it asks for one", async () => {
    const session = await openSession();
    await say(session, "/say One.");
    await say(session, "/say Two.");
    const { body } = await request<{ data: { id: string }[] }>(
      "GET",
      `/v1/sessions/${session}/replies`,
      { key },
    );
    const first = body.data.at(-1)?.id;
    const frames = await read(session, `&after=0&reply_id=${first}`);
    expect(frames[0]?.event).toMatchObject({
      type: "RUN_STARTED",
      threadId: session,
      runId: first,
    });
    expect(frames.filter(({ event }) => event.type === "RUN_FINISHED")).toHaveLength(1);
  });

  it("is refused a page, a position that no frame has, and an unknown format", async () => {
    const session = await openSession();
    await say(session, "/say One.");
    const path = `/v1/sessions/${session}/events`;
    const headers = { accept: "text/event-stream" };
    const refusals = await Promise.all([
      request<Problem>("GET", `${path}?format=ag-ui`, { key }),
      request<Problem>("GET", `${path}?format=ag-ui&after=2.99`, { key, headers }),
      request<Problem>("GET", `${path}?format=ag-ui&after=99999`, { key, headers }),
      request<Problem>("GET", `${path}?format=agui`, { key, headers }),
    ]);
    expect(
      refusals.map(({ status, body }) => [status, body.code, body.errors[0]?.pointer]),
    ).toEqual([
      [400, "validation_failed", "#/query/format"],
      [400, "invalid_cursor", "#/query/after"],
      [400, "cursor_ahead", "#/query/after"],
      [400, "validation_failed", "#/query/format"],
    ]);
  });
});

interface Problem {
  readonly code: string;
  readonly errors: readonly { readonly pointer: string }[];
}

async function pendingCalls(session: string) {
  const { body } = await request<{ pending: { tool_call: { id: string } }[] }>(
    "GET",
    `/v1/sessions/${session}`,
    { key },
  );
  return body.pending;
}

/** Resolves when the reply has ended or waits again. */
async function postEvent(session: string, event: object): Promise<void> {
  const { body } = await request<{ reply_id: string }>("GET", `/v1/sessions/${session}`, { key });
  const response = await openRequest("POST", `/v1/sessions/${session}/events?stream=true`, {
    key,
    body: { ...event, reply_id: body.reply_id },
  });
  expect(response.status).toBe(200);
  await response.text();
}
