// The A2A SDK's own client loses its stream at every frame, and takes the task up again.
import { TaskState, type StreamResponse } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { describe, expect, inject, it } from "vitest";

import { A2A_BINDINGS, openA2aDesk } from "../../support/a2a/a2a-desk.ts";
import { HOLD, startGateTool } from "../../support/gate-tool.ts";
import { connectA2a, cursorOf, holdFrames, requestOf, textsOf } from "./a2a-client.ts";

const SCRIPT = `/think I look.\n/say One.\n/words 40\n/data image/png aGVsbG8=\n${HOLD}\n/say End.`;

async function streamOf(
  client: Client,
  { until }: { readonly until?: number } = {},
): Promise<readonly StreamResponse[]> {
  const frames: StreamResponse[] = [];
  for await (const frame of client.sendMessageStream(requestOf(SCRIPT))) {
    frames.push(frame);
    // Leaving the loop closes the connection.
    if (frames.length === until) break;
  }
  return frames;
}

function taskIdOf([first]: readonly StreamResponse[]): string {
  return first?.payload?.$case === "task" ? first.payload.value.id : "";
}

describe.each(A2A_BINDINGS)("the SDK's client over %s", (binding) => {
  it("holds the whole task after a cut at any frame, with the place of the last one and without", async () => {
    const counting = await startGateTool();
    counting.open();
    const known = await openA2aDesk({ tools: [counting.tool] });
    const whole = await streamOf(
      await connectA2a({ ...known, baseUrl: inject("baseUrl") }, binding),
    );
    // Of the frames up to the picture, which each of the following streams has before the hold, too.
    const count = whole.findIndex(({ payload }) => {
      const parts = payload?.$case === "artifactUpdate" ? payload.value.artifact?.parts : [];
      return parts?.some(({ content }) => content?.$case !== "text");
    });
    expect(count).toBeGreaterThan(4);
    for (let cut = 1; cut <= count; cut += 1) {
      for (const isPlaced of [true, false]) {
        const gate = await startGateTool();
        const desk = await openA2aDesk({ tools: [gate.tool] });
        const client = await connectA2a({ ...desk, baseUrl: inject("baseUrl") }, binding);
        const before = await streamOf(client, { until: cut });
        const id = taskIdOf(before);
        const serviceParameters = { "Last-Event-ID": cursorOf(before.at(-1)!) };
        const options = isPlaced ? { serviceParameters } : {};
        const after: StreamResponse[] = [];
        for await (const frame of client.resubscribeTask({ id, tenant: "" }, options)) {
          after.push(frame);
          gate.open();
        }
        const task = await client.getTask({ id, tenant: "", historyLength: undefined });
        const held = holdFrames(after, isPlaced ? holdFrames(before).texts : {});

        expect(held, `cut at ${cut}, ${isPlaced ? "placed" : "not placed"}`).toEqual({
          state: TaskState.TASK_STATE_COMPLETED,
          texts: textsOf(task),
        });
      }
    }
  });

  it("reads what it has missed of a task that has ended meanwhile, by the place of the last frame", async () => {
    const desk = await openA2aDesk();
    const client = await connectA2a({ ...desk, baseUrl: inject("baseUrl") }, binding);
    const whole: StreamResponse[] = [];
    for await (const frame of client.sendMessageStream(requestOf("/say One.\n/words 40"))) {
      whole.push(frame);
    }
    const id = taskIdOf(whole);
    const serviceParameters = { "Last-Event-ID": cursorOf(whole[0]!) };
    const stream = client.resubscribeTask({ id, tenant: "" }, { serviceParameters });
    const frames: StreamResponse[] = [];
    for await (const frame of stream) frames.push(frame);

    expect(holdFrames(frames)).toEqual({
      state: TaskState.TASK_STATE_COMPLETED,
      texts: holdFrames(whole).texts,
    });
  });
});
