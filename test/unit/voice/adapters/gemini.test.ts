// Gemini Live at the port, over a socket of this machine.
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { textToPcm } from "../../../../model/voice/tones.ts";
import { AssistantMsg, UserMsg } from "../../../../protocol/messages/constructors.ts";
import { openGemini } from "../../../support/voice/gemini-voice.ts";
import { SERVER_TURNS, spokenMessage } from "../../../support/voice/opened-voice.ts";
import {
  startFakeGemini,
  type FakeGemini,
} from "../../../support/voice/providers/gemini-realtime.ts";
import type { GeminiSetup } from "../../../support/voice/providers/gemini-wire.ts";
import { waitUntil } from "../../../support/wait-for.ts";

const RATE = 16_000;
const lookUp = {
  name: "look_up",
  description: "Looks up an order.",
  input_schema: { type: "object", properties: { id: { type: "string" } } },
  read_only: true,
  concurrency_safe: true,
  idempotent: true,
};

let server: FakeGemini;
beforeEach(async () => {
  server = await startFakeGemini();
});
afterEach(() => server.stop());

function silence(ms: number): Uint8Array {
  return new Uint8Array((ms * RATE * 2) / 1_000);
}

function lengthMs(text: string): number {
  return 80 + 40 * text.length;
}

describe("A voice of Gemini's", () => {
  it("sets up its session with what the agent says, once", async () => {
    await openGemini(
      server,
      { instructions: "Be brief.", voice: "Kore", tools: [lookUp], turns: SERVER_TURNS },
      {
        model: {
          provider: "gemini",
          name: "gemini-3.8-live",
          base_url: `${server.url}/`,
          credential_id: "cred_gemini",
          parameters: {
            language: "de-DE",
            temperature: 0.5,
            top_p: 0.9,
            top_k: 40,
            max_output_tokens: 900,
          },
        },
      },
    );

    expect(server.connection.client.url).toBe(
      "/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=AIzaSecretOfTheTests0123456789",
    );
    expect(server.connection.frames).toEqual([
      {
        setup: {
          model: "models/gemini-3.8-live",
          generationConfig: {
            responseModalities: ["AUDIO"],
            speechConfig: {
              voiceConfig: { prebuiltVoiceConfig: { voiceName: "Kore" } },
              languageCode: "de-DE",
            },
            temperature: 0.5,
            topP: 0.9,
            topK: 40,
            maxOutputTokens: 900,
          },
          systemInstruction: { parts: [{ text: "Be brief." }] },
          tools: [
            {
              functionDeclarations: [
                {
                  name: "look_up",
                  description: "Looks up an order.",
                  parametersJsonSchema: lookUp.input_schema,
                },
              ],
            },
          ],
          realtimeInputConfig: {
            automaticActivityDetection: { disabled: true },
            activityHandling: "START_OF_ACTIVITY_INTERRUPTS",
            turnCoverage: "TURN_INCLUDES_ONLY_ACTIVITY",
          },
          sessionResumption: {},
          contextWindowCompression: { slidingWindow: {} },
          inputAudioTranscription: { languageCodes: ["de-DE"] },
          outputAudioTranscription: { languageCodes: ["de-DE"] },
        } satisfies GeminiSetup,
      },
    ]);
  });

  it("hears a turn as it is spoken, and answers it when a reply asks", async () => {
    const { connection, until, lines, ask, events } = await openGemini(server, {
      turns: SERVER_TURNS,
    });
    const text = "/say Good day to you.";
    connection.appendAudio(silence(500));
    connection.appendAudio(textToPcm(text, RATE));
    await waitUntil(() => server.connection.frames.length > 3 || undefined);
    expect(server.connection.inputs).toEqual(["activityStart"]);
    connection.appendAudio(silence(800));
    await until("heard item1");

    const said = await ask([spokenMessage(1_420)]);

    expect(said).toEqual(["Good day to you."]);
    await until("transcript");
    expect(server.connection.inputs).toEqual(["activityStart", "activityEnd"]);
    expect(lines()).toEqual(
      [
        "hears item1 from 200",
        "heard item1 to 1620",
        "response r1",
        'item2 is the text "Good day to you."',
        'item2 sounds like "Good day to you."',
        "r1 is completed",
        "transcript of item1: /say Good day to you.",
      ].toSorted((one, other) => lines().indexOf(one) - lines().indexOf(other)),
    );
    expect(events.find(({ type }) => type === "response_done")).toMatchObject({
      usage: {
        input_tokens: 40,
        output_tokens: 21,
        cache_input_tokens: 8,
        audio: { input_tokens: 30, output_tokens: 20 },
      },
    });
  });

  it("sends a turn that the client ends when a reply asks about it", async () => {
    const { connection, until, ask } = await openGemini(server);
    connection.appendAudio(textToPcm("no", RATE));
    connection.clear();
    connection.appendAudio(textToPcm("/say Yes.", RATE));
    connection.commit();
    connection.commit();
    await until("error input_audio_buffer_commit_empty");
    expect(server.connection.frames).toHaveLength(1);

    expect(await ask([spokenMessage(lengthMs("/say Yes."))])).toEqual(["Yes."]);
    expect(server.connection.conversation[0]).toEqual({
      role: "user",
      parts: [{ text: "/say Yes." }],
    });
  });

  it("answers typed text and pictures", async () => {
    const { ask } = await openGemini(server);
    const picture = { type: "base64", media_type: "image/png", data: "AAAA" } as const;
    const asked = UserMsg("user", [
      { type: "data", source: picture },
      { type: "text", text: "/say I see." },
    ]);

    expect(await ask([asked])).toEqual(["I see."]);
    expect(server.connection.conversation[0]).toEqual({
      role: "user",
      parts: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }, { text: "/say I see." }],
    });
  });

  it("makes calls beside each other, and goes on with their results", async () => {
    const { ask, events } = await openGemini(server, { tools: [lookUp] });
    const asked = UserMsg(
      "user",
      '/say One moment.\n/call look_up {"id":"1"}\n/call look_up {"id":"2"}\n/say Both are there.',
    );
    const first = await ask([asked]);
    const calls = events.filter((event) => event.type === "response_tool_use_done");

    const reply = AssistantMsg("agent", [
      { type: "text", text: "One moment." },
      ...calls.map(({ call_id: id, name, input }) => ({
        type: "tool_call" as const,
        id,
        name,
        input,
        state: "finished" as const,
      })),
      ...calls.map(({ call_id: id, name, input }, index) => ({
        type: "tool_result" as const,
        id,
        name,
        output: `there: ${input}`,
        state: index === 0 ? ("success" as const) : ("error" as const),
      })),
    ]);
    const second = await ask([asked, reply]);

    expect(first).toEqual(["One moment.", 'look_up{"id":"1"}', 'look_up{"id":"2"}']);
    expect(second).toEqual(["Both are there."]);
    expect(server.connection.frames.at(-1)).toEqual({
      toolResponse: {
        functionResponses: [
          { id: "function-call-1", name: "look_up", response: { output: 'there: {"id":"1"}' } },
          { id: "function-call-2", name: "look_up", response: { error: 'there: {"id":"2"}' } },
        ],
      },
    });
    expect(new Set(calls.map(({ call_id }) => call_id)).size).toBe(2);
  });

  it("makes a call once that comes twice, and none that is taken back", async () => {
    const { ask, connection, until, lines } = await openGemini(server, { turns: SERVER_TURNS });
    server.traps.isStuck = true;
    const said = ask([UserMsg("user", "hello")]);
    await waitUntil(() => server.connection.inputs.includes("activityEnd") || undefined);
    const toolCall = { functionCalls: [{ id: "f1", name: "look_up" }] };
    server.connection.send({ toolCall });
    server.connection.send({ toolCall });
    await said;
    server.connection.send({ toolCallCancellation: { ids: ["f1"] } });
    server.traps.isStuck = false;
    connection.appendAudio(textToPcm("/say Yes.", RATE));
    connection.appendAudio(silence(800));
    await until("heard");

    expect(await said).toEqual(["look_up{}"]);
    expect(await ask([UserMsg("user", "hello"), spokenMessage(lengthMs("/say Yes."))])).toEqual([
      "Yes.",
    ]);
    expect(lines().filter((line) => line.startsWith("calls"))).toEqual(["calls look_up {}"]);
  });

  it("tells results in words where the user has spoken meanwhile", async () => {
    const { connection, ask, events, until } = await openGemini(server, {
      tools: [lookUp],
      turns: SERVER_TURNS,
    });
    const asked = UserMsg("user", '/call look_up {"id":"1"}');
    await ask([asked]);
    const {
      call_id: id,
      name,
      input,
    } = events.find((event) => event.type === "response_tool_use_done")!;
    connection.appendAudio(textToPcm("/say And now.", RATE));
    connection.appendAudio(silence(800));
    await until("heard");
    expect(server.connection.inputs).toEqual(["activityStart", "text", "activityEnd"]);
    const reply = AssistantMsg("agent", [
      { type: "tool_call", id, name, input, state: "finished" },
      { type: "tool_result", id, name, output: "late", state: "success" },
    ]);

    const said = await ask([asked, reply, spokenMessage(lengthMs("/say And now."))]);

    expect(said).toEqual(["And now."]);
    expect(server.connection.conversation.slice(-2)[0]).toEqual({
      role: "user",
      parts: [{ text: "/say And now." }, { text: "[The call of look_up has the result: late]" }],
    });
  });

  it("is told the conversation before it, and what was written since", async () => {
    const history = [
      UserMsg("user", "It is about A-1"),
      AssistantMsg("agent", [
        { type: "text", text: "I look." },
        {
          type: "tool_call",
          id: "call_1",
          name: "look_up",
          input: '{"id":"A-1"}',
          state: "finished",
        },
        { type: "tool_result", id: "call_1", name: "look_up", output: "sent", state: "success" },
        { type: "text", text: "It is sent." },
      ]),
      UserMsg("user", "/say Since yesterday."),
    ];
    const { ask } = await openGemini(server, { history });
    const said = await ask(history);

    expect(said).toEqual(["Since yesterday."]);
    expect(server.connection.setup.historyConfig).toEqual({ initialHistoryInClientContent: true });
    expect(server.connection.frames[1]).toEqual({
      clientContent: {
        turns: [
          { role: "user", parts: [{ text: "It is about A-1" }] },
          {
            role: "model",
            parts: [
              { text: "I look." },
              { functionCall: { id: "call_1", name: "look_up", args: { id: "A-1" } } },
            ],
          },
          {
            role: "user",
            parts: [
              {
                functionResponse: { id: "call_1", name: "look_up", response: { output: "sent" } },
              },
            ],
          },
          { role: "model", parts: [{ text: "It is sent." }] },
        ],
        turnComplete: true,
      },
    });
  });

  it.each(["cancel", "stop", "speech"] as const)(
    "is interrupted by %s, and answers what follows",
    async (way) => {
      const { connection, ask, lines, until, events } = await openGemini(server, {
        turns: SERVER_TURNS,
      });
      const stopping = new AbortController();
      const asked = UserMsg("user", "/say Begun.\n/wait 100000");
      const said = ask([asked], { stop: stopping.signal });
      await waitUntil(() => events.find(({ type }) => type === "response_audio_delta"));
      if (way === "cancel") connection.cancel();
      else if (way === "stop") stopping.abort();
      else {
        connection.appendAudio(textToPcm("/say Stop.", RATE));
        connection.appendAudio(silence(800));
      }
      expect(await said).toEqual(["Begun."]);
      await until("r1 is cancelled");

      const next =
        way === "speech" ? spokenMessage(lengthMs("/say Stop.")) : UserMsg("user", "/say Next.");
      const reply = AssistantMsg("agent", [{ type: "text", text: "Begun" }]);
      expect(await ask([asked, reply, next])).toEqual([way === "speech" ? "Stop." : "Next."]);
      expect((await until("r2 is")).at(-1)).toMatch(/r2 is completed|transcript/);
      expect(lines().filter((line) => line.startsWith("error"))).toEqual([]);
    },
  );

  it.each(["before", "after", "never"] as const)(
    "takes the user's words that come %s",
    async (transcript) => {
      server.traps.transcript = transcript;
      const { connection, ask, until, lines } = await openGemini(server, { turns: SERVER_TURNS });
      for (const [index, text] of ["/say One.", "/say Two."].entries()) {
        connection.appendAudio(textToPcm(text, RATE));
        connection.appendAudio(silence(800));
        await until(`heard item${index * 2 + 1}`);
        await ask([spokenMessage(lengthMs(text))]);
        await until(`r${index + 1} is completed`);
      }
      if (transcript !== "never") await until("transcript of item3");

      const transcripts = lines().filter((line) => line.startsWith("transcript"));
      expect(transcripts).toEqual(
        transcript === "never"
          ? []
          : ["transcript of item1: /say One.", "transcript of item3: /say Two."],
      );
    },
  );

  it("waits for words of the model that come behind the end of its turn", async () => {
    server.traps.isTextLate = true;
    const { ask } = await openGemini(server);

    expect(await ask([UserMsg("user", "/say All of it.")])).toEqual(["All of it."]);
  });
});
