// The dialect of AgentScope's realtime agents, event by event: what a client is sent.
import { describe, expect, test } from "vitest";

import { request } from "../../support/platform-client.ts";
import {
  CASCADE,
  openVoiceDesk,
  readConversation,
  REALTIME,
  type VoiceDesk,
} from "../../support/voice/voice-desk.ts";
import { RealtimeClient } from "../../support/voice/realtime-client.ts";

const MODES = [
  ["realtime", REALTIME],
  ["cascade", CASCADE],
] as const;
const SERVER_TURNS = { turns: { type: "server_vad" } };

async function open(voice: object = {}, agent: object = {}) {
  const desk = await openVoiceDesk(voice, agent);
  const client = await RealtimeClient.connect(desk.sessionId, { key: desk.key });
  const { body } = await request<{ name: string }>("GET", `/v1/agents/${desk.agentId}`, {
    key: desk.key,
  });
  return { desk, client, by: { agent_id: desk.agentId, agent_name: body.name } };
}

describe.each(MODES)("in mode %s", (_, voice) => {
  test("a spoken turn is told by events, from the first sound to the end of the answer", async () => {
    const { desk, client, by } = await open({ ...voice, ...SERVER_TURNS });
    client.send("client_session_create", { config: {} });
    client.silence(300);
    client.speak("/say Hello you.");
    client.silence(1_000);
    await client.until("agent_response_done");
    await client.until("agent_input_transcription_done");

    const [started] = client.of("agent_input_started");
    const item_id = started?.item_id;
    expect(started).toEqual({
      type: "agent_input_started",
      ...by,
      item_id: expect.any(String),
      audio_start_ms: expect.any(Number),
    });
    expect(client.of("agent_input_done")).toEqual([
      { type: "agent_input_done", ...by, item_id, audio_end_ms: expect.any(Number) },
    ]);
    expect(client.of("agent_input_transcription_done")).toEqual([
      {
        type: "agent_input_transcription_done",
        ...by,
        item_id,
        transcript: "/say Hello you.",
        input_tokens: null,
        output_tokens: null,
      },
    ]);
    const [created] = client.of("agent_response_created");
    const response_id = created?.response_id;
    const place = { ...by, response_id, item_id: `${response_id}.0` };
    expect(created).toEqual({ type: "agent_response_created", ...by, response_id });
    const [delta] = client.of("agent_response_audio_delta");
    expect(delta).toEqual({
      type: "agent_response_audio_delta",
      ...place,
      delta: expect.any(String),
      format: { type: "audio/pcm", rate: 24_000 },
    });
    expect(client.heard("agent_response_audio_delta")).toBe("Hello you.");
    expect(client.of("agent_response_audio_done")).toEqual([
      { type: "agent_response_audio_done", ...place },
    ]);
    expect(client.of("agent_response_audio_transcript_delta")[0]).toEqual({
      type: "agent_response_audio_transcript_delta",
      ...place,
      delta: expect.any(String),
    });
    expect(client.transcript()).toBe("Hello you.");
    expect(client.of("agent_response_audio_transcript_done")).toEqual([
      { type: "agent_response_audio_transcript_done", ...place },
    ]);
    expect(client.of("agent_response_done")).toEqual([
      {
        type: "agent_response_done",
        ...by,
        response_id,
        input_tokens: expect.any(Number),
        output_tokens: expect.any(Number),
        metadata: {},
      },
    ]);
    expect(client.of("agent_error")).toEqual([]);
    expect(await readConversation(desk)).toEqual([
      "user: /say Hello you.",
      "assistant: Hello you.",
    ]);
    await client.close();
  });

  test("a response is created before all that is told of it, and done behind that", async () => {
    const { client } = await open(voice);
    client.send("client_text_append", {
      text: '/say One.\n/call lookup_order {"order_id":"A-1001"}\n/say Two.',
    });
    await client.until("agent_response_done", 2);
    for (const { response_id } of client.of("agent_response_created")) {
      const own = client.events.filter(
        (event) => "response_id" in event && event.response_id === response_id,
      );
      expect(own[0]?.type).toBe("agent_response_created");
      expect(own.at(-1)?.type).toBe("agent_response_done");
    }
    expect(client.heard("agent_response_audio_delta")).toBe("One. Two.");
    await client.close();
  });
});

