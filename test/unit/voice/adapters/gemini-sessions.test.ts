// Sessions of Gemini Live that end: what goes on over the next connection, what is told anew, and what nobody is told.
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { ModelReporter } from "../../../../agent/failure-report.ts";
import { SessionHandles } from "../../../../model/voice/gemini/session-handles.ts";
import { textToPcm } from "../../../../model/voice/tones.ts";
import { AssistantMsg, UserMsg } from "../../../../protocol/messages/constructors.ts";
import type { Msg } from "../../../../protocol/messages/messages.ts";
import { GEMINI_KEY, geminiModel, openGemini } from "../../../support/voice/gemini-voice.ts";
import { SERVER_TURNS, spokenMessage } from "../../../support/voice/opened-voice.ts";
import {
  startFakeGemini,
  type FakeGemini,
} from "../../../support/voice/providers/gemini-realtime.ts";
import { waitUntil } from "../../../support/wait-for.ts";

let server: FakeGemini;
beforeEach(async () => {
  server = await startFakeGemini();
});
afterEach(() => server.stop());

const ASKED = UserMsg("user", "/say One.");
const ANSWERED: readonly Msg[] = [ASKED, AssistantMsg("agent", [{ type: "text", text: "One." }])];
const NEXT = UserMsg("user", "/say Two.");

/** A session that has answered once, and a handle of it. */
async function answeredOnce(handles: SessionHandles) {
  const opened = await openGemini(server, {}, { handles });
  await opened.ask([ASKED]);
  await opened.until("r1 is completed");
  // A round trip: the handle has come before it.
  server.connection.goAway("0s");
  await opened.until("ended: go_away");
  return opened;
}

describe("A session of Gemini's", () => {
  it("goes on over the next connection by its handle", async () => {
    const handles = new SessionHandles();
    await answeredOnce(handles);
    const next = await openGemini(server, { history: [...ANSWERED, NEXT] }, { handles });

    expect(await next.ask([...ANSWERED, NEXT])).toEqual(["Two."]);
    expect(server.connection.setup.sessionResumption).toEqual({ handle: "handle_1" });
    expect(server.connection.setup.historyConfig).toBeUndefined();
    expect(server.connection.frames.filter(({ clientContent }) => clientContent)).toEqual([]);
    expect(server.connection.conversation.map(({ parts }) => parts)).toEqual([
      [{ text: "/say One." }],
      [{ text: "One." }],
      [{ text: "/say Two." }],
      [{ text: "Two." }],
    ]);
  });

  it.each<[string, readonly Msg[]]>([
    ["something was written without it", [...ANSWERED, AssistantMsg("agent", "By the way."), NEXT]],
    ["something of it was taken out", [...ANSWERED.slice(1), NEXT]],
  ])("is told anew where %s", async (_title, history) => {
    const handles = new SessionHandles();
    await answeredOnce(handles);
    const next = await openGemini(server, { history }, { handles });

    expect(await next.ask(history)).toEqual(["Two."]);
    expect(server.connection.setup.sessionResumption).toEqual({});
    expect(server.connection.frames[1]?.clientContent?.turnComplete).toBe(true);
  });

  it("is told anew after two hours, and for another credential", async () => {
    let now = 0;
    const handles = new SessionHandles(() => now);
    await answeredOnce(handles);
    const { ask } = await openGemini(
      server,
      { history: ANSWERED },
      { handles, model: withoutKey(server) },
    );
    await ask([...ANSWERED, NEXT]);
    now = 7_200_000;
    await openGemini(server, { history: ANSWERED }, { handles });

    const setups = server.connections.slice(1).map(({ setup }) => setup.sessionResumption);
    expect(setups).toEqual([{}, {}]);
  });

  it.each([1_007, 1_008, 1_011])(
    "is told anew when its handle is refused with %i",
    async (code) => {
      const handles = new SessionHandles();
      await answeredOnce(handles);
      server.traps.handleCloses.push({ code, reason: "Invalid session resumption handle." });
      const next = await openGemini(server, { history: [...ANSWERED, NEXT] }, { handles });

      expect(await next.ask([...ANSWERED, NEXT])).toEqual(["Two."]);
      const tries = server.connections.slice(1).map(({ setup }) => setup.sessionResumption);
      expect(tries).toEqual([{ handle: "handle_1" }, {}]);
    },
  );

  it("has no handle in the middle of calls, whose results are told with the history", async () => {
    const handles = new SessionHandles();
    const first = await openGemini(server, {}, { handles });
    const asked = UserMsg("user", "/say Wait.\n/call look_up {}\n/say Found.");
    await first.ask([asked]);
    await first.until("r1 is completed");
    server.connection.goAway("2s");
    await first.until("ended: go_away");

    const { call_id: id } = first.events.find((event) => event.type === "response_tool_use_done")!;
    const reply = AssistantMsg("agent", [
      { type: "text", text: "Wait." },
      { type: "tool_call", id, name: "look_up", input: "{}", state: "finished" },
      { type: "tool_result", id, name: "look_up", output: "yes", state: "success" },
    ]);
    const next = await openGemini(server, { history: [asked, reply] }, { handles });

    expect(await next.ask([asked, reply])).toEqual(["Found."]);
    expect(server.connection.setup.sessionResumption).toEqual({});
  });

  it("stays until what it says is said when the server is about to go", async () => {
    const { ask, events, until, lines } = await openGemini(server);
    const said = ask([UserMsg("user", "/say Begun.\n/wait 100000")]);
    await waitUntil(() => events.find(({ type }) => type === "response_audio_delta"));
    server.connection.goAway("50s");
    server.connection.content({ outputTranscription: { text: " And ended.", finished: true } });
    server.connection.content({ generationComplete: true });
    server.connection.content({ turnComplete: true });

    expect(await said).toEqual(["Begun. And ended."]);
    expect((await until("ended")).slice(-2)).toEqual(["r1 is completed", "ended: go_away"]);
    expect(lines().filter((line) => line.startsWith("error"))).toEqual([]);
  });

  it("fails what it says when the server has to go, so that it is said anew", async () => {
    const { ask, events, until } = await openGemini(server);
    const said = ask([UserMsg("user", "/say Begun.\n/wait 100000")]);
    await waitUntil(() => events.find(({ type }) => type === "response_audio_delta"));
    server.connection.goAway("1s");

    expect(await said).toEqual(["Begun.", "error connection"]);
    await until("ended: go_away");
  });

  it("ends where speech that was sent is taken back", async () => {
    const { connection, until } = await openGemini(server, { turns: SERVER_TURNS });
    connection.appendAudio(textToPcm("/say No", 16_000));
    await until("hears item1");
    connection.clear();

    expect(await until("ended")).toEqual([
      expect.stringMatching("hears"),
      "ended: speech_taken_back",
    ]);
  });
});

