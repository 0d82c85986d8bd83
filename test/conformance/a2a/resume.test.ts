// Streams that are cut at every frame, and taken up again: nothing is lost, and nothing comes twice.
import { expect, inject, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";
import type { A2aMetadata } from "../../../protocol/a2a/wire.ts";
import {
  A2A_BINDINGS,
  ASKING,
  callA2a,
  messageOf,
  openA2aDesk,
  readTask,
  sendA2a,
} from "../../support/a2a/a2a-desk.ts";
import {
  foldFrames,
  kindOf,
  openA2aStream,
  readAll,
  readA2aStream,
  textsOf,
  type A2aFrame,
} from "../../support/a2a/a2a-stream.ts";
import { HOLD, startGateTool } from "../../support/gate-tool.ts";

const SCRIPT =
  "/think I look.\n/say One.\n/words 60\n/data image/png aGVsbG8=\n/say Two.\n/words 60";

function metadataOf({ frame }: A2aFrame): A2aMetadata | undefined {
  return (frame.task ?? frame.statusUpdate ?? frame.artifactUpdate)?.metadata;
}

it("every frame has its place, as its id and in its metadata", async () => {
  const desk = await openA2aDesk();
  for (const binding of A2A_BINDINGS) {
    const frames = await readA2aStream(desk, binding, "SendStreamingMessage", messageOf(SCRIPT));

    expect(frames.map((frame) => metadataOf(frame)?.[A2A_EXTENSION])).toMatchObject(
      frames.map(({ id }) => ({ seq: expect.toSatisfy((seq) => String(seq) === id) as unknown })),
    );
    expect(new Set(frames.map(({ id }) => id)).size).toBe(frames.length);
  }
});

it("with a cursor a stream that was cut at any frame has the rest of it once, also when the task has ended", async () => {
  const desk = await openA2aDesk();
  for (const binding of A2A_BINDINGS) {
    const whole = await readA2aStream(desk, binding, "SendStreamingMessage", messageOf(SCRIPT));
    const { id } = whole[0]!.frame.task!;
    const task = await readTask(desk, id);
    for (const [index, cut] of whole.entries()) {
      const headers = { "last-event-id": cut.id };
      const [first, ...rest] = await readA2aStream(
        desk,
        binding,
        "SubscribeToTask",
        { id },
        { headers },
      );
      const after = whole.slice(index + 1);

      expect(first?.frame.task).toMatchObject({ id });
      expect(first?.frame.task).not.toHaveProperty("artifacts");
      expect(first?.frame.task).not.toHaveProperty("history");
      expect(rest.map(({ frame }) => frame)).toEqual(after.map(({ frame }) => frame));
      const before = foldFrames(whole.slice(0, index + 1)).texts;
      expect(foldFrames(rest, before).texts).toEqual(textsOf(task));
    }
  }
});

it(
  "without a cursor a subscription at any frame begins with all that came before, and has the rest once",
  BROAD,
  async () => {
    const gate = await startGateTool();
    const desk = await openA2aDesk({ tools: [gate.tool] });
    const params = messageOf(`/think I look.\n/say One.\n/rate 300\n/words 30\n${HOLD}\n/say Two.`);
    const sent = await openA2aStream(desk, "JSONRPC", "SendStreamingMessage", params);
    const { value: begun } = await sent.frames.next();
    const { id } = begun!.frame.task!;
    const later: Promise<readonly A2aFrame[]>[] = [];
    const read = [begun!];
    let isOpen = false;
    for await (const frame of sent.frames) {
      read.push(frame);
      // Behind the gate the task may be over before a subscription is there.
      if (isOpen) continue;
      const binding = A2A_BINDINGS[later.length % A2A_BINDINGS.length]!;
      const stream = await openA2aStream(desk, binding, "SubscribeToTask", { id });
      const { value: first } = await stream.frames.next();
      later.push(readAll(stream.frames).then((rest) => [first!, ...rest]));
      const words = Object.values(foldFrames(read).texts).join(" ").split(/\s+/);
      isOpen = words.length > 30;
      if (isOpen) gate.open();
    }
    const folds = (await Promise.all(later)).map((frames) => [
      kindOf(frames[0]!),
      foldFrames(frames),
    ]);
    const task = await readTask(desk, id);

    expect(folds.length).toBeGreaterThan(4);
    expect(folds).toEqual(
      folds.map(() => ["task", { state: "TASK_STATE_COMPLETED", texts: textsOf(task) }]),
    );
  },
);

it("a cut in the middle of a task that waits is taken up behind its answer", async () => {
  const desk = await openA2aDesk();
  const asking = messageOf(`/say Well.\n${ASKING}`);
  const frames = await readA2aStream(desk, "HTTP+JSON", "SendStreamingMessage", asking);
  const { id } = frames[0]!.frame.task!;
  await callA2a(desk, "JSONRPC", "CancelTask", { id });
  const headers = { "last-event-id": frames.at(-1)!.id };
  const rest = await readA2aStream(desk, "HTTP+JSON", "SubscribeToTask", { id }, { headers });

  expect(frames.at(-1)?.frame.statusUpdate?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  expect(rest.at(-1)?.frame.statusUpdate?.status.state).toBe("TASK_STATE_CANCELED");
});

it("a cursor that is none, or of a place that is not there, is refused", async () => {
  const desk = await openA2aDesk();
  const { id } = await sendA2a(desk, messageOf(ASKING));
  const seen = [];
  for (const binding of A2A_BINDINGS) {
    for (const cursor of ["x", "-1", "1.x", "999999999"]) {
      const headers = { "last-event-id": cursor };
      const { result, error } = await callA2a(
        desk,
        binding,
        "SubscribeToTask",
        { id },
        { headers },
      );
      seen.push([result, typeof error?.message]);
    }
  }

  expect(seen).toEqual(seen.map(() => [undefined, "string"]));
});

it("both verbs of a subscription over HTTP+JSON are the same", async () => {
  const desk = await openA2aDesk();
  const whole = await readA2aStream(desk, "HTTP+JSON", "SendStreamingMessage", messageOf(SCRIPT));
  const { id } = whole[0]!.frame.task!;
  const headers = { "a2a-version": "1.0", "last-event-id": whole[0]!.id };
  const texts = [];
  for (const method of ["GET", "POST"]) {
    const response = await fetch(`${inject("baseUrl")}${desk.path}/tasks/${id}:subscribe`, {
      method,
      headers: { ...headers, authorization: `Bearer ${desk.key}` },
    });
    texts.push(await response.text());
  }

  expect(texts[0]).toBe(texts[1]);
  expect(texts[0]).toContain('"artifactUpdate"');
});
