// The voice of an agent's definition: kept by its versions, refused where it cannot speak, and checked by real requests.
import { describe, expect, onTestFinished, test } from "vitest";

import type { Agent } from "../../../protocol/agents/contract.ts";
import type { AgentCheck } from "../../../protocol/agents/agent-check.ts";
import type { Problem } from "../../../protocol/problem.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import { startFakeAudio, transcribes } from "../../support/voice/fake-audio.ts";

const SCRIPTED = { provider: "scripted" };
const REALTIME = { mode: "realtime", model: SCRIPTED };
const SECRET = "sesame-4711-open";

function cascade(transcription: object = SCRIPTED, speech: object = SCRIPTED) {
  return { mode: "cascade", transcription, speech };
}

async function credential(key: string, type: string, host: string): Promise<string> {
  const body = { name: "C", type, secret: SECRET, allowed_hosts: [host] };
  return (await request<{ id: string }>("POST", "/v1/credentials", { key, body })).body.id;
}

async function refusalOf(key: string, definition: object) {
  const body = { name: "Desk", ...definition };
  const answer = await request<Problem>("POST", "/v1/agents", { key, body });
  return [answer.status, answer.body.errors?.map(({ pointer, detail }) => [pointer, detail])];
}

describe("the voice of an agent", () => {
  test("is stored with its defaults, kept by the version before a change, and taken away by null", async () => {
    const { key } = await createTenant();
    const id = await createAgent(key, { tools: [], voice: REALTIME });
    const path = `/v1/agents/${id}`;
    const whole = {
      mode: "realtime",
      model: { provider: "scripted", name: "refund-desk", parameters: { tokens_per_second: 0 } },
      voice: "default",
      turns: {
        type: "server_vad",
        threshold: 0.5,
        prefix_padding_ms: 300,
        silence_duration_ms: 500,
      },
      keep_audio: false,
      max_seconds: 3_600,
      idle_seconds: 30,
    };
    expect((await request<Agent>("GET", path, { key })).body.voice).toEqual(whole);

    const renamed = await request<Agent>("PATCH", path, { key, body: { name: "Ear" } });
    const mute = await request<Agent>("PATCH", path, { key, body: { voice: null } });

    expect([renamed.body.version, renamed.body.voice]).toEqual([2, whole]);
    expect([mute.body.version, mute.body.voice]).toEqual([3, null]);
    const before = await request<Agent>("GET", `${path}/versions/2`, { key });
    expect(before.body.voice).toEqual(whole);
  });

  test("is validated without being written", async () => {
    const { key } = await createTenant();
    const body = { name: "Desk", voice: cascade() };
    const { status, body: shown } = await request<Agent>("POST", "/v1/agents?validate_only=true", {
      key,
      body,
    });

    expect([status, shown.voice]).toMatchObject([200, { ...cascade(), idle_seconds: 30 }]);
  });

  test("is refused where no model of it could say the agent's words", async () => {
    const { key } = await createTenant();
    const model = { provider: "a2a", card: { url: "https://agent.example/card.json" } };

    expect(await refusalOf(key, { model, voice: REALTIME })).toEqual([
      400,
      [["#/voice/mode", expect.stringContaining("mode `cascade`")]],
    ]);
  });

  test("names credentials of models alone, and those that may be sent to its endpoints", async () => {
    const { key } = await createTenant();
    const other = await createTenant();
    const endpoint = { provider: "openai", name: "m", base_url: "https://speech.example/v1" };
    const [tool, elsewhere, foreign] = [
      await credential(key, "tool", "speech.example"),
      await credential(key, "model", "elsewhere.example"),
      await credential(other.key, "model", "speech.example"),
    ];
    const named = (id: string) => ({ ...endpoint, credential_id: id });

    expect(await refusalOf(key, { voice: cascade(named(tool), named(elsewhere)) })).toEqual([
      400,
      [
        ["#/voice/transcription/credential_id", "this credential is for a tool, not for a model"],
        [
          "#/voice/speech/credential_id",
          expect.stringContaining("may not be sent to speech.example"),
        ],
      ],
    ]);
    expect(await refusalOf(key, { voice: cascade(named(foreign)) })).toEqual([
      400,
      [["#/voice/transcription/credential_id", "there is no such credential"]],
    ]);
  });

  test("names no address that requests may not go to", async () => {
    const { key } = await createTenant();
    const inside = { provider: "openai", name: "m", base_url: "http://10.0.0.1/v1" };

    expect(await refusalOf(key, { voice: cascade(SCRIPTED, inside) })).toEqual([
      400,
      [["#/voice/speech/base_url", expect.any(String)]],
    ]);
  });
});

describe("a check of an agent with a voice", () => {
  async function check(key: string, voice: object): Promise<AgentCheck> {
    const id = await createAgent(key, { tools: [], voice });
    const path = `/v1/agents/${id}/check`;
    return (await request<AgentCheck>("POST", path, { key, body: {} })).body;
  }

  test("sends a second of silence and one word, with the credential, and says which model answered", async () => {
    const audio = await startFakeAudio({ transcription: [transcribes] });
    onTestFinished(() => audio.stop());
    const { key } = await createTenant();
    const id = await credential(key, "model", new URL(audio.baseUrl).host);
    const endpoint = { provider: "openai", base_url: audio.baseUrl, credential_id: id };

    const found = await check(
      key,
      cascade({ ...endpoint, name: "ear" }, { ...endpoint, name: "mouth" }),
    );

    const { host } = new URL(audio.baseUrl);
    const good = { provider: "openai", credential_id: id, status: "ok", host, kind: null };
    expect(found).toMatchObject({
      ok: true,
      voice: [
        { ...good, name: "ear", note: "The model listened." },
        { ...good, name: "mouth", note: "The model spoke." },
      ],
    });
    expect(audio.heard[0]).toMatchObject({
      authorization: `Bearer ${SECRET}`,
      members: { model: "ear" },
    });
    expect(audio.heard[0]?.bytes.byteLength).toBe(44 + 32_000);
    expect(audio.asked[0]).toMatchObject({
      authorization: `Bearer ${SECRET}`,
      body: { model: "mouth", input: "OK" },
    });
  });

  test("fails with the endpoint's own words, without the secret in them", async () => {
    const audio = await startFakeAudio({
      speech: [
        (body) => body.refuse(401, { error: { message: `wrong key ${SECRET}`, code: "bad_key" } }),
      ],
    });
    onTestFinished(() => audio.stop());
    const { key } = await createTenant();
    const id = await credential(key, "model", new URL(audio.baseUrl).host);
    const mouth = { provider: "openai", name: "mouth", base_url: audio.baseUrl, credential_id: id };

    const found = await check(key, cascade(SCRIPTED, mouth));

    expect(found.ok).toBe(false);
    expect(found.voice).toMatchObject([
      { name: "mouth", status: "failed", code: "speech_failed", note: expect.any(String) },
    ]);
    expect(found.voice?.[0]?.note).toContain("wrong key [redacted]");
    expect(JSON.stringify(found)).not.toContain(SECRET);
  });

  test("asks no embedded model", async () => {
    const { key } = await createTenant();

    expect(await check(key, cascade())).not.toHaveProperty("voice");
    expect(await check(key, REALTIME)).toMatchObject({ ok: true, model: { status: "ok" } });
  });
});
