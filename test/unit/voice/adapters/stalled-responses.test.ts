// Responses and sessions that do not come on, of providers whose other adapters' claims do not reach: none is waited for
// without an end.
import { expect, it, onTestFinished } from "vitest";

import { SessionHandles } from "../../../../model/voice/gemini/session-handles.ts";
import { AssistantMsg, UserMsg } from "../../../../protocol/messages/constructors.ts";
import {
  openDashScope,
  startDashScopeVoice,
  type DashScopeVoiceOptions,
} from "../../../support/voice/dashscope-voice.ts";
import { geminiModel, openGemini } from "../../../support/voice/gemini-voice.ts";
import { failureOf } from "../../../support/voice/provider-failures.ts";
import { startFakeGemini } from "../../../support/voice/providers/gemini-realtime.ts";

async function openOmni(options?: DashScopeVoiceOptions) {
  const started = await startDashScopeVoice();
  onTestFinished(started.stop);
  const opened = await openDashScope(started, {}, options);
  return { ...opened, traps: started.traps, client: await started.server.client() };
}

it("a response of Qwen-Omni's that does not go on is given up, though other frames come", async () => {
  const { traps, client, say, model, until } = await openOmni({
    limits: { progressMs: 400 },
    waits: { cancelMs: 20 },
  });
  traps.isStuck = true;
  traps.cancels = "silently";
  const beating = setInterval(() => client.send({ type: "rate_limits.updated" }), 20);
  onTestFinished(() => clearInterval(beating));

  expect(await failureOf(model, [await say("/say Yes.")])).toEqual({
    said: ["error connection"],
    report: { kind: "stalled" },
  });
  expect((await until("r1 is")).at(-1)).toBe("r1 is cancelled");
});

it("a response that Qwen-Omni refuses, as another one is under way there, fails at once", async () => {
  const { client, say, model } = await openOmni();
  const message = "Conversation already has an active response";
  const error = { type: "invalid_request_error", code: "invalid_value", message };
  client.mangle = (frame) => {
    const { type } = frame as { readonly type: string };
    if (type === "response.created") return [JSON.stringify({ type: "error", error })];
    return type.startsWith("response.") ? [] : [JSON.stringify(frame)];
  };

  expect(await failureOf(model, [await say("/say Yes.")])).toEqual({
    said: ["error upstream"],
    report: { kind: "provider_error", code: "invalid_value", message },
  });
});

it("a handle that Gemini is silent about is not tried again", async () => {
  const server = await startFakeGemini();
  onTestFinished(() => server.stop());
  const handles = new SessionHandles();
  const asked = UserMsg("user", "/say One.");
  const first = await openGemini(server, {}, { handles });
  await first.ask([asked]);
  await first.until("r1 is completed");
  server.connection.goAway("0s");
  await first.until("ended: go_away");
  const history = [asked, AssistantMsg("agent", "One.")];
  const model = geminiModel(server, { handles, limits: { readyMs: 50 } });
  const setup = { instructions: "", tools: [], voice: "default", turns: null, rates: model.rates };
  server.traps.isDeaf = true;
  const stop = new AbortController().signal;
  const opened = await model.open({ ...setup, history }, () => undefined, stop);
  server.traps.isDeaf = false;
  await openGemini(server, { history }, { handles });

  expect(opened).toMatchObject({ ok: false, report: { kind: "timeout" } });
  expect(server.connections.map(({ setup: { sessionResumption } }) => sessionResumption)).toEqual([
    {},
    { handle: "handle_1" },
    {},
  ]);
});
