// The Realtime API frame by frame: what the provider is sent, and what is made of what it sends.
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { VoiceSetup } from "../../../../agent/voice/voice-model.ts";
import { createOpenAiVoice } from "../../../../model/voice/openai/openai-voice.ts";
import { createScriptedModel } from "../../../../model/scripted/scripted-model.ts";
import { textToPcm } from "../../../../model/voice/tones.ts";
import { createOutgoing } from "../../../../outgoing/outgoing.ts";
import { AssistantMsg, UserMsg } from "../../../../protocol/messages/constructors.ts";
import {
  RealtimeModelSchema,
  type RemoteRealtimeModel,
} from "../../../../protocol/voice/realtime-models.ts";
import { nodeUpgrade } from "../../../support/voice/node-upgrade.ts";
import {
  askVoice,
  openVoice,
  SERVER_TURNS,
  spokenMessage,
} from "../../../support/voice/opened-voice.ts";
import { failureOf } from "../../../support/voice/provider-failures.ts";
import {
  startFakeOpenAi,
  type FakeOpenAi,
} from "../../../support/voice/providers/openai-realtime.ts";
import { waitUntil } from "../../../support/wait-for.ts";

const RATE = 24_000;
const SECRET = "sk-secret-of-the-tests";
const NOBODY = createScriptedModel({
  name: "nobody",
  tokensPerSecond: 0,
  decideTurn: () => ({ parts: [] }),
});
const TOOL = {
  name: "lookup_order",
  description: "Finds an order",
  input_schema: { type: "object", properties: { order_id: { type: "string" } } },
  read_only: true,
  concurrency_safe: false,
  idempotent: false,
} as const;

let fake: FakeOpenAi;
beforeEach(async () => {
  fake = await startFakeOpenAi();
});
afterEach(() => fake.stop());

function voiceOf(members: object = {}, url = fake.url) {
  const given = {
    provider: "openai",
    name: "gpt x",
    base_url: url,
    credential_id: "c1",
    ...members,
  };
  const model = RealtimeModelSchema.parse(given) as Extract<
    RemoteRealtimeModel,
    { provider: "openai" }
  >;
  return createOpenAiVoice({
    model,
    truncation: undefined,
    outgoing: createOutgoing({ fetch: nodeUpgrade, environment: "local" }),
    secrets: () => ({ ok: true, secret: SECRET }),
    limits: { cancelMs: 100 },
  });
}

async function open(setup: Partial<VoiceSetup> = {}, members: object = {}) {
  const opened = await openVoice(voiceOf(members), setup);
  const client = await fake.server.client();
  const sent = (type: string) => client.frames.filter((frame) => frame["type"] === type);
  const say = async (text: string, item = "item1") => {
    opened.connection.appendAudio(textToPcm(text, RATE));
    opened.connection.commit();
    await opened.until(`heard ${item}`);
  };
  return { ...opened, client, sent, say, model: opened.connection.speaks([NOBODY])[0] };
}

