// Voice connections that are refused, or closed: each with the code of its error.
import { describe, expect, inject, test } from "vitest";

import { createSession, createTenant, request } from "../../support/platform-client.ts";
import { encodeAudioFrame } from "../../../protocol/voice/audio-frame.ts";
import { CASCADE, openVoiceDesk, type VoiceDesk } from "../../support/voice/voice-desk.ts";
import { VoiceClient, type ConnectOptions } from "../../support/voice/voice-client.ts";

async function closeOf(sessionId: string, options: ConnectOptions) {
  const client = await VoiceClient.connect(sessionId, options);
  return client.untilClosed();
}

async function mintToken({ key, sessionId }: VoiceDesk, verbs: readonly string[]) {
  const path = `/v1/sessions/${sessionId}/tokens`;
  const { body } = await request<{ id: string; token: string }>("POST", path, {
    key,
    body: { verbs },
  });
  return body;
}

describe("an upgrade", () => {
  test("needs an agent with a voice", async () => {
    const { key } = await createTenant();
    const sessionId = await createSession(key);
    expect((await closeOf(sessionId, { key })).reason).toBe("voice_off");
  });

  test("is refused to a realtime voice whose words hooks hold back", async () => {
    const url = `${inject("toolsUrl")}/guard`;
    const hooks = [{ name: "guard", point: "pre_print", type: "http", url }];
    const { key, sessionId } = await openVoiceDesk({}, { hooks });
    expect((await closeOf(sessionId, { key })).reason).toBe("voice_off");
    const cascade = await openVoiceDesk(CASCADE, { hooks });
    const client = await VoiceClient.connect(cascade.sessionId, { key: cascade.key });
    expect(client.started).toBeDefined();
    await client.close();
  });

  test("finds no session of another tenant, and no unknown one", async () => {
    const desk = await openVoiceDesk();
    const { key } = await createTenant();
    const notFound = { code: 4404, reason: "not_found" };
    expect(await closeOf(desk.sessionId, { key })).toEqual(notFound);
    const unknown = `${desk.sessionId.slice(0, -3)}000`;
    expect(await closeOf(unknown, { key: desk.key })).toEqual(notFound);
  });

  test("needs a credential with the rights to speak and to read", async () => {
    const desk = await openVoiceDesk();
    expect(await closeOf(desk.sessionId, {})).toEqual({ code: 4401, reason: "unauthenticated" });
    for (const verbs of [["read"], ["speak"]]) {
      const { token } = await mintToken(desk, verbs);
      const refused = { code: 4403, reason: "verb_missing" };
      expect(await closeOf(desk.sessionId, { key: token })).toEqual(refused);
    }
  });

  test("is asked for by a plain request", async () => {
    const { key, sessionId } = await openVoiceDesk();
    const answer = await request("GET", `/v1/sessions/${sessionId}/realtime`, { key });
    expect(answer.body).toMatchObject({ status: 426, code: "upgrade_required" });
  });

  test("takes a ticket as a subprotocol, which is good for nothing else", async () => {
    const desk = await openVoiceDesk();
    const { token } = await mintToken(desk, ["read", "speak"]);
    const mint = (path: string, key = token) =>
      request<{ ticket: string; path: string }>(
        "POST",
        `/v1/sessions/${desk.sessionId}/stream-tickets`,
        { key, body: { path } },
      );
    const realtime = `/v1/sessions/${desk.sessionId}/realtime`;
    const minted = await mint(realtime);
    expect(minted.body.path).toBe(realtime);
    const { ticket } = minted.body;
    const client = await VoiceClient.connect(desk.sessionId, { ticket });
    expect(client.started).toBeDefined();
    await client.close();
    const events = await mint(`/v1/sessions/${desk.sessionId}/events`);
    const other = { ticket: events.body.ticket };
    expect(await closeOf(desk.sessionId, other)).toMatchObject({ code: 4403 });
    const reader = await mintToken(desk, ["read"]);
    expect((await mint(realtime, reader.token)).body).toMatchObject({ code: "verb_missing" });
  });
});

test("a token ends the replies of others with the verb for that alone", async () => {
  const input_schema = { type: "object", properties: {} };
  const tools = [{ type: "external", name: "ask_shop", input_schema }];
  const permission = { rules: [{ tool_name: "ask_shop", behavior: "allow" }] };
  const desk = await openVoiceDesk({}, { tools, permission });
  const path = `/v1/sessions/${desk.sessionId}/replies`;
  const body = { input: "/call ask_shop {}" };
  const { body: reply } = await request<{ id: string }>("POST", path, { key: desk.key, body });
  const statusOf = async () =>
    (await request<{ status: string }>("GET", `${path}/${reply.id}`, { key: desk.key })).body
      .status;
  const interrupting = async (...verbs: readonly string[]) => {
    const { token } = await mintToken(desk, ["read", "speak", ...verbs]);
    const client = await VoiceClient.connect(desk.sessionId, { key: token });
    client.send({ type: "interrupt", id: "one" });
    return client;
  };
  const bound = await interrupting();
  await bound.until(() => bound.errors.length === 1);
  const left = await statusOf();
  await bound.close();
  const free = await interrupting("interrupt");
  await free.event(({ type }) => type === "REPLY_END");
  await free.close();

  expect(bound.errors).toMatchObject([{ code: "verb_missing", ref: "one" }]);
  expect([left, await statusOf(), free.errors]).toEqual([
    "awaiting_external_result",
    "interrupted",
    [],
  ]);
});

