/** @module-tag broad */
// kill -9 of the platform in each state of a spoken turn: the conversation has no gap and no double.
import { expect, onTestFinished, test } from "vitest";

import { HANG_HEADER, startEffectServer } from "../../support/effect-server.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { PROVIDERS, voiceOf } from "../../support/voice/providers/providers.ts";
import { VoiceClient } from "../../support/voice/voice-client.ts";

const platform = mortalPlatform();

interface Stored {
  readonly role: string;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly finished_reason: string | null;
}

async function openSession(voice: object, more: object = {}) {
  const { base_url: baseUrl } = await platform.running();
  const key = await platform.createTenant();
  const ask = async <Body>(method: string, path: string, body?: object) => {
    const { base_url } = await platform.running();
    const response = await fetch(base_url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Body;
  };
  const agent = await ask<{ id: string }>("POST", "/v1/agents", {
    name: "Desk",
    model: { provider: "scripted", name: "plain", parameters: { tokens_per_second: 20 } },
    voice: { turns: { type: "manual" }, ...voice },
    ...more,
  });
  const { id } = await ask<{ id: string }>("POST", "/v1/sessions", { agent_id: agent.id });
  return { id, key, baseUrl, ask };
}

const MODES = [
  {
    mode: "realtime",
    model: { provider: "scripted", parameters: { tokens_per_second: 20 } },
  },
  {
    mode: "cascade",
    transcription: { provider: "scripted" },
    speech: { provider: "scripted" },
  },
];

const STATES: readonly [string, (client: VoiceClient) => Promise<void>][] = [
  [
    "the message has its place",
    (client) => client.until(() => client.customs("message_added").length > 0),
  ],
  ["the turn is written down", untilWritten],
  ["the reply has begun", (client) => untilEvent(client, "REPLY_START")],
  ["the agent talks", (client) => client.until(() => client.frames.some(isAudio))],
  ["the reply has ended", (client) => untilEvent(client, "REPLY_END")],
];

test.each(MODES.flatMap((voice) => STATES.map((state) => [voice.mode, ...state, voice] as const)))(
  "in mode %s the conversation is whole when the machine is lost as %s",
  (_mode, _title, until, voice) => loseMachine(voice, until),
);

test.each(
  PROVIDERS.flatMap((provider) =>
    STATES.map(([title, until]) => [provider.name, title, until, provider] as const),
  ),
)(
  "over %s the conversation is whole when the machine is lost as %s",
  async (_name, title, until, provider) => {
    const fake = await provider.start();
    onTestFinished(() => fake.stop());
    const killed = Promise.withResolvers<void>();
    let pieces = 0;
    // The answer stays in the middle until the machine is lost.
    fake.traps.pace = () => {
      pieces += 1;
      return pieces === 3 && title !== "the reply has ended" ? killed.promise : Promise.resolve();
    };
    await loseMachine(voiceOf(provider, fake.url), until, () => killed.resolve());
  },
);

test.each(MODES.map((voice) => [voice.mode, voice] as const))(
  "in mode %s a tool that works when the machine is lost is not run again",
  async (_mode, voice) => {
    const tools = await startEffectServer();
    onTestFinished(() => tools.stop());
    const pay = { type: "http", name: "pay", input_schema: { type: "object" } };
    const { id, key, baseUrl, ask } = await openSession(voice, {
      tools: [{ ...pay, url: `${tools.url}/pay`, headers: { [HANG_HEADER]: "1" } }],
      permission: { rules: [{ tool_name: "pay", behavior: "allow" }] },
    });
    const client = await VoiceClient.connect(id, { key, baseUrl });
    client.send({ type: "text", text: "/say One moment.\n/call pay {}\n/say It is done." });
    await expect.poll(() => tools.effects(id).length).toBe(1);
    await platform.kill();
    await client.untilClosed();

    const { base_url } = await platform.running();
    const after = client.events.at(-1)?.seq ?? 0;
    const back = await VoiceClient.connect(id, { key, baseUrl: base_url, start: { after } });
    await back.until(() => back.events.some(isEnd));
    const { data } = await ask<{ data: Stored[] }>("GET", `/v1/sessions/${id}/messages`);
    expect(tools.effects(id)).toHaveLength(1);
    expect(data.map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(data[1]?.content.map(({ type }) => type)).toEqual([
      "text",
      "tool_call",
      "tool_result",
      "text",
    ]);
    await back.close();
  },
);

async function loseMachine(
  voice: object,
  until: (client: VoiceClient) => Promise<void>,
  onKilled: () => void = () => undefined,
): Promise<void> {
  const { id, key, baseUrl, ask } = await openSession(voice);
  const client = await VoiceClient.connect(id, { key, baseUrl });
  client.speak("/say One two three four.");
  client.send({ type: "commit" });
  await until(client);
  await platform.kill();
  await client.untilClosed();
  onKilled();

  const { base_url } = await platform.running();
  const after = client.events.at(-1)?.seq ?? 0;
  const back = await VoiceClient.connect(id, { key, baseUrl: base_url, start: { after } });
  if (!client.events.some(isEnd)) await back.until(() => back.events.some(isEnd));
  back.speak("/say And on.");
  back.send({ type: "commit" });
  await back.until(() => back.heard().some(({ text }) => text === "And on."));
  const seqs = [...client.events, ...back.events].map(({ seq }) => seq);
  expect(seqs).toEqual([...new Set(seqs)].sort((one, other) => one - other));
  const { data } = await ask<{ data: Stored[] }>("GET", `/v1/sessions/${id}/messages`);
  expect(data.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
  await back.close();
}

function isEnd({ type }: { readonly type: string }): boolean {
  return type === "REPLY_END";
}

function isAudio({ type }: { readonly type: string }): boolean {
  return type === "binary";
}

function untilWritten(client: VoiceClient): Promise<void> {
  return client.until(() =>
    client.events.some((event) => event.type === "CUSTOM" && event.name === "speech_transcribed"),
  );
}

function untilEvent(client: VoiceClient, name: string): Promise<void> {
  return client.until(() => client.events.some(({ type }) => type === name));
}