describe("A failure of Gemini's has a name", () => {
  it.each([
    ["MALFORMED_FUNCTION_CALL", "upstream", "malformed_answer"],
    ["RESPONSE_REJECTED", "invalid_request", "answer_withheld"],
    ["PROHIBITED_INPUT_CONTENT", "invalid_request", "answer_withheld"],
    ["SOMETHING_NEW", "invalid_request", "answer_withheld"],
  ])("at the end of a turn: %s", async (reason, type, kind) => {
    server.traps.reason = reason;
    const { model, ask, until } = await openGemini(server);
    const asked = [UserMsg("user", "/say Now.")];
    const found: Parameters<ModelReporter>[0][] = [];
    const request = { system_prompt: "", tools: [], messages: asked };
    const chunks: unknown[] = [];
    const stop = new AbortController().signal;
    for await (const chunk of model.stream(request, stop, (report) => found.push(report))) {
      chunks.push(chunk.error?.type);
    }

    expect(chunks).toEqual([type]);
    expect(found).toEqual([{ failure: { kind, code: reason } }]);
    await until(`error ${reason}`);
    expect(await ask(asked)).toEqual(["Now."]);
  });

  it.each([
    [{ status: 401, body: `{"error":{"message":"bad key ${GEMINI_KEY}"}}` }, "authentication"],
    [{ status: 404, body: "no such model" }, "invalid_request"],
    [{ status: 429, body: '{"error":{"message":"slow down"}}' }, "rate_limit"],
  ])("of a refused upgrade: %j", async (refusal, type) => {
    server.traps.refusal = refusal;
    const opened = await geminiModel(server).open(SETUP, () => undefined, NEVER);

    expect(opened).toMatchObject({
      ok: false,
      error: { type },
      report: { http_status: refusal.status },
    });
    expect(JSON.stringify(opened)).not.toContain(GEMINI_KEY);
  });

  it.each([
    [1_007, "invalid_request"],
    [1_008, "permission"],
    [1_011, "upstream"],
  ])("of a close with %i, without the key", async (code, type) => {
    const { ask, events, until, model } = await openGemini(server);
    const found: Parameters<ModelReporter>[0][] = [];
    const request = { system_prompt: "", tools: [], messages: [UserMsg("user", "/wait 100000")] };
    const chunks: unknown[] = [];
    const reading = (async () => {
      for await (const chunk of model.stream(request, NEVER, (one) => found.push(one)))
        chunks.push(chunk);
    })();
    await until("response r1");
    server.connection.client.close(code, `broken by wss://x.example/?key=${GEMINI_KEY}`);
    await reading;
    await until("ended");

    expect(chunks).toEqual([{ error: { type, message: expect.any(String) } }]);
    expect(await ask([ASKED])).toEqual([`error ${type}`]);
    expect(JSON.stringify([events, chunks, found])).not.toContain(GEMINI_KEY);
    expect(JSON.stringify(found)).toContain("broken by");
  });

  it("of a server that does not answer, floods, or says what is no frame", async () => {
    const limits = { readyMs: 50, silenceMs: 50, burstFrames: 20, framesPerSecond: 1 };
    server.traps.isDeaf = true;
    const mute = await geminiModel(server, { limits }).open(SETUP, () => undefined, NEVER);
    server.traps.isDeaf = false;
    server.traps.isStuck = true;
    const silent = await openGemini(server, {}, { limits });
    const nothing = await silent.ask([ASKED]);
    const flooded = await openGemini(server, {}, { limits });
    for (let count = 0; count < 40; count += 1) server.connection.content({ turnComplete: true });
    const broken = await openGemini(server, {}, { limits });
    server.connection.client.sendText("{");

    expect(mute).toMatchObject({ ok: false, report: { kind: "timeout" } });
    expect(nothing).toEqual(["error connection"]);
    expect((await flooded.until("ended")).at(-1)).toBe("ended: too_large");
    expect((await broken.until("ended")).at(-1)).toBe("ended: malformed_answer");
  });

  it.each([
    ["a name", { id: "f1", args: {} }],
    ["an object", { id: "f1", name: "look_up", args: "{}" }],
  ])("of a call without %s", async (_title, call) => {
    const { ask, until } = await openGemini(server);
    server.traps.isStuck = true;
    const said = ask([ASKED]);
    await waitUntil(() => server.connection.inputs.includes("activityEnd") || undefined);
    server.connection.sendAny({ toolCall: { functionCalls: [call] } });

    expect(await said).toEqual(["error upstream"]);
    await until("error MALFORMED_FUNCTION_CALL");
  });

  it("of audio at another rate", async () => {
    const { ask, until } = await openGemini(server);
    server.traps.isStuck = true;
    const said = ask([ASKED]);
    await until("response r1");
    await waitUntil(() => server.connection.inputs.includes("activityEnd") || undefined);
    const inlineData = { mimeType: "audio/pcm;rate=48000", data: "AAAA" };
    server.connection.content({ modelTurn: { parts: [{ inlineData }] } });

    expect(await said).toEqual(["error upstream"]);
    await until("error audio_rate");
  });

  it("and one that cannot be is passed over", async () => {
    const handles = new NotedHandles();
    const { ask, lines, until } = await openGemini(server, {}, { handles });
    for (const frame of STRANGE) server.connection.sendAny(frame);
    server.connection.offerHandle();
    await waitUntil(() => handles.isKept || undefined);

    expect(await ask([ASKED])).toEqual(["One."]);
    await until("r1 is completed");
    expect(lines()).toEqual([
      "response r1",
      'item1 sounds like "One."',
      'item1 is the text "One."',
      "r1 is completed",
    ]);
  });

  it("tells nothing once it is closed, and leaves the socket", async () => {
    const { connection, events, ask } = await openGemini(server);
    connection.appendAudio(spoken());
    connection.close();
    connection.commit();
    connection.cancel();
    connection.clear();

    expect(await ask([spokenMessage(200)])).toEqual(["error connection"]);
    expect(events.map(({ type }) => type)).toEqual(["session_created"]);
    await waitUntil(() => server.connection.client.closed ?? undefined);
  });
});