describe("the first frame", () => {
  test.each([
    ["is `start`", { type: "commit" }, { code: 1007, reason: "validation_failed" }],
    ["has rates that are ours", start({ input: { rate: 44_100 } }), unsupported()],
    ["has a cursor of the log", start({ after: 1_000 }), { code: 1007, reason: "cursor_ahead" }],
    ["has no other members", start({ voice: "x" }), { code: 1007, reason: "validation_failed" }],
  ])("%s", async (_title, frame, close) => {
    const { key, sessionId } = await openVoiceDesk();
    const client = await VoiceClient.connect(sessionId, { key, start: null });
    client.sendText(JSON.stringify(frame));
    expect(await client.untilClosed()).toEqual(close);
  });

  function start(members: object): object {
    return { type: "start", input: { rate: 16_000 }, output: { rate: 24_000 }, ...members };
  }

  function unsupported() {
    return { code: 1007, reason: "audio_format_unsupported" };
  }
});

describe("a connection", () => {
  test("tells of a frame that is wrong, and stays", async () => {
    const { key, sessionId } = await openVoiceDesk();
    const client = await VoiceClient.connect(sessionId, { key });
    client.sendText("{");
    client.sendText(JSON.stringify({ type: "sing", id: "one" }));
    client.sendText(JSON.stringify({ type: "audio", id: "two", audio: "AA==" }));
    client.sendBytes(new Uint8Array([2, 0, 0, 0, 0, 0, 0, 0]));
    client.send({ type: "commit", id: "three" });
    await client.until(() => client.errors.length === 5);
    expect(client.errors.map((error) => [error.code, error.ref])).toEqual([
      ["malformed_json", undefined],
      ["validation_failed", "one"],
      ["audio_format_unsupported", "two"],
      ["audio_format_unsupported", undefined],
      ["validation_failed", "three"],
    ]);
    await client.close();
  });

  test.each([
    ["a frame that is too large", { code: 4413, reason: "body_too_large" }, tooLarge],
    ["audio that comes faster than it is spoken", tooMuch(), flood],
    ["too many other frames", { code: 4429, reason: "rate_limited" }, chatter],
  ])("is closed for %s", async (_title, close, send) => {
    const { key, sessionId } = await openVoiceDesk();
    const client = await VoiceClient.connect(sessionId, { key });
    send(client);
    expect(await client.untilClosed()).toEqual(close);
  });

  function tooMuch() {
    return { code: 4413, reason: "too_much_audio" };
  }

  function tooLarge(client: VoiceClient): void {
    client.sendBytes(encodeAudioFrame({ item: 0, ms: 0, pcm: new Uint8Array(60_000) }));
  }

  function flood(client: VoiceClient): void {
    client.silence(60_000);
  }

  function chatter(client: VoiceClient): void {
    for (let index = 0; index < 300; index += 1) client.played(1, index);
  }

  test("is closed by a newer one that has started", async () => {
    const { key, sessionId } = await openVoiceDesk();
    const first = await VoiceClient.connect(sessionId, { key });
    const second = await VoiceClient.connect(sessionId, { key });
    expect(await first.untilClosed()).toEqual({ code: 4409, reason: "voice_connected" });
    second.send({ type: "text", text: "/say I am here." });
    await second.event(({ type }) => type === "REPLY_END");
    await second.close();
  });

  test("ends with its time", async () => {
    const { key, sessionId } = await openVoiceDesk({ max_seconds: 1 });
    const client = await VoiceClient.connect(sessionId, { key });
    expect(await client.untilClosed()).toEqual({ code: 4408, reason: "connection_expired" });
  });

  test("ends with its token, in the middle of a word", async () => {
    const desk = await openVoiceDesk();
    const { id, token } = await mintToken(desk, ["read", "speak"]);
    const client = await VoiceClient.connect(desk.sessionId, { key: token });
    client.speak("/say Hel");
    const path = `/v1/sessions/${desk.sessionId}/tokens/${id}`;
    await request("DELETE", path, { key: desk.key });
    expect(await client.untilClosed()).toEqual({ code: 4401, reason: "unauthenticated" });
  });

  test("ends with its session", async () => {
    const { key, sessionId } = await openVoiceDesk();
    const client = await VoiceClient.connect(sessionId, { key });
    const { status } = await request("DELETE", `/v1/sessions/${sessionId}`, { key });
    expect(status).toBe(204);
    expect(await client.untilClosed()).toEqual({ code: 4404, reason: "not_found" });
  });

  test("ends when its tenant is suspended", async () => {
    const desk = await openVoiceDesk();
    const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
    const path = `/v1/tenants/${desk.tenantId}`;
    const key = inject("operatorKey");
    await request("PATCH", path, { key, body: { status: "suspended" } });
    expect(await client.untilClosed()).toEqual({ code: 4403, reason: "tenant_suspended" });
  });
});
