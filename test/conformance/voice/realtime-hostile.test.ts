// Clients of AgentScope's realtime agents that want too much: floods, rights that they lack, and words that are not theirs.
import { expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { request } from "../../support/platform-client.ts";
import { openVoiceDesk, type VoiceDesk } from "../../support/voice/voice-desk.ts";
import { RealtimeClient } from "../../support/voice/realtime-client.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";

const FORMAT = { type: "audio/pcm", rate: 16_000 };
const SHOP = {
  tools: [{ type: "external", name: "ask_shop", input_schema: { type: "object", properties: {} } }],
  permission: { rules: [{ tool_name: "ask_shop", behavior: "allow" }] },
};

async function mintToken({ key, sessionId }: VoiceDesk, ...verbs: readonly string[]) {
  const path = `/v1/sessions/${sessionId}/tokens`;
  const body = { verbs: ["read", "speak", ...verbs] };
  return (await request<{ token: string }>("POST", path, { key, body })).body.token;
}

const FLOOD = "a flood of %s %j ends the connection with a named error";

test.each([
  ["client_session_create", { config: {} }],
  ["client_dance", {}],
])(FLOOD, flood);
test.each([
  ["client_session_create", { config: { model_provider: "gemini" } }],
  ["client_text_append", { session_id: "ses_1", text: "x" }],
  ["client_audio_commit", {}],
  ["client_response_create", {}],
  ["client_response_cancel", {}],
  ["client_audio_append", { audio: "AAAA", format: {} }],
  ["client_image_append", { image: "!!" }],
  ["client_tool_result", { id: "call_1", name: "x", output: "y" }],
])(FLOOD, BROAD, flood);

async function flood(type: string, members: object): Promise<void> {
  const desk = await openVoiceDesk();
  const client = await RealtimeClient.connect(desk.sessionId, { key: desk.key });
  for (let count = 0; count < 250; count += 1) client.send(type, members);

  expect(await client.untilClosed()).toEqual({ code: 4429, reason: "rate_limited" });
  expect(client.of("agent_error").at(-1)?.code).toBe("rate_limited");
  expect(client.of("agent_ended")).toHaveLength(1);
}

test("audio that comes faster than it can be spoken ends the connection, at whatever rates", async () => {
  const desk = await openVoiceDesk();
  const client = await RealtimeClient.connect(desk.sessionId, { key: desk.key });
  const rates = [8_000, 16_000, 24_000, 48_000];
  for (let count = 0; count < 200; count += 1) {
    const rate = rates[count % rates.length] ?? 8_000;
    client.sendPcm(new Uint8Array(rate / 5), { type: "audio/pcm", rate }, rate);
  }
  expect(await client.untilClosed()).toEqual({ code: 4413, reason: "too_much_audio" });
});

test("the rate of audio may change in the middle of a turn", async () => {
  const desk = await openVoiceDesk();
  const client = await RealtimeClient.connect(desk.sessionId, { key: desk.key });
  client.silence(100, 48_000);
  client.speak("/say Any rate.", FORMAT);
  client.silence(100, 8_000);
  client.send("client_audio_commit");
  await client.until("agent_response_done");
  expect(client.heard("agent_response_audio_delta")).toBe("Any rate.");
  await client.close();
});

test("an event that is too large ends the connection", async () => {
  const desk = await openVoiceDesk();
  const client = await RealtimeClient.connect(desk.sessionId, { key: desk.key });
  client.send("client_image_append", { image: "A".repeat(8_000_001) });
  expect(await client.untilClosed()).toEqual({ code: 4413, reason: "body_too_large" });
});

test("instructions as long as they may be fit, in any script", async () => {
  const desk = await openVoiceDesk();
  const client = await RealtimeClient.connect(desk.sessionId, { key: desk.key });
  client.send("client_session_create", { config: { instructions: "語🦜x".repeat(1_024) } });
  client.send("client_text_append", { text: "/say Aye." });
  await client.until("agent_response_done");
  expect([client.of("server_session_created").length, client.of("agent_error")]).toEqual([1, []]);
  await client.close();
});

test("a token without the verb gives no result, and the call waits on", async () => {
  const desk = await openVoiceDesk({}, SHOP);
  const bound = await RealtimeClient.connect(desk.sessionId, { key: await mintToken(desk) });
  bound.send("client_text_append", { text: "/call ask_shop {}\n/say So." });
  await bound.until("agent_response_done");
  const id = bound.of("agent_response_tool_use_done")[0]?.tool_use.id;
  const result = { id, name: "ask_shop", output: "mine" };
  bound.send("client_tool_result", result);
  await bound.until("agent_error");
  await bound.close();
  const free = await RealtimeClient.connect(desk.sessionId, {
    key: await mintToken(desk, "tool_result"),
  });
  free.send("client_tool_result", result);
  await free.until("agent_response_tool_result");
  await free.close();

  expect(bound.of("agent_error").map(({ code }) => code)).toEqual(["verb_missing"]);
  expect(free.of("agent_error")).toEqual([]);
});

test("a token without the verb cancels no reply of others", async () => {
  const desk = await openVoiceDesk({}, SHOP);
  const path = `/v1/sessions/${desk.sessionId}/replies`;
  await request("POST", path, { key: desk.key, body: { input: "/call ask_shop {}" } });
  const client = await RealtimeClient.connect(desk.sessionId, { key: await mintToken(desk) });
  client.send("client_response_cancel");
  await client.until("agent_error");
  const { body } = await request<{ data: { status: string }[] }>("GET", path, { key: desk.key });
  expect(client.of("agent_error").map(({ code }) => code)).toEqual(["verb_missing"]);
  expect(body.data[0]?.status).toBe("awaiting_external_result");
  await client.close();
});

test("a revoked token ends the connection, which is told in its own words", BROAD, async () => {
  const desk = await openVoiceDesk();
  const path = `/v1/sessions/${desk.sessionId}/tokens`;
  const { body } = await request<{ id: string; token: string }>("POST", path, {
    key: desk.key,
    body: { verbs: ["read", "speak"] },
  });
  const client = await RealtimeClient.connect(desk.sessionId, { key: body.token });
  await client.until("agent_ready");
  await request("DELETE", `${path}/${body.id}`, { key: desk.key });
  expect(await client.untilClosed()).toEqual({ code: 4401, reason: "unauthenticated" });
  expect(client.events.slice(-2).map(({ type }) => type)).toEqual(["agent_error", "agent_ended"]);
});

test("beside a client of frames each is told in its own form", async () => {
  const desk = await openVoiceDesk({ connections: 2 });
  const other = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  const client = await RealtimeClient.connect(desk.sessionId, { key: desk.key });
  client.send("client_text_append", { text: "/say Both." });
  await client.until("agent_response_done");
  await other.until(() => other.frames.some(({ type }) => type === "audio_end"));
  expect(other.heard().map(({ text }) => text)).toEqual(["Both."]);
  expect(client.heard("agent_response_audio_delta")).toBe("Both.");
  expect(client.events.filter(({ type }) => !/^(agent|server)_/.test(type))).toEqual([]);
  await client.close();
  await other.close();
});