test("the agent is ready at once, and the session is created when the client asks for it", async () => {
  const { desk, client, by } = await open();
  await client.until("agent_ready");
  client.send("client_session_create", { config: { user_name: "User1" } });
  client.send("client_session_create", { config: {} });
  client.send("client_session_end");
  const closed = await client.untilClosed();

  const session_id = desk.sessionId;
  expect(client.events).toEqual([
    { type: "agent_ready", ...by },
    { type: "server_session_created", session_id },
    { type: "server_session_updated", session_id },
    { type: "agent_ended", ...by },
    { type: "server_session_ended", session_id },
  ]);
  expect(closed).toEqual({ code: 1000, reason: "" });
});

test("a call and its result are blocks of the reference", async () => {
  const { client, by } = await open();
  const text = '/call lookup_order {"order_id":"A-1001"}\n/say Found it.';
  client.send("client_text_append", { text });
  await client.until("agent_response_done", 2);

  const [done] = client.of("agent_response_tool_use_done");
  const id = done?.tool_use.id;
  const deltas = client.of("agent_response_tool_use_delta").map(({ tool_use }) => tool_use);
  expect(done).toEqual({
    type: "agent_response_tool_use_done",
    ...by,
    response_id: client.of("agent_response_created")[0]?.response_id,
    item_id: id,
    tool_use: {
      type: "tool_use",
      id,
      name: "lookup_order",
      input: { order_id: "A-1001" },
      raw_input: done?.tool_use.raw_input,
    },
  });
  expect(deltas.every(({ input }) => Object.keys(input).length === 0)).toBe(true);
  expect(deltas.every(({ raw_input }) => done?.tool_use.raw_input.startsWith(raw_input))).toBe(
    true,
  );
  expect(deltas.at(-1)?.raw_input).toBe(done?.tool_use.raw_input);
  expect(client.of("agent_response_tool_result")).toEqual([
    {
      type: "agent_response_tool_result",
      ...by,
      tool_result: {
        type: "tool_result",
        id,
        name: "lookup_order",
        output: [{ type: "text", text: expect.stringContaining("espresso cups") }],
      },
    },
  ]);
  await client.close();
});

test("a cancelled response is done with the status that says so", async () => {
  const model = { provider: "scripted", parameters: { tokens_per_second: 4 } };
  const { desk, client } = await open({ mode: "realtime", model });
  client.send("client_text_append", { text: `/say ${"Words and more words. ".repeat(20)}` });
  await client.until("agent_response_audio_delta");
  client.send("client_response_cancel");
  await client.until("agent_response_done");

  expect(client.of("agent_response_done")[0]?.metadata).toEqual({ status: "cancelled" });
  expect(client.of("agent_response_audio_done")).toHaveLength(1);
  expect(client.of("agent_error")).toEqual([]);
  const { body } = await listReplies(desk);
  expect(body.data[0]?.status).toBe("interrupted");
  await client.close();
});

function listReplies({ key, sessionId }: VoiceDesk) {
  const path = `/v1/sessions/${sessionId}/replies`;
  return request<{ data: { status: string }[] }>("GET", path, { key });
}

test("a reply that fails is an error of the agent", async () => {
  const { client, by } = await open();
  client.send("client_text_append", { text: "/fail invalid_request" });
  await client.until("agent_error");
  expect(client.of("agent_error")[0]).toEqual({
    type: "agent_error",
    ...by,
    error_type: "server_error",
    code: expect.any(String),
    message: expect.any(String),
  });
  await client.close();
});

test("a reply that was begun over HTTP is told by its texts, without a sound", async () => {
  const { desk, client } = await open();
  const path = `/v1/sessions/${desk.sessionId}/replies`;
  await request("POST", path, { key: desk.key, body: { input: "/say Quiet." } });
  await client.until("agent_response_done");
  expect([client.transcript(), client.of("agent_response_audio_delta")]).toEqual(["Quiet.", []]);
  await client.close();
});
