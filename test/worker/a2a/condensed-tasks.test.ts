// A task whose deltas were condensed after the agent's `log_retention`: a reader that comes back gets what it lacks, once.
import { expect, it } from "vitest";

import type { A2aTask } from "../../../protocol/a2a/wire.ts";
import { foldTask, shownTask } from "../../support/a2a/fold-task.ts";
import { condense, RETENTION } from "../log/condensed.ts";
import { createdSession, readReply, startReply } from "../sessions/session.ts";
import { readTask, readTaskFrames, type TaskFrame } from "./task-frames.ts";

function held(frames: readonly TaskFrame[]): object {
  const task = frames.reduce<A2aTask | null>(
    (before, { response }) => foldTask(before, response),
    null,
  );
  return shownTask(task!);
}

it("goes on from every frame that there ever was", async () => {
  const init = await createdSession(RETENTION);
  const { id, cursor } = await startReply(init, "/rate 150\n/words 24\n/say Über 漢字 🙂.");
  await readReply(init, id, 60_000);
  const before = await readTaskFrames(init, id, cursor);
  await condense(init);
  const after = await readTaskFrames(init, id, cursor);
  expect(after.length).toBeLessThan(before.length);
  const whole = shownTask(await readTask(init, id));
  for (const had of [before, after]) {
    for (const [index, frame] of had.entries()) {
      const [, ...rest] = await readTaskFrames(init, id, frame.id ?? "");
      expect(held([...had.slice(0, index + 1), ...rest]), frame.id ?? "").toEqual(whole);
    }
  }
});
