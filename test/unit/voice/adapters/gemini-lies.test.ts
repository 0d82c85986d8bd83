// Calls of a server that speaks Gemini's wire and is none of Google's.
import { expect, it, onTestFinished } from "vitest";

import { AssistantMsg, UserMsg } from "../../../../protocol/messages/constructors.ts";
import { openGemini } from "../../../support/voice/gemini-voice.ts";
import { startFakeGemini } from "../../../support/voice/providers/gemini-realtime.ts";
import { waitUntil } from "../../../support/wait-for.ts";

it("an id that is longer than any is none, and its call is answered without it", async () => {
  const server = await startFakeGemini({ isStuck: true });
  onTestFinished(() => server.stop());
  const { ask, events } = await openGemini(server);
  const asked = UserMsg("user", "/say Yes.");
  const said = ask([asked]);
  const { client } = server.connection;
  await waitUntil(() => server.connection.frames.find((frame) => frame.realtimeInput?.activityEnd));
  const call = { id: "x".repeat(100_000), name: "look_up", args: {} };
  client.sendBinary({ toolCall: { functionCalls: [call] } });
  expect(await said).toEqual(["look_up{}"]);
  const { call_id: id } = events.find((event) => event.type === "response_tool_use_done")!;
  const reply = AssistantMsg("agent", [
    { type: "tool_call", id, name: "look_up", input: "{}" },
    { type: "tool_result", id, name: "look_up", output: "There.", state: "success" },
  ]);
  const stop = new AbortController();
  const next = ask([asked, reply], { stop: stop.signal });
  const { toolResponse } = await waitUntil(() =>
    server.connection.frames.find((frame) => frame.toolResponse),
  );
  stop.abort();
  await next;

  expect(toolResponse?.functionResponses).toEqual([
    { id: "", name: "look_up", response: { output: "There." } },
  ]);
});
