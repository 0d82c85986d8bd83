// Responses of the Realtime API that a hostile or a broken server tells of: what is said, called and remembered of them.
import { afterEach, beforeEach, expect, it } from "vitest";

import type { VoiceModelEvent } from "../../../../agent/voice/voice-model.ts";
import { createScriptedModel } from "../../../../model/scripted/scripted-model.ts";
import { AssistantMsg, UserMsg } from "../../../../protocol/messages/constructors.ts";
import { openAiSuite } from "../../../support/voice/openai-voice.ts";
import { askVoice, openVoice } from "../../../support/voice/opened-voice.ts";
import { failureOf } from "../../../support/voice/provider-failures.ts";
import type { Frame } from "../../../support/voice/providers/fake-provider.ts";
import { waitUntil } from "../../../support/wait-for.ts";

const NOBODY = createScriptedModel({
  name: "nobody",
  tokensPerSecond: 0,
  decideTurn: () => ({ parts: [] }),
});
const ASKED = UserMsg("user", "/say Yes.");

let started: Awaited<ReturnType<ReturnType<typeof openAiSuite>["start"]>>;
beforeEach(async () => {
  started = await openAiSuite("openai").start();
});
afterEach(() => started.stop());

/** A response that was asked for has begun; the test says what follows of it. */
async function begin() {
  started.traps.isStuck = true;
  const opened = await openVoice(started.makeVoice());
  const client = await started.server.client();
  const [model] = opened.connection.speaks([NOBODY]);
  const said = askVoice(model, [ASKED]);
  await waitUntil(() => opened.events.find(({ type }) => type === "response_created"));
  const response_id = ownId(opened.events);
  const send = (type: string, members: Frame = {}) =>
    client.send({ type, response_id, output_index: 0, content_index: 0, ...members });
  const end = (status: string) =>
    client.send({ type: "response.done", response: { id: response_id, status } });
  const sent = (type: string) => client.frames.filter((frame) => frame["type"] === type);
  return { ...opened, client, model, said, send, end, sent };
}

/** The provider's own id of the first response. */
function ownId(events: readonly VoiceModelEvent[]): string {
  const ids = events.flatMap((event) =>
    event.type === "response_created" ? (/resp_\d+$/.exec(event.response_id)?.[0] ?? "") : [],
  );
  return ids[0] ?? "";
}

const SAYS = "response.output_audio_transcript.delta";
const CALLS = "response.function_call_arguments";

it("knows the words of several items again as the one text that they are in the log", async () => {
  const { model, said, send, end, sent } = await begin();
  send(SAYS, { item_id: "one", delta: "One. " });
  send(SAYS, { item_id: "two", delta: "Two." });
  const item = { id: "call", type: "function_call", name: "look", call_id: "c1" };
  send("response.output_item.added", { item });
  send(`${CALLS}.done`, { item_id: "call", call_id: "c1", arguments: "{}" });
  send(SAYS, { item_id: "three", delta: "Three." });
  end("completed");
  const first = await said;
  const texts = ["One. Two.", "Three."].map((text) => ({ type: "text", text }) as const);
  await askVoice(model, [ASKED, AssistantMsg("agent", texts), UserMsg("user", "And?")]);

  expect(first).toEqual(["One. Two.Three.", "look{}"]);
  const told = sent("conversation.item.create").map(({ item: one }) => one);
  expect(told).toMatchObject([
    { role: "user", content: [{ text: "/say Yes." }] },
    { role: "user", content: [{ text: "And?" }] },
  ]);
});

it("makes no call of which half has come when its response is cancelled", async () => {
  const { said, send, end } = await begin();
  send("response.output_item.added", {
    item: { id: "call", type: "function_call", name: "refund", call_id: "c1" },
  });
  send(`${CALLS}.delta`, { item_id: "call", call_id: "c1", delta: "" });
  end("cancelled");

  expect(await said).toEqual(["refund", "error upstream"]);
});

it("leaves what is said in the conversation when another response is said to have ended", async () => {
  const { client, said, send, end, sent } = await begin();
  send(SAYS, { item_id: "own", delta: "Yes." });
  send(SAYS, { item_id: "lie", delta: "No.", response_id: "resp_lie" });
  client.send({ type: "response.done", response: { id: "resp_lie", status: "completed" } });
  end("completed");

  expect(await said).toEqual(["Yes."]);
  const deleted = await waitUntil(() => {
    const frames = sent("conversation.item.delete");
    return frames.length > 0 ? frames : undefined;
  });
  expect(deleted.map(({ item_id }) => item_id)).toEqual(["lie"]);
});

it("tells developers of failures of the response that was asked for alone", async () => {
  started.traps.isStuck = true;
  const { connection, events } = await openVoice(started.makeVoice());
  const client = await started.server.client();
  const [model] = connection.speaks([NOBODY]);
  const failing = failureOf(model, [ASKED]);
  await waitUntil(() => events.find(({ type }) => type === "response_created"));
  const done = (id: string, message: string) => {
    const status_details = { type: "failed", error: { code: "server_error", message } };
    client.send({ type: "response.done", response: { id, status: "failed", status_details } });
  };
  done("resp_lie", "Not yours.");
  done(ownId(events), "Yours.");

  expect((await failing).report).toMatchObject({ message: "Yours." });
});

it("remembers no id, and no name, that is longer than any", async () => {
  const { said, send, end, events } = await begin();
  const long = "x".repeat(100_000);
  send("input_audio_buffer.speech_started", { item_id: long });
  send("input_audio_buffer.committed", { item_id: long });
  send("conversation.item.input_audio_transcription.completed", { item_id: long });
  send(SAYS, { item_id: long, delta: "Yes." });
  send("response.output_item.added", {
    item: { id: "call", type: "function_call", name: long, call_id: long },
  });
  send(`${CALLS}.done`, { item_id: "call", call_id: long, arguments: "{}" });
  end("completed");
  await said;

  expect(JSON.stringify(events).length).toBeLessThan(5_000);
});
