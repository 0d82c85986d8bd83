// Streams of A2A: what is in them, when they end, and what several readers of one task get.
import { expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
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

async function openHeld() {
  const gate = await startGateTool();
  return { gate, desk: await openA2aDesk({ tools: [gate.tool] }) };
}

/** A task whose reply waits for the gate. */
async function startHeld(desk: Awaited<ReturnType<typeof openA2aDesk>>, end = "/say Done.") {
  const params = messageOf(`/say Begun.\n${HOLD}\n${end}`, {}, { returnImmediately: true });
  return sendA2a(desk, params);
}

it("3.1.2-1: a streamed message is answered with a stream, at once", BROAD, async () => {
  const { desk, gate } = await openHeld();
  const seen = [];
  for (const binding of A2A_BINDINGS) {
    const params = messageOf(`${HOLD}\n/say Done.`);
    const stream = await openA2aStream(desk, binding, "SendStreamingMessage", params);
    const { value } = await stream.frames.next();
    seen.push([stream.status, stream.headers.get("content-type"), kindOf(value as A2aFrame)]);
    await stream.frames.return();
  }
  gate.open();

  expect(seen).toEqual(seen.map(() => [200, expect.stringMatching(/^text\/event-stream/), "task"]));
});

it("3.1.2-2: a stream is a task, and then what changes of it", BROAD, async () => {
  const desk = await openA2aDesk();
  const params = messageOf("/say One.\n/data image/png aGVsbG8=\n/say Two.");
  const frames = await readA2aStream(desk, "HTTP+JSON", "SendStreamingMessage", params);
  const [first, ...rest] = frames.map(kindOf);

  expect(first).toBe("task");
  expect(rest.filter((kind) => kind !== "statusUpdate" && kind !== "artifactUpdate")).toEqual([]);
});

it("3.1.2-3: no stream is one of a message, since every answer has its task", BROAD, async () => {
  const desk = await openA2aDesk();
  const kinds = [];
  for (const text of ["Hi", "/say Hello.", "/fail invalid_request", ASKING]) {
    const frames = await readA2aStream(desk, "JSONRPC", "SendStreamingMessage", messageOf(text));
    kinds.push(...frames.map(kindOf));
  }

  expect(kinds).not.toContain("message");
});

it("3.1.2-4: the first frame is the task, with its id and context", async () => {
  const desk = await openA2aDesk();
  for (const binding of A2A_BINDINGS) {
    const params = messageOf("/say Hello.", { contextId: "orders" });
    const [first, ...rest] = await readA2aStream(desk, binding, "SendStreamingMessage", params);
    const task = first?.frame.task;

    expect(task).toMatchObject({ contextId: "orders", status: { state: expect.any(String) } });
    const named = rest.map(({ frame }) => frame.statusUpdate ?? frame.artifactUpdate);
    expect(named.map((update) => [update?.taskId, update?.contextId])).toEqual(
      named.map(() => [task?.id, "orders"]),
    );
  }
});

it("3.1.2-5: a stream ends with the task, in each of its ends", async () => {
  const { desk, gate } = await openHeld();
  const ends = [];
  for (const text of ["/say Hello.", "/fail authentication"]) {
    const frames = await readA2aStream(desk, "JSONRPC", "SendStreamingMessage", messageOf(text));
    ends.push(frames.at(-1)?.frame.statusUpdate?.status.state);
  }
  const params = messageOf(`${HOLD}\n/say Done.`);
  const stream = await openA2aStream(desk, "JSONRPC", "SendStreamingMessage", params);
  const { value: first } = await stream.frames.next();
  await callA2a(desk, "JSONRPC", "CancelTask", { id: first!.frame.task!.id });
  const rest = await readAll(stream.frames);
  ends.push(rest.at(-1)?.frame.statusUpdate?.status.state);
  gate.open();

  expect(ends).toEqual(["TASK_STATE_COMPLETED", "TASK_STATE_FAILED", "TASK_STATE_CANCELED"]);
});

it("3.1.2-6: a text is streamed while it is made", async () => {
  const { desk, gate } = await openHeld();
  const params = messageOf(`/say Begun.\n${HOLD}\n/say Done.`);
  const stream = await openA2aStream(desk, "HTTP+JSON", "SendStreamingMessage", params);
  const frames: A2aFrame[] = [];
  for await (const frame of stream.frames) {
    frames.push(frame);
    // The reply goes on when this is here.
    if (Object.values(foldFrames(frames).texts).includes("Begun.")) gate.open();
  }

  expect(foldFrames(frames)).toMatchObject({ state: "TASK_STATE_COMPLETED" });
  expect(Object.values(foldFrames(frames).texts)).toEqual(["Begun.", "Done."]);
});

it("3.1.6-1: a subscription ends when its task ends", BROAD, async () => {
  const { desk, gate } = await openHeld();
  const { id } = await startHeld(desk);
  const streams = await Promise.all(
    A2A_BINDINGS.map((binding) => openA2aStream(desk, binding, "SubscribeToTask", { id })),
  );
  const firsts = await Promise.all(streams.map(({ frames }) => frames.next()));
  gate.open();
  const ends = await Promise.all(streams.map(({ frames }) => readAll(frames)));

  expect(firsts.map(({ value }) => kindOf(value as A2aFrame))).toEqual(["task", "task"]);
  expect(ends.map((frames) => frames.at(-1)?.frame.statusUpdate?.status.state)).toEqual([
    "TASK_STATE_COMPLETED",
    "TASK_STATE_COMPLETED",
  ]);
});

it("3.1.6-2: a subscription begins with the task as it is, also of one that waits", async () => {
  const desk = await openA2aDesk();
  const asked = await sendA2a(desk, messageOf(`/say Well.\n${ASKING}`));
  const firsts = [];
  for (const binding of A2A_BINDINGS) {
    const stream = await openA2aStream(desk, binding, "SubscribeToTask", { id: asked.id });
    const { value } = await stream.frames.next();
    firsts.push(value?.frame.task);
    await stream.frames.return();
  }

  expect(firsts.map((task) => [task?.id, task?.status.state, textsOf(task!)])).toEqual(
    firsts.map(() => [asked.id, "TASK_STATE_INPUT_REQUIRED", textsOf(asked)]),
  );
});

it(
  "a subscription to a task that has ended is refused with UnsupportedOperationError, as no stream",
  BROAD,
  async () => {
    const desk = await openA2aDesk();
    const { id } = await sendA2a(desk, messageOf("/say Hello."));
    const refused = [];
    for (const binding of A2A_BINDINGS) {
      refused.push(await callA2a(desk, binding, "SubscribeToTask", { id }));
    }

    expect(refused.map(({ status, error }) => [status, error?.code, error?.reason])).toEqual([
      [200, -32_004, "UNSUPPORTED_OPERATION"],
      [400, 400, "UNSUPPORTED_OPERATION"],
    ]);
  },
);

it("3.5.2-3: every stream of a task gets what comes after its beginning", BROAD, async () => {
  const { desk, gate } = await openHeld();
  const { id } = await startHeld(desk, "/words 30");
  const streams = await Promise.all(
    [...A2A_BINDINGS, ...A2A_BINDINGS].map((binding) =>
      openA2aStream(desk, binding, "SubscribeToTask", { id }),
    ),
  );
  const firsts = await Promise.all(streams.map(({ frames }) => frames.next()));
  gate.open();
  const rests = await Promise.all(streams.map(({ frames }) => readAll(frames)));
  const folded = rests.map((rest, index) => foldFrames([firsts[index]!.value!, ...rest]));
  const { artifacts, status } = await readTask(desk, id);

  expect(folded).toEqual(
    folded.map(() => ({ state: status.state, texts: textsOf({ artifacts }) })),
  );
});

it("3.5.2-4: all streams of a task get the same frames in the same order", BROAD, async () => {
  const { desk, gate } = await openHeld();
  const params = messageOf(`${HOLD}\n/say One.\n/data image/png aGVsbG8=\n/words 30`);
  const sent = await openA2aStream(desk, "JSONRPC", "SendStreamingMessage", params);
  const { value: begun } = await sent.frames.next();
  const { id } = begun!.frame.task!;
  const others = await Promise.all(
    A2A_BINDINGS.map((binding) => openA2aStream(desk, binding, "SubscribeToTask", { id })),
  );
  // Each has its beginning before anything more happens.
  const starts = await Promise.all(others.map(({ frames }) => frames.next()));
  gate.open();
  const all = await Promise.all([sent, ...others].map(({ frames }) => readAll(frames)));
  const from = Math.max(...starts.map(({ value }) => Number.parseInt(value!.id, 10)));
  const after = all.map((frames) =>
    frames.filter((frame) => Number.parseInt(frame.id, 10) > from).map(({ frame }) => frame),
  );

  expect(after[0]?.length).toBeGreaterThan(3);
  expect(after[1]).toEqual(after[0]);
  expect(after[2]).toEqual(after[0]);
});

it("3.5.2-5: a stream that is closed leaves the task and its other streams alone", async () => {
  const { desk, gate } = await openHeld();
  const params = messageOf(`/say Begun.\n${HOLD}\n/say Done.`);
  const sent = await openA2aStream(desk, "HTTP+JSON", "SendStreamingMessage", params);
  const { value: begun } = await sent.frames.next();
  const { id } = begun!.frame.task!;
  const other = await openA2aStream(desk, "JSONRPC", "SubscribeToTask", { id });
  const { value: first } = await other.frames.next();
  await sent.frames.return();
  gate.open();
  const rest = await readAll(other.frames);

  expect(Object.values(foldFrames([first!, ...rest]).texts)).toEqual(["Begun.", "Done."]);
  expect((await readTask(desk, id)).status.state).toBe("TASK_STATE_COMPLETED");
});

it("3.5.2-2: frames come in the order of the log, over either binding", BROAD, async () => {
  const desk = await openA2aDesk();
  for (const binding of A2A_BINDINGS) {
    const params = messageOf("/say One.\n/words 40\n/data image/png aGVsbG8=\n/words 40");
    const frames = await readA2aStream(desk, binding, "SendStreamingMessage", params);
    const places = frames.map(({ id }) => id.split(".").map(Number));

    expect(places.length).toBeGreaterThan(5);
    expect(places.toSorted(compare)).toEqual(places);
  }
});

it("3.5.2-1: what a stream was told adds up to the task, in order", BROAD, async () => {
  const desk = await openA2aDesk();
  for (const binding of A2A_BINDINGS) {
    const params = messageOf("/say One.\n/words 40\n/say Two.\n/data image/png aGVsbG8=");
    const frames = await readA2aStream(desk, binding, "SendStreamingMessage", params);
    const task = await readTask(desk, frames[0]!.frame.task!.id);

    expect(foldFrames(frames)).toEqual({ state: task.status.state, texts: textsOf(task) });
  }
});

function compare(one: readonly number[], other: readonly number[]): number {
  return (one[0] ?? 0) - (other[0] ?? 0) || (one[1] ?? 0) - (other[1] ?? 0);
}
