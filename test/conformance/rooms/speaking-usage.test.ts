// Speech of people in a room is in the tenant's usage: by room, model and end user, with the tokens of writing it down.
import { expect, onTestFinished, test } from "vitest";

import { openRequest, request } from "../../support/platform-client.ts";
import { startFakeAudio } from "../../support/voice/fake-audio.ts";
import { openSpeakingRoom, untilEnded } from "../../support/voice/room-voice.ts";

type Row = Readonly<Record<string, string | number | null>>;

const USAGE = {
  type: "tokens",
  input_tokens: 14,
  input_token_details: { text_tokens: 4, audio_tokens: 10 },
  output_tokens: 5,
  total_tokens: 19,
};

function writing(text: string) {
  return (body: { answer: (text: string, type: string) => void }) =>
    body.answer(JSON.stringify({ text, usage: USAGE }), "application/json");
}

async function readUsage(key: string, query: string): Promise<readonly Row[]> {
  const { body } = await request<{ data: Row[] }>("GET", `/v1/usage?${query}`, { key });
  return body.data;
}

/** The rows, once so many turns are in them. */
async function untilHeard(key: string, query: string, tokens: number): Promise<readonly Row[]> {
  for (;;) {
    const rows = await readUsage(key, query);
    if (rows.reduce((sum, row) => sum + Number(row["input_tokens"]), 0) >= tokens) return rows;
  }
}

test("by room, model and person, also where there was nothing to write down", async () => {
  const fake = await startFakeAudio({ transcription: [writing("Hello."), writing(" ")] });
  onTestFinished(() => fake.stop());
  const transcription = { provider: "openai", name: "ears-9", base_url: fake.baseUrl };
  const opened = await openSpeakingRoom({
    names: ["ann"],
    hears: { transcription, turns: { type: "manual" } },
  });
  const { key, room } = opened;
  const mia = await opened.connect();
  mia.speak("Hello.");
  mia.send({ type: "commit" });
  await untilEnded(mia);
  mia.speak("Hm.");
  mia.send({ type: "commit" });
  await mia.until(() => mia.errors.length > 0);
  const ofModel = "model_name=ears-9";
  const [written] = await untilHeard(key, `group_by=agent,model,end_user&${ofModel}`, 28);
  const [message] = (
    await request<{ data: { usage: { audio: { input_ms: number } } }[] }>(
      "GET",
      `${opened.path}/messages`,
      { key },
    )
  ).body.data;
  const input_ms = message?.usage.audio.input_ms;

  expect(mia.errors.map(({ code }) => code)).toEqual(["speech_not_transcribed"]);
  expect(written).toMatchObject({
    agent_id: room.id,
    model_name: "ears-9",
    end_user_id: "mia",
    replies: 0,
    input_tokens: 28,
    output_tokens: 10,
    cost_usd: null,
    audio_input_ms: input_ms,
    audio_input_tokens: 20,
    audio_output_ms: 0,
  });
  const csv = await openRequest("GET", `/v1/usage?group_by=agent&${ofModel}&format=csv`, { key });
  expect(await csv.text()).toContain(room.id);
  const path = `/v1/usage/series?series_by=agent,model&${ofModel}`;
  const { body: series } = await request<{ points: Row[] }>("GET", path, { key });
  expect(series.points).toMatchObject([
    { agent_id: room.id, audio_input_ms: input_ms, audio_input_tokens: 20, replies: 0 },
  ]);
  await mia.close();

  await request("DELETE", opened.path, { key });
  const after = await readUsage(key, `group_by=end_user&${ofModel}`);
  expect(after).toMatchObject([{ end_user_id: null, input_tokens: 28, audio_input_ms: input_ms }]);
});