describe("The Realtime API", () => {
  it("is set up with every setting of turns, the agent's tools and its parameters", async () => {
    const { client } = await open(
      { instructions: "Be kind.", turns: SERVER_TURNS, tools: [TOOL], voice: "cedar" },
      {
        parameters: {
          transcription: { model: "writer", language: "en" },
          speed: 1.1,
          noise_reduction: "far_field",
          reasoning_effort: "low",
          max_output_tokens: 900,
        },
      },
    );

    expect(client.url).toBe("/v1/realtime?model=gpt%20x");
    expect(client.headers).toMatchObject({ authorization: `Bearer ${SECRET}` });
    expect(client.frames).toEqual([
      {
        type: "session.update",
        event_id: "session_1",
        session: {
          type: "realtime",
          output_modalities: ["audio"],
          instructions: "Be kind.",
          audio: {
            input: {
              format: { type: "audio/pcm", rate: RATE },
              transcription: { model: "writer", language: "en" },
              noise_reduction: { type: "far_field" },
              turn_detection: {
                type: "server_vad",
                threshold: 0.5,
                prefix_padding_ms: 300,
                silence_duration_ms: 500,
                create_response: false,
                interrupt_response: false,
              },
            },
            output: { format: { type: "audio/pcm", rate: RATE }, voice: "cedar", speed: 1.1 },
          },
          tools: [
            {
              type: "function",
              name: "lookup_order",
              description: "Finds an order",
              parameters: TOOL.input_schema,
            },
          ],
          tool_choice: "auto",
          reasoning: { effort: "low" },
          max_output_tokens: 900,
        },
      },
    ]);
  });

  it("is set up by xAI's names, where turns are found here", async () => {
    const xai = await startFakeOpenAi("xai");
    const members = { provider: "xai", base_url: xai.url.replace("http", "ws") };
    const { connection } = await openVoice(voiceOf(members), { voice: "Ara", turns: SERVER_TURNS });
    const [setup] = (await xai.server.client()).frames;
    connection.close();
    await xai.stop();

    expect(setup?.["session"]).toEqual({
      voice: "Ara",
      turn_detection: null,
      instructions: "",
      audio: {
        input: { format: { type: "audio/pcm", rate: RATE } },
        output: { format: { type: "audio/pcm", rate: RATE } },
      },
      tools: [],
      tool_choice: "auto",
    });
  });

  it("is told the conversation so far: texts, calls with their results, pictures, notes", async () => {
    const picture = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } as const;
    const history = [
      UserMsg("user", [
        { type: "text", text: "Look:" },
        { type: "data", source: picture },
        { type: "data", source: { ...picture, media_type: "application/zip" } },
      ]),
      AssistantMsg("agent", [
        { type: "thinking", thinking: "Hm." },
        { type: "text", text: "I look." },
        {
          type: "tool_call",
          id: "a-call-of-another-model-with-a-long-id",
          name: "lookup_order",
          input: "{}",
        },
        {
          type: "tool_result",
          id: "a-call-of-another-model-with-a-long-id",
          name: "lookup_order",
          output: "",
          state: "success",
        },
        { type: "hint", hint: "It is late." },
        { type: "text", text: "Done." },
      ]),
      spokenMessage(400),
    ];
    const { sent } = await open({ history });
    const told = await waitUntil(() => {
      const items = sent("conversation.item.create").map(({ item }) => item);
      return items.length === 7 ? items : undefined;
    });

    const call_id = expect.stringMatching(/^a-call-of-[\w-]{13}_[\w-]{8}$/) as unknown as string;
    expect(told).toEqual([
      {
        type: "message",
        role: "user",
        content: [
          { type: "input_text", text: "Look:" },
          { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" },
          {
            type: "input_text",
            text: "[data of type application/zip, which this model cannot be shown]",
          },
        ],
      },
      message("assistant", "output_text", "I look."),
      { type: "function_call", call_id, name: "lookup_order", arguments: "{}" },
      { type: "function_call_output", call_id, output: "[no output, state: success]" },
      message("system", "input_text", "It is late."),
      message("assistant", "output_text", "Done."),
      message("user", "input_text", "(speech that was not transcribed)"),
    ]);
  });

  it("is told of typed words and of results alone, and asked for a response to them", async () => {
    const { say, model, sent, events } = await open({ tools: [TOOL] });
    await say("Where is A-1001?");
    const asked = { tools: [TOOL] };
    await askVoice(model, [spokenMessage(720)], asked);
    const call = events.find((event) => event.type === "response_tool_use_done")!;
    const { call_id: id, name, input } = call;
    const reply = AssistantMsg("agent", [
      { type: "tool_call", id, name, input },
      { type: "tool_result", id, name, output: "It is here.", state: "success" },
    ]);
    const messages = [spokenMessage(720), reply, UserMsg("user", "Thanks!")];
    await askVoice(model, messages, { tools: [], tool_choice: "lookup_order" });

    expect(sent("conversation.item.create").map(({ item }) => item)).toEqual([
      {
        type: "function_call_output",
        call_id: expect.stringMatching(/^call_\d+$/) as unknown,
        output: "It is here.",
      },
      message("user", "input_text", "Thanks!"),
    ]);
    expect(
      sent("session.update")
        .slice(1)
        .map(({ session }) => session),
    ).toEqual([{ type: "realtime", instructions: "", tools: [] }]);
    expect(sent("response.create")).toEqual([
      { type: "response.create", event_id: expect.stringMatching(/^respond_/) as unknown },
      {
        type: "response.create",
        event_id: expect.stringMatching(/^respond_/) as unknown,
        response: { tool_choice: { type: "function", name: "lookup_order" } },
      },
    ]);
  });

  it("cuts what was not heard, takes out what nobody heard, and is silent about what came too late", async () => {
    const { connection, say, model, events, lines, sent, until } = await open();
    await say("/say Hello world");
    await askVoice(model, [spokenMessage(760)]);
    await until("r1 is completed");
    const told = lines().length;
    const { item_id } = events.find((event) => event.type === "response_audio_delta")!;
    connection.truncate(item_id, 280.7, "Hello");
    connection.truncate(item_id, 100_000, "Hello world");
    connection.truncate(item_id, 0, "");
    connection.deleteItem(item_id);
    connection.truncate("of another connection", 10, "");
    connection.deleteItem("of another connection");
    connection.cancel();
    connection.commit();
    await until("error");

    expect(sent("conversation.item.truncate")).toMatchObject([
      { content_index: 0, audio_end_ms: 280 },
      { content_index: 0, audio_end_ms: 100_000 },
    ]);
    expect(sent("conversation.item.delete")).toHaveLength(2);
    expect(lines().slice(told)).toEqual([
      "error input_audio_buffer_commit_empty: There is no speech since the last turn.",
    ]);
    expect(fake.brains[0]?.lines()).toEqual(["user: /say Hello world"]);
  });

  it.each([
    ["late", ["transcript of item1: /say Yes."]],
    ["failed", ["error of item1 transcription_failed: It was noise."]],
  ] as const)("takes a transcript that is %s", async (transcripts, lines) => {
    fake.traps.transcripts = transcripts;
    const { say, model, until } = await open();
    await say("/say Yes.");

    expect(await askVoice(model, [spokenMessage(440)])).toEqual(["Yes."]);
    const [line] = lines;
    expect(await until(line)).toContain(line);
  });

  it.each([
    ["rate_limit_exceeded", "rate_limit", "rate_limited"],
    ["server_error", "upstream", "provider_error"],
    ["insufficient_quota", "permission", "quota_spent"],
  ] as const)(
    "fails a call whose response fails with %s, and takes out what it had said",
    async (...row) => {
      const [code, type, kind] = row;
      fake.traps.failure = { code, message: `Not now, ${SECRET}` };
      const { say, model, until } = await open();
      await say("/say Yes, at once.");
      const { said, report } = await failureOf(model, [spokenMessage(840)]);
      await until("r1 is failed");
      const again = await askVoice(model, [spokenMessage(840)]);

      expect(said.at(-1)).toBe(`error ${type}`);
      expect(report).toEqual({ kind, code, message: "Not now, [redacted]" });
      expect(again).toEqual(["Yes, at once."]);
      expect(fake.brains[0]?.lines()).toEqual([
        "user: /say Yes, at once.",
        "assistant: Yes, at once.",
      ]);
    },
  );

  it("goes on where a cancelled response is never said to have ended", async () => {
    fake.traps.cancelsSilently = true;
    const { connection, say, model, events, until } = await open();
    let pieces = 0;
    const held = Promise.withResolvers<void>();
    fake.traps.pace = () => ((pieces += 1) > 2 ? held.promise : Promise.resolve());
    await say("/words 30");
    const said = askVoice(model, [spokenMessage(440)]);
    await waitUntil(() => events.find(({ type }) => type === "response_audio_delta"));
    connection.cancel();
    await said;

    expect((await until("r1 is")).at(-1)).toBe("r1 is cancelled");
    held.resolve();
  });

  it("refuses a setup in the provider's words", async () => {
    fake.traps.setupError = {
      type: "invalid_request_error",
      code: "invalid_value",
      message: "No such voice",
    };
    const model = voiceOf();
    const setup = { instructions: "", history: [], tools: [], voice: "x", turns: null };
    const stop = new AbortController().signal;

    expect(await model.open({ ...setup, rates: model.rates }, () => {}, stop)).toMatchObject({
      ok: false,
      error: { type: "invalid_request" },
      report: { kind: "invalid_request", code: "invalid_value", message: "No such voice" },
    });
  });

  it("is not told of responses that nobody has asked for, and lies are nobody's", async () => {
    const { client, say, model, lines, until } = await open();
    const ids = { response_id: "resp_lie", item_id: "item_lie", output_index: 0, content_index: 0 };
    client.send({ type: "response.created", response: { id: "resp_lie" } });
    client.send({ type: "response.output_audio_transcript.delta", ...ids, delta: "Lies" });
    client.send({ type: "response.output_audio.delta", ...ids, delta: "AAAA" });
    client.send({ type: "response.done", response: { id: "resp_lie", status: "completed" } });
    client.send({ type: "response.done" });
    await say("/say Yes.");
    const said = await askVoice(model, [spokenMessage(440)]);
    const told = await until("r1 is completed");
    client.send({ type: "response.done", response: { id: "resp_lie" } });

    expect(said).toEqual(["Yes."]);
    expect(told.filter((line) => line.startsWith("response"))).toEqual(["response r1"]);
    expect(lines()).toEqual(told);
  });

  it("ends with the provider's own end of a session, without a word of an error", async () => {
    const { client, lines, until } = await open();
    const error = { type: "invalid_request_error", code: "session_expired", message: "60 minutes" };
    client.send({ type: "error", event_id: "event_9", error });

    await until("ended");
    expect(lines()).toEqual(["ended: connection_lost"]);
  });

  it("tells of errors that are about nothing of ours", async () => {
    const { client, until } = await open();
    client.send({
      type: "error",
      error: { type: "server_error", code: "odd", message: `No ${SECRET}` },
    });
    // xAI's may be flat.
    client.send({ type: "error", code: "flat", message: "Also no" });

    expect(await until("error flat")).toEqual(["error odd: No [redacted]", "error flat: Also no"]);
  });
});

function message(role: string, type: string, text: string) {
  return { type: "message", role, content: [{ type, text }] };
}
