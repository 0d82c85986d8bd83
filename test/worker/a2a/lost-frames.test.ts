// A reader of a task has frames of deltas that a crash has lost: its next stream does not build on them.
import { abortAllDurableObjects } from "cloudflare:test";
import { expect, it } from "vitest";

import { DELTA_COMMIT_MS } from "../../../protocol/events/limits.ts";
import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";
import type { A2aTask } from "../../../protocol/a2a/wire.ts";
import { foldTask, shownTask } from "../../support/a2a/fold-task.ts";
import { createdSession, startReply } from "../sessions/session.ts";
import { GATE, GATE_MS, holdTimers } from "../support/held-timers.ts";
import { framesOf, openTask, readTask, readTaskFrames, type TaskFrame } from "./task-frames.ts";

function held(frames: readonly TaskFrame[]): A2aTask {
  const [first, ...rest] = frames;
  if (!first?.response.task) throw new Error("a stream begins with a task");
  return rest.reduce((task, { response }) => foldTask(task, response), first.response.task);
}

function isReset({ response: { task } }: TaskFrame): boolean {
  const data = task?.metadata?.[A2A_EXTENSION] as { readonly reset?: boolean } | undefined;
  return data?.reset === true;
}

it("who has frames that a crash has lost begins with the whole task, which says so", async () => {
  const timers = holdTimers((delayMs) => delayMs === GATE_MS || delayMs === DELTA_COMMIT_MS);
  const init = await createdSession();
  const { id, cursor } = await startReply(init, `/say One.\n/words 20\n${GATE}\n/say Two.`);
  const seen = await framesOf(
    await openTask(init, id, cursor),
    (frames) => frames.filter(({ response }) => response.artifactUpdate).length > 1,
  );
  await abortAllDurableObjects();
  const last = seen.at(-1)?.id ?? "";
  const early = framesOf(await openTask(init, id, last));
  timers.release();

  const frames = await early;
  const late = await readTaskFrames(init, id, last);
  const known = await readTaskFrames(init, id, seen[0]?.id ?? "");
  const later = await readTaskFrames(init, id, frames.at(-2)?.id ?? "");

  const task = await readTask(init, id);
  expect([frames, late].map((stream) => shownTask(held(stream)))).toEqual([
    shownTask(task),
    shownTask(task),
  ]);
  expect([frames, late, known, later].map((stream) => stream.filter(isReset).length)).toEqual([
    1, 1, 0, 0,
  ]);
  expect([frames, late].map(([first]) => first !== undefined && isReset(first))).toEqual([
    true,
    true,
  ]);
});
