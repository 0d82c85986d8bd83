// The dialect of AgentScope's realtime agents, event by event: what a client may send, and what it is refused.
import { describe, expect, test } from "vitest";

import { request } from "../../support/platform-client.ts";
import {
  CASCADE,
  openVoiceDesk,
  readConversation,
  readMessages,
  REALTIME,
  type VoiceDesk,
} from "../../support/voice/voice-desk.ts";
import { RealtimeClient } from "../../support/voice/realtime-client.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SHOP = {
  tools: [{ type: "external", name: "ask_shop", input_schema: { type: "object", properties: {} } }],
  permission: { rules: [{ tool_name: "ask_shop", behavior: "allow" }] },
};

async function open(voice: object = {}, agent: object = {}) {
  const desk = await openVoiceDesk(voice, agent);
  const client = await RealtimeClient.connect(desk.sessionId, { key: desk.key });
  return { desk, client };
}

async function mintToken({ key, sessionId }: VoiceDesk, verbs: readonly string[]) {
  const path = `/v1/sessions/${sessionId}/tokens`;
  const { body } = await request<{ token: string }>("POST", path, { key, body: { verbs } });
  return body.token;
}

function refusals(client: RealtimeClient) {
  return client.of("agent_error").map(({ code, error_type, message }) => {
    return { code, error_type, message };
  });
}

describe.each([
  ["the reference", { type: "audio/pcm", rate: 16_000 }, "agent_response_audio_delta"],
  ["the document's page", { encoding: "pcm16", sample_rate: 16_000 }, "response_audio_delta"],
  ["another rate", { type: "audio/pcm", rate: 48_000 }, "agent_response_audio_delta"],
] as const)("audio in the form of %s", (_, format, type) => {
  test("is answered by the event that its clients listen for, once", async () => {
    const { desk, client } = await open();
    client.speak("/say At any rate.", format);
    client.send("client_audio_commit");
    await client.until("agent_response_done");

    expect(client.heard(type)).toBe("At any rate.");
    const others = ["agent_response_audio_delta", "response_audio_delta"] as const;
    expect(others.filter((name) => client.of(name).length > 0)).toEqual([type]);
    expect((await readConversation(desk))[0]).toBe("user: /say At any rate.");
    await client.close();
  });
});

test("a client may name the event that carries audio, whatever it sends", async () => {
  const { client } = await open();
  client.send("client_session_create", { config: { audio_event: "response_audio_delta" } });
  client.send("client_text_append", { text: "/say Named." });
  await client.until("agent_response_done");
  expect(client.heard("response_audio_delta")).toBe("Named.");
  expect(client.of("agent_response_audio_delta")).toEqual([]);
  await client.close();
});

test("typed text is answered aloud, and a response that is asked for behind it is the same one", async () => {
  const { desk, client } = await open();
  client.send("client_text_append", { text: "/say Typed." });
  client.send("client_response_create");
  await client.until("agent_response_done");
  expect(client.heard("agent_response_audio_delta")).toBe("Typed.");
  expect(client.of("agent_error")).toEqual([]);
  expect(await readConversation(desk)).toEqual(["user: /say Typed.", "assistant: Typed."]);
  await client.close();
});

test("a response that is asked for ends the user's turn", async () => {
  const { client } = await open();
  client.speak("/say Now.");
  client.send("client_response_create");
  await client.until("agent_response_done");
  expect(client.heard("agent_response_audio_delta")).toBe("Now.");
  client.send("client_response_create");
  await client.until("agent_error");
  expect(refusals(client)).toEqual([
    {
      code: "validation_failed",
      error_type: "invalid_request_error",
      message: "there is no audio that could be a turn",
    },
  ]);
  await client.close();
});

test("a commit where silence has ended the turn says nothing", async () => {
  const { client } = await open({ turns: { type: "server_vad" } });
  client.send("client_audio_commit");
  client.silence(300);
  client.speak("/say Silence.");
  client.silence(1_000);
  await client.until("agent_response_done");
  client.send("client_audio_commit");
  client.send("client_session_end");
  await client.untilClosed();
  expect(client.of("agent_error")).toEqual([]);
});

