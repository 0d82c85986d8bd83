// Audio that an agent keeps: files of the session that its messages name, and nothing where it is not asked for.
import { describe, expect, inject, test } from "vitest";

import { openRequest, request } from "../../support/platform-client.ts";
import { hearWav } from "../../support/voice/tone-audio.ts";
import {
  CASCADE,
  openVoiceDesk,
  readMessages,
  REALTIME,
  type VoiceDesk,
} from "../../support/voice/voice-desk.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";

const LONG = "One two three four five six seven eight nine ten.";

interface Kept {
  readonly url: string;
  readonly ms: number;
  readonly block_id?: string;
}

interface Listed {
  readonly id: string;
  readonly media_type: string;
  readonly bytes: number;
}

const isEnd = ({ type }: { readonly type: string }) => type === "REPLY_END";

function keptOf(message: { readonly metadata: Record<string, unknown> } | undefined) {
  return (message?.metadata["kept_audio"] ?? []) as readonly Kept[];
}

function kept(client: VoiceClient) {
  return client.customs("speech_kept");
}

/** The words of a WAV file, played. */
async function listen({ key }: { readonly key: string }, { url, ms }: Kept) {
  const response = await openRequest("GET", new URL(url).pathname, { key });
  const heard = hearWav(new Uint8Array(await response.arrayBuffer()));
  expect(response.headers.get("content-type")).toBe("audio/wav");
  expect(Math.abs(heard.ms - ms)).toBeLessThan(1);
  return heard.text;
}

async function statusOf({ key }: { readonly key: string }, path: string): Promise<number> {
  const response = await openRequest("GET", path, { key });
  await response.body?.cancel();
  return response.status;
}

async function filesOf({ key, sessionId }: Pick<VoiceDesk, "key" | "sessionId">) {
  const path = `/v1/files?session_id=${sessionId}`;
  return (await request<{ data: readonly Listed[] }>("GET", path, { key })).body.data;
}

/** Sets a quota that has room for so many bytes more. */
async function leaveRoomFor({ tenantId, key }: VoiceDesk, bytes: number): Promise<void> {
  const limits = await request<{ used: { stored_bytes: number } }>("GET", "/v1/limits", { key });
  const quotas = { stored_bytes: limits.body.used.stored_bytes + bytes };
  const set = await request("PATCH", `/v1/tenants/${tenantId}`, {
    key: inject("operatorKey"),
    body: { quotas },
  });
  expect(set.status).toBe(200);
}

/** A turn that was spoken and answered, with both kept. */
async function spokenDesk(voice: object = {}) {
  const desk = await openVoiceDesk({ ...voice, keep_audio: true });
  const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
  client.speak("/say Good day.");
  client.send({ type: "commit" });
  await client.until(() => kept(client).length === 2);
  return { desk, client };
}

describe.each([
  ["realtime", REALTIME],
  ["cascade", CASCADE],
])("an agent that keeps audio, in mode %s", (_mode, voice) => {
  test("has what was said, and what it answered, as files that the messages name", async () => {
    const { desk, client } = await spokenDesk(voice);
    const [said, answer] = await readMessages(desk);
    const [own] = keptOf(said);
    const [answered] = keptOf(answer);

    expect(own && (await listen(desk, own))).toBe("/say Good day.");
    expect(answered && (await listen(desk, answered))).toBe("Good day.");
    expect(own).toEqual({ url: expect.any(String), ms: expect.any(Number) });
    expect(answered?.block_id).toBe((answer?.content[0] as { id?: string } | undefined)?.id);
    expect((await filesOf(desk)).map(({ media_type }) => media_type)).toEqual([
      "audio/wav",
      "audio/wav",
    ]);
    expect(client.errors).toEqual([]);
    await client.close();
  });

  test("keeps of an answer that was cut off what was heard", async () => {
    const desk = await openVoiceDesk({ ...voice, keep_audio: true });
    const client = await VoiceClient.connect(desk.sessionId, { key: desk.key, plays: false });
    client.send({ type: "text", text: `/say ${LONG}` });
    await client.event(isEnd);
    await client.until(() => client.frames.some(({ type }) => type === "audio_end"));
    const end = client.frames.find(({ type }) => type === "audio_end");
    const item = end && "item" in end ? end.item : 0;
    client.played(item, 500);
    client.send({ type: "interrupt" });
    await client.until(() => client.frames.some(({ type }) => type === "audio_clear"));
    client.played(item, 500);
    await client.until(() => kept(client).length === 1);
    const [, answer] = await readMessages(desk);
    const [audio] = keptOf(answer);

    expect(answer?.content).toMatchObject([{ text: "One two" }]);
    expect(audio?.ms).toBe(500);
    expect(audio && (await listen(desk, audio))).toMatch(/^One two/);
    await client.close();
  });

  test("stores nothing without the setting", async () => {
    const desk = await openVoiceDesk(voice);
    const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
    client.speak("/say Good day.");
    client.send({ type: "commit" });
    await client.event(isEnd);
    client.send({ type: "text", text: "/say Again." });
    await client.until(() => client.events.filter(isEnd).length === 2);

    expect(await filesOf(desk)).toEqual([]);
    expect(kept(client)).toEqual([]);
    await client.close();
  });
});

