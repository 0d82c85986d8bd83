// Input of Qwen-Omni: turns, silence, calls and their results, typed text, and what it says that cannot be.
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { VoiceSetup } from "../../../../agent/voice/voice-model.ts";
import { createScriptedSpeech } from "../../../../model/voice/cascade/scripted-speech.ts";
import { textToPcm } from "../../../../model/voice/tones.ts";
import { encodeBase64 } from "../../../../protocol/base64.ts";
import { AssistantMsg, UserMsg } from "../../../../protocol/messages/constructors.ts";
import type { Msg } from "../../../../protocol/messages/messages.ts";
import { functionTools } from "../../../support/function-tools.ts";
import {
  openDashScope,
  SPEECH_RATE,
  startDashScopeVoice,
  type DashScopeVoiceOptions,
  type OpenedDashScope,
  type StartedDashScope,
} from "../../../support/voice/dashscope-voice.ts";
import { askVoice, SERVER_TURNS } from "../../../support/voice/opened-voice.ts";
import { failureOf } from "../../../support/voice/provider-failures.ts";
import { SUITE_SECRET } from "../../../support/voice/provider-suite.ts";
import { waitUntil } from "../../../support/wait-for.ts";

const { tools } = functionTools({ look_up: { run: () => "there" } });
const TURNS = [
  ["that it ends", null],
  ["that it finds", SERVER_TURNS],
] as const;

let started: StartedDashScope;
beforeEach(async () => {
  started = await startDashScopeVoice();
});
afterEach(() => started.stop());

const open = (setup?: Partial<VoiceSetup>, options?: DashScopeVoiceOptions) =>
  openDashScope(started, setup, options);

/** The reply with the calls that were told, and their results. */
function answered({ events }: OpenedDashScope): Msg {
  const calls = events.filter((event) => event.type === "response_tool_use_done");
  return AssistantMsg("agent", [
    ...calls.map(({ call_id: id, name, input }) => ({
      type: "tool_call" as const,
      id,
      name,
      input,
      state: "finished" as const,
    })),
    ...calls.map(({ call_id: id, name, input }) => ({
      type: "tool_result" as const,
      id,
      name,
      output: `there: ${input}`,
      state: "success" as const,
    })),
  ]);
}

describe("Calls of Qwen-Omni", () => {
  it.each(TURNS)(
    "are made beside each other, and go on with their results, in turns %s",
    async (_, turns) => {
      const opened = await open({ turns, tools });
      const { say, model, sent, until } = opened;
      const asked = await say(
        '/call look_up {"id":"1"}\n/call look_up {"id":"2"}\n/say Both are there.',
      );
      const called = await askVoice(model, [asked]);
      await until("r1 is completed");
      const said = await askVoice(model, [asked, answered(opened)]);

      expect(called).toEqual(['look_up{"id":"1"}', 'look_up{"id":"2"}']);
      expect(said).toEqual(["Both are there."]);
      const asks = turns ? [] : ["response.create"];
      expect(sent().filter((type) => type !== "input_audio_buffer.commit")).toEqual([
        "session.update",
        ...asks,
        "conversation.item.create",
        "conversation.item.create",
        ...asks,
      ]);
      expect(started.brains[0]?.lines().slice(1)).toEqual([
        'calls look_up {"id":"1"}',
        'calls look_up {"id":"2"}',
        'result there: {"id":"1"}',
        'result there: {"id":"2"}',
        "assistant: Both are there.",
      ]);
    },
  );

  it("have the names of their items where their ends have none", async () => {
    started.traps.isTerse = true;
    const { say, model } = await open({ tools });

    expect(await askVoice(model, [await say('/call look_up {"id":"1"}')])).toEqual([
      'look_up{"id":"1"}',
    ]);
  });

  it("have the inputs that their ends say, whatever the pieces were", async () => {
    const { say, model } = await open({ tools });
    started.traps.beside = (client, event) => {
      if (event["type"] !== "response.function_call_arguments.done") return;
      client.send({ ...event, arguments: '{"id":"right"}' });
    };

    expect(await askVoice(model, [await say('/call look_up {"id":"1"}')])).toEqual([
      'look_up{"id":"right"}',
    ]);
  });
});