test("a picture goes with the next text, and old ones make room", async () => {
  const { desk, client } = await open();
  for (let count = 0; count < 10; count += 1) {
    client.send("client_image_append", { image: PIXEL, format: { type: "image/png" } });
  }
  client.send("client_text_append", { text: "/say Seen." });
  await client.until("agent_response_done");
  const types = (await readMessages(desk))[0]?.content.map(({ type }) => type) ?? [];
  expect(types[0]).toBe("text");
  expect(types.slice(1).every((type) => type === "data")).toBe(true);
  expect(client.of("agent_error")).toEqual([]);
  await client.close();
});

test.each([
  ["a text", "on shelf 7"],
  ["blocks", [{ type: "text", text: "on shelf 7" }]],
])("a result of the client's own tool may be %s", async (_, output) => {
  const { desk, client } = await open({}, SHOP);
  client.send("client_text_append", { text: "/call ask_shop {}\n/say It is there." });
  await client.until("agent_response_tool_use_done");
  const [use] = client.of("agent_response_tool_use_done");
  await awaitsResult(desk);
  client.send("client_tool_result", { id: use?.tool_use.id, name: "ask_shop", output });
  await client.until("agent_response_done", 2);
  expect(client.heard("agent_response_audio_delta")).toBe("It is there.");
  expect(client.of("agent_response_tool_result")[0]?.tool_result.output).toEqual([
    { type: "text", text: "on shelf 7" },
  ]);
  await client.close();
});

async function awaitsResult({ key, sessionId }: VoiceDesk): Promise<void> {
  const path = `/v1/sessions/${sessionId}/replies`;
  for (;;) {
    const { body } = await request<{ data: { status: string }[] }>("GET", path, { key });
    if (body.data[0]?.status === "awaiting_external_result") return;
  }
}

describe("refused with a named error, behind which the connection goes on", () => {
  test.each([
    ["client_dance", {}, "validation_failed", /"client_dance" is no event of a client; those are/],
    ["client_text_append", {}, "validation_failed", /its member text is not valid/],
    ["client_text_append", { session_id: "ses_1", text: "x" }, "validation_failed", /session_id/],
    ["client_text_append", { session_id: null, text: "x" }, "validation_failed", /session_id/],
    ["client_session_create", { config: null }, "validation_failed", /config/],
    [
      "client_session_create",
      { config: { model_provider: "gemini" } },
      "validation_failed",
      /config.model_provider is gemini, and the agent speaks by scripted/,
    ],
    [
      "client_session_create",
      { config: { instructions: "x".repeat(4_097) } },
      "validation_failed",
      /config\/instructions/,
    ],
    ["client_audio_append", { audio: "AAAA" }, "validation_failed", /format/],
    [
      "client_audio_append",
      { audio: "AAAA", format: { type: "audio/opus", rate: 16_000 } },
      "audio_format_unsupported",
      /"encoding": "pcm16"/,
    ],
    [
      "client_audio_append",
      { audio: "AAAA", format: { type: "audio/pcm", rate: 44_100 } },
      "audio_format_unsupported",
      /44100 Hz/,
    ],
    [
      "client_audio_append",
      { audio: "AAA", format: { type: "audio/pcm", rate: 16_000 } },
      "audio_format_unsupported",
      /whole samples/,
    ],
    [
      "client_image_append",
      { image: PIXEL, format: { type: "svg+xml" } },
      "validation_failed",
      /media_type/,
    ],
    ["client_image_append", { image: "!!", format: null }, "validation_failed", /picture/],
    ["client_tool_result", { id: "call_1", name: "x", output: "y" }, "call_not_pending", /no call/],
  ])("%s %j", async (type, members, code, message) => {
    const { client } = await open();
    client.send(type, members);
    await client.until("agent_error");
    expect(refusals(client)).toEqual([
      { code, error_type: "invalid_request_error", message: expect.stringMatching(message) },
    ]);
    client.send("client_session_create", { config: {} });
    await client.until("server_session_created");
    await client.close();
  });

  test("what is no JSON, and bytes", async () => {
    const { client } = await open();
    client.sendText("no json");
    client.sendText("[]");
    client.sendText(`${"[".repeat(500)}${"]".repeat(500)}`);
    client.sendBytes(new Uint8Array(64));
    await client.until("agent_error", 4);
    expect(refusals(client).map(({ code }) => code)).toEqual([
      "malformed_json",
      "validation_failed",
      "input_too_deep",
      "audio_format_unsupported",
    ]);
    await client.close();
  });
});