describe("audio that was kept", () => {
  test("is in an export, goes with a fork, and goes with the last of their sessions", async () => {
    const { desk, client } = await spokenDesk();
    await client.close();
    const { key, sessionId } = desk;
    const [said] = await readMessages(desk);
    const [own] = keptOf(said);
    const path = new URL(own?.url ?? "").pathname;
    const state = await request("GET", `/v1/sessions/${sessionId}/state`, { key });
    const fork = await request<{ id: string }>("POST", `/v1/sessions/${sessionId}/fork`, {
      key,
      body: {},
    });
    const forked = { key, sessionId: fork.body.id };
    await request("DELETE", `/v1/sessions/${sessionId}`, { key });

    expect(JSON.stringify(state.body)).toContain(own?.url);
    expect(keptOf((await readMessages(forked))[0])).toEqual(keptOf(said));
    expect(own && (await listen(desk, own))).toBe("/say Good day.");

    await request("DELETE", `/v1/sessions/${forked.sessionId}`, { key });
    await expect.poll(() => statusOf(desk, path)).toBe(404);
  });

  test("goes with the end user who has spoken", async () => {
    const desk = await openVoiceDesk({ keep_audio: true });
    const { key, agentId } = desk;
    const opened = await request<{ id: string }>("POST", "/v1/sessions", {
      key,
      body: { agent_id: agentId, end_user_id: "ann" },
    });
    const own = { key, sessionId: opened.body.id };
    const client = await VoiceClient.connect(own.sessionId, { key });
    client.speak("/say Good day.");
    client.send({ type: "commit" });
    await client.until(() => kept(client).length === 2);
    await client.close();
    const files = await filesOf(own);
    await request("DELETE", "/v1/end-users/ann", { key });

    expect(files).toHaveLength(2);
    for (const { id } of files) {
      await expect.poll(() => statusOf(desk, `/v1/files/${id}/content`)).toBe(404);
    }
  });

  test("is not in a fork that ends before it", async () => {
    const { desk, client } = await spokenDesk(CASCADE);
    await client.close();
    const { key, sessionId } = desk;
    const [said, answer] = await readMessages(desk);
    const fork = await request<{ id: string }>("POST", `/v1/sessions/${sessionId}/fork`, {
      key,
      body: { at: said?.id },
    });
    await request("DELETE", `/v1/sessions/${sessionId}`, { key });
    const [answered] = keptOf(answer);
    const path = new URL(answered?.url ?? "").pathname;

    expect(fork.status).toBe(201);
    await expect.poll(() => statusOf(desk, path)).toBe(404);
    const [own] = keptOf(said);
    expect(own && (await listen(desk, own))).toBe("/say Good day.");
  });

  test("does not fit into a used up quota: the text stays, and the client is told", async () => {
    const desk = await openVoiceDesk({ keep_audio: true });
    const client = await VoiceClient.connect(desk.sessionId, { key: desk.key });
    client.send({ type: "text", text: "/say Yes?" });
    await client.until(() => kept(client).length === 1);
    await leaveRoomFor(desk, 20_000);
    client.speak(`/say ${LONG}`);
    client.send({ type: "commit" });
    await client.until(() => client.errors.length === 2);

    expect(client.errors).toMatchObject([{ code: "quota_exceeded" }, { code: "quota_exceeded" }]);
    expect((await readMessages(desk)).map(({ content }) => content[0]?.text)).toEqual([
      "/say Yes?",
      "Yes?",
      `/say ${LONG}`,
      LONG,
    ]);
    expect(await filesOf(desk)).toHaveLength(1);
    await client.close();
  });
});