it("Calls of Qwen-Omni that have not come whole are none, and their response has failed", async () => {
  const { say, model, events } = await open({ tools });
  started.traps.beside = (client, event) => {
    if (event["type"] !== "response.output_item.added") return;
    const item = { id: "item_x", type: "function_call", call_id: "call_x", name: "look_up" };
    client.send({ ...event, item });
  };

  expect(await askVoice(model, [await say('/call look_up {"id":"1"}')])).toEqual([
    'look_up{"id":"1"}',
    "error upstream",
  ]);
  expect(events.filter(({ type }) => type === "response_tool_use_done")).toHaveLength(1);
});

describe("Typed text", () => {
  it("is answered by the agent's own model, and said by a model that speaks", async () => {
    const { say, model, until, sent } = await open({}, { speech: createScriptedSpeech() });
    const typed = UserMsg("user", "/say Typed.");
    const written = await askVoice(model, [typed]);
    const lines = await until("r1 is completed");
    const reply = AssistantMsg("agent", [{ type: "text", text: "Typed." }]);
    const spoken = await askVoice(model, [typed, reply, await say("/say Spoken.")]);

    expect([written, spoken]).toEqual([["Typed."], ["Spoken."]]);
    expect(lines).toEqual([
      "response r1",
      'item1 is the text "Typed."',
      'item1 sounds like "Typed."',
      "r1 is completed",
    ]);
    expect(started.brains[0]?.lines()).toEqual([
      "user: /say Typed.",
      "assistant: Typed.",
      "user: /say Spoken.",
      "assistant: Spoken.",
    ]);
    expect(sent().filter((type) => type === "response.create")).toHaveLength(1);
  });

  it("is answered as text alone where no model speaks", async () => {
    const { model, events, connection } = await open();

    expect(await askVoice(model, [UserMsg("user", "/say Typed.")])).toEqual(["Typed."]);
    expect(events.filter(({ type }) => type !== "session_created")).toEqual([]);
    connection.close();
  });

  it("is not said to its end when it is cancelled", async () => {
    const { model, until, connection } = await open(
      {},
      {
        speech: { rate: 24_000, speak: (_text, stop) => untilAborted(stop) },
      },
    );
    const said = askVoice(model, [UserMsg("user", "/say One. Two.")]);
    await until("response");
    connection.cancel();

    expect(await said).toEqual(["One. Two."]);
    expect((await until("r1 is")).at(-1)).toBe("r1 is cancelled");
  });

  it("has the results of calls that another model or connection has made", async () => {
    const { model, say } = await open({ tools });
    const asked = UserMsg("user", '/call look_up {"id":"1"}\n/say It is there.');
    const reply = AssistantMsg("agent", [
      { type: "tool_call", id: "call_1", name: "look_up", input: '{"id":"1"}', state: "finished" },
      { type: "tool_result", id: "call_1", name: "look_up", output: "there", state: "success" },
    ]);

    expect(await askVoice(model, [asked], { tools })).toEqual(['look_up{"id":"1"}']);
    expect(await askVoice(model, [asked, reply], { tools })).toEqual(["It is there."]);
    const spoken = await say("/say Spoken.");
    expect(await askVoice(model, [asked, reply, spoken])).toEqual(["Spoken."]);
  });
});

