// Streams of the Responses API, event by event.
import { onTestFinished } from "vitest";

import type { FailureReport } from "../../../../agent/failure-report.ts";
import type { ModelChunk } from "../../../../agent/ports.ts";
import { createOpenAiModel } from "../../../../model/openai/openai-model.ts";
import { collect } from "../../../support/collect.ts";
import { startFakeResponses } from "../../../support/fake-responses.ts";
import { joinChunks } from "../../../support/join-chunks.ts";
import { outgoing, question, running } from "../anthropic/stage.ts";

export type Event = Readonly<Record<string, unknown>>;

export const named = (type: string, members: Event = {}): Event => ({
  type: `response.${type}`,
  ...members,
});
export const completed = (response: Event = {}): Event =>
  named("completed", { response: { status: "completed", ...response } });
export const failedWith = (error: Event): Event => named("failed", { response: { error } });
export const textPart = (text: string): Event => ({ type: "output_text", text });
export const message = (text: string, members: Event = {}): Event => ({
  type: "message",
  content: [textPart(text)],
  ...members,
});
export const call = (id: string, members: Event = {}): Event => ({
  type: "function_call",
  id: `fc_${id}`,
  call_id: `call_${id}`,
  name: "look_up",
  ...members,
});
export const added = (item: Event, place: Event = {}): Event =>
  named("output_item.added", { item, ...place });
export const done = (item: Event, place: Event = {}): Event =>
  named("output_item.done", { item, ...place });
export const said = (delta: string, place: Event = {}): Event =>
  named("output_text.delta", { delta, ...place });
export const argued = (delta: unknown, place: Event = {}): Event =>
  named("function_call_arguments.delta", { delta, ...place });
export const A = '{"order_id":"A-1"}';
export const B = '{"order_id":"B-2"}';

export async function play(
  events: readonly (Event | string)[],
  contentType = "text/event-stream",
): Promise<{ chunks: readonly ModelChunk[]; failure: FailureReport | undefined }> {
  const raw = events.map((event) => {
    const data = typeof event === "string" ? event : JSON.stringify(event);
    return contentType === "text/event-stream" ? `data: ${data}\n\n` : data;
  });
  const server = await startFakeResponses((body) => body.answer(raw.join(""), contentType));
  onTestFinished(() => server.stop());
  const definition = {
    provider: "openai",
    api: "responses",
    name: "m",
    base_url: server.baseUrl,
    parameters: {},
  } as const;
  let failure: FailureReport | undefined;
  const stream = createOpenAiModel({ definition, outgoing }).stream(
    question,
    running(),
    (found) => {
      if ("failure" in found) ({ failure } = found);
    },
  );
  return { chunks: joinChunks(await collect(stream)), failure };
}

export const DONE_TEXT: readonly ModelChunk[] = [{ text: "All done." }];
const look = (index: number, id: string, delta: string) => ({ index, id, name: "look_up", delta });
export const CALL_A: readonly ModelChunk[] = [{ tool_calls: [look(0, "call_a", A)] }];
export const CALLS: readonly ModelChunk[] = [
  { tool_calls: [look(0, "call_a", A), look(1, "call_b", B)] },
];