const NEVER = new AbortController().signal;
const SETUP = {
  instructions: "",
  history: [],
  tools: [],
  voice: "default",
  turns: null,
  rates: { input: 16_000, output: 24_000 },
};

function withoutKey({ url: base_url }: FakeGemini) {
  return {
    provider: "gemini",
    name: "gemini-3.8-live",
    base_url,
    credential_id: undefined,
    parameters: {},
  } as const;
}

function spoken(): Uint8Array {
  return textToPcm("abc", 16_000);
}

class NotedHandles extends SessionHandles {
  isKept = false;

  override keep(...kept: Parameters<SessionHandles["keep"]>): void {
    super.keep(...kept);
    this.isKept = true;
  }
}

/** Nothing was asked, members are missing or of another type, and things are of nobody. */
const STRANGE: readonly object[] = [
  {},
  { serverContent: null },
  { serverContent: { modelTurn: { parts: "none" }, outputTranscription: 7 } },
  {
    serverContent: {
      modelTurn: { parts: [{ inlineData: { mimeType: "audio/pcm", data: "AAAA" } }] },
    },
  },
  { serverContent: { inputTranscription: { text: "of nobody", finished: true } } },
  { serverContent: { interrupted: true } },
  { serverContent: { generationComplete: true, turnComplete: true, turnCompleteReason: 4 } },
  { toolCall: { functionCalls: [{ id: "x", name: "look_up" }, null] } },
  { toolCallCancellation: { ids: [1, null, "y"] } },
  { usageMetadata: { promptTokenCount: "many", responseTokensDetails: [null] } },
  { sessionResumptionUpdate: { resumable: true } },
  { somethingNew: [1, 2, 3] },
];