describe("The user's speech", () => {
  it("ends by silence when its end is asked for, or the microphone stops", async () => {
    const { connection, until, lines } = await open(
      { turns: SERVER_TURNS },
      { waits: { stalledTurnMs: 40 } },
    );
    connection.commit();
    await until("error");
    connection.appendAudio(textToPcm("/say One.", SPEECH_RATE));
    await until("hears");
    connection.commit();
    await until("heard item1");
    connection.appendAudio(textToPcm("/say Two.", SPEECH_RATE));
    await until("heard item2");

    expect(lines().filter((line) => /^(?:hears|heard|error|transcript)/.test(line))).toEqual([
      "error input_audio_buffer_commit_empty: There is no speech since the last turn.",
      "hears item1 from 0",
      "heard item1 to 440",
      "transcript of item1: /say One.",
      "hears item2 from 440",
      "heard item2 to 880",
      "transcript of item2: /say Two.",
    ]);
  });

  it("goes on after a while without audio, in which the connection was kept alive", async () => {
    const { connection, until } = await open({}, { waits: { keepAliveMs: 30 } });
    const client = await started.server.client();
    await waitUntil(() => client.frames.filter(({ audio }) => audio)[1]);
    connection.appendAudio(textToPcm("/say One.", SPEECH_RATE));
    connection.commit();

    expect(await until("transcript")).toContain("heard item1 to 440");
  });

  it.each([
    ["late", ["heard item1 to 440", "transcript of item1: /say One."]],
    ["never", ["heard item1 to 440"]],
    ["failed", ["heard item1 to 440", "error of item1 asr_failed: It was noise."]],
  ] as const)("is answered though its transcript comes %s", async (how, heard) => {
    started.traps.transcripts = how;
    const { say, model, until, lines } = await open();

    expect(await askVoice(model, [await say("/say One.")])).toEqual(["One."]);
    await until(how === "late" ? "transcript" : "r1 is");
    expect(lines().filter((line) => /heard|of item1/.test(line))).toEqual(heard);
  });

  it("has a small picture with it from the next turn on, one a second", async () => {
    const { say, model } = await open();
    const picture = (media_type: string, data: string) =>
      ({ type: "data", source: { type: "base64", media_type, data } }) as const;
    const [small, large] = ["AAAA", "AAAA".repeat(70_000)].map((data) =>
      picture("image/jpeg", data),
    );
    const spoken = await say("/say I see.");
    const shown = UserMsg("user", [small!, small!, large!, picture("image/gif", "AAAA")]);
    const message = { ...spoken, content: [...spoken.content, ...shown.content] };

    expect(await askVoice(model, [message])).toEqual(["I see."]);
    const { frames } = await started.server.client();
    expect(frames.filter(({ image }) => image)).toEqual([
      { type: "input_image_buffer.append", image: "AAAA" },
    ]);
    expect(JSON.stringify(frames.at(-2))).toContain("not shown here");
  });

  it("is refused where a commit finds nothing", async () => {
    const { connection, until } = await open();
    connection.commit();

    expect(await until("error")).toEqual([
      "error input_audio_buffer_commit_empty: There is no speech since the last turn.",
    ]);
  });
});