test("config of the agent counts from an API key, and is refused to a token", async () => {
  const desk = await openVoiceDesk(CASCADE);
  const client = await RealtimeClient.connect(desk.sessionId, {
    key: await mintToken(desk, ["read", "speak"]),
  });
  for (const config of [{ instructions: "Be rude." }, { model_provider: "scripted" }]) {
    client.send("client_session_create", { config });
  }
  client.send("client_session_create", { config: { instructions: null, user_name: "User1" } });
  await client.until("server_session_created");
  expect(refusals(client)).toEqual(
    ["instructions", "model_provider"].map((name) => ({
      code: "insufficient_scope",
      error_type: "invalid_request_error",
      message: `config.${name} counts from an API key alone: leave it out; the agent has its own`,
    })),
  );
  expect(client.of("server_session_created")).toHaveLength(1);
  await client.close();
});

describe("an upgrade", () => {
  test("of an unknown format is refused by name", async () => {
    const { key, sessionId } = await openVoiceDesk();
    const path = `/v1/sessions/${sessionId}/realtime?format=agentscope-opera`;
    const { status, body } = await request<{ code: string; errors: unknown }>("GET", path, { key });
    expect([status, body.code]).toEqual([400, "validation_failed"]);
    expect(JSON.stringify(body.errors)).toContain("agentscope-realtime");
  });

  test("that is refused is told as an error of the dialect, and closed with its code", async () => {
    const desk = await openVoiceDesk();
    const other = await openVoiceDesk();
    const unknown = await RealtimeClient.connect(desk.sessionId, { key: other.key });
    const closed = await unknown.untilClosed();
    expect(closed).toEqual({ code: 4404, reason: "not_found" });
    expect(unknown.events).toEqual([
      {
        type: "agent_error",
        agent_id: "",
        agent_name: "",
        error_type: "invalid_request_error",
        code: "not_found",
        message: expect.any(String),
      },
    ]);
  });

  test("takes a ticket as a subprotocol, beside the platform's own", async () => {
    const desk = await openVoiceDesk();
    const path = `/v1/sessions/${desk.sessionId}/realtime?format=agentscope-realtime`;
    const mint = `/v1/sessions/${desk.sessionId}/stream-tickets`;
    const { body } = await request<{ ticket: string }>("POST", mint, {
      key: desk.key,
      body: { path },
    });
    const client = await RealtimeClient.connect(desk.sessionId, {
      ticket: body.ticket,
      protocols: ["reprise.realtime.v1"],
    });
    client.send("client_session_create", { config: {} });
    await client.until("server_session_created");
    await client.close();
  });
});

test("a newer connection closes the one before, which is told so", async () => {
  const { desk, client } = await open(REALTIME);
  client.send("client_session_create", { config: {} });
  await client.until("server_session_created");
  const newer = await RealtimeClient.connect(desk.sessionId, { key: desk.key });
  expect(await client.untilClosed()).toEqual({ code: 4409, reason: "voice_connected" });
  expect(client.events.slice(-3).map(({ type }) => type)).toEqual([
    "agent_error",
    "agent_ended",
    "server_session_ended",
  ]);
  await newer.close();
});