describe("What Qwen-Omni cannot have said", () => {
  it("is passed over: unknown items, other responses, ends that come twice", async () => {
    const { say, model, until, lines } = await open();
    started.traps.beside = (client, event) => {
      const id = { response_id: "resp_other", item_id: "item_other" };
      const audio = encodeBase64(new Uint8Array(480));
      client.send({ type: "response.audio.delta", ...id, delta: audio });
      client.send({ type: "response.audio_transcript.delta", ...id, delta: "No." });
      client.send({ type: "response.done", response: { id: "resp_other" } });
      const transcription = "conversation.item.input_audio_transcription.completed";
      client.send({ type: transcription, item_id: "item_other", transcript: "No." });
      client.send({ type: "input_audio_buffer.speech_stopped", item_id: "item_other" });
      if (String(event["type"]).endsWith(".done")) client.send(event);
    };

    expect(await askVoice(model, [await say("/say Yes.")])).toEqual(["Yes."]);
    await until("r1 is completed");
    expect(lines()).toEqual([
      "heard item1 to 440",
      "transcript of item1: /say Yes.",
      "response r1",
      'item2 is the text "Yes."',
      'item2 sounds like "Yes."',
      "r1 is completed",
    ]);
  });

  it("has its samples whole where pieces cut them", async () => {
    const { say, model, until } = await open();
    started.traps.beside = (client, event) => {
      if (event["type"] !== "response.audio_transcript.delta") return;
      const half = { ...event, type: "response.audio.delta", delta: "AA==" };
      client.send(half);
      client.send(half);
    };

    expect(await askVoice(model, [await say("/say Yes.")])).toEqual(["Yes."]);
    expect(await until("r1 is completed")).toContain('item2 sounds like "Yes."');
  });

  it("ends where it would have no end", async () => {
    const limits = { burstBytes: 1e9, burstFrames: 1e6 };
    const { say, model, until, sent } = await open({}, { limits });
    started.traps.isStuck = true;
    const said = askVoice(model, [await say("/say Yes.")]);
    await until("response");
    const client = await started.server.client();
    const id = { response_id: "resp_2", item_id: "item_x" };
    const delta = encodeBase64(new Uint8Array(1_000_000));
    for (let sent = 0; sent < 15; sent += 1)
      client.send({ type: "response.audio.delta", ...id, delta });

    expect(await said).toEqual(["output_limit"]);
    expect((await until("r1 is")).at(-1)).toBe("r1 is incomplete");
    await waitUntil(() => sent().includes("response.cancel") || undefined);
  });

  it("fails a response with the server's words for developers", async () => {
    const { say, model, until } = await open();
    started.traps.failure = { code: "overloaded", message: `Not with ${SUITE_SECRET}` };
    const failed = await failureOf(model, [await say("/say Yes.")]);
    await until("r1 is failed");
    const again = await askVoice(model, []);

    expect(failed).toEqual({
      said: ["Yes.", "error upstream"],
      report: { kind: "provider_error", code: "overloaded", message: "Not with [redacted]" },
    });
    expect(again).toEqual(["Yes."]);
  });

  it("tells of errors that are none of ours, and is silent about harmless ones", async () => {
    const { until, lines } = await open();
    const client = await started.server.client();
    const tell = (error: unknown) => client.send({ type: "error", error });
    tell({ code: "invalid_value", message: "Conversation has no active response to cancel" });
    tell({ code: "invalid_value", message: "Error append image before append audio." });
    tell({ type: "server_error", message: `Rack 7 with ${SUITE_SECRET}` });
    tell(null);
    await until("error provider_error");

    expect(lines()).toEqual([
      "error server_error: Rack 7 with [redacted]",
      "error provider_error: ",
    ]);
  });

  it("fails the call whose response is refused", async () => {
    const { say, model } = await open();
    started.traps.beside = (client, event) => {
      if (event["type"] !== "response.created") return;
      client.send({ type: "error", error: { code: "quota", message: "No tokens are left." } });
    };

    expect(await failureOf(model, [await say("/say Yes.")])).toEqual({
      said: ["error upstream"],
      report: { kind: "provider_error", code: "quota", message: "No tokens are left." },
    });
  });

  it.each([
    ["InvalidApiKey", "authentication", "credential_refused"],
    ["AccessDenied.Unpurchased", "permission", "permission_refused"],
    ["Throttling.RateQuota", "rate_limit", "rate_limited"],
  ])("says what a refusal by the code %s is", async (code, type, kind) => {
    const { say, model } = await open();
    started.traps.failure = { code, message: "No." };

    expect(await failureOf(model, [await say("/say Yes.")])).toEqual({
      said: ["Yes.", `error ${type}`],
      report: { kind, code, message: "No." },
    });
  });
});

function untilAborted(stop: {
  addEventListener(type: "abort", done: () => void): void;
}): Promise<null> {
  return new Promise((resolve) => stop.addEventListener("abort", () => resolve(null)));
}
