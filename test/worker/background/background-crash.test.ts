// A machine that dies at the writes between a task's end and the reply that it begins.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";

import { BROAD, walk } from "../../support/breadth.ts";
import { waitUntil } from "../../support/wait-for.ts";
import {
  abortObject,
  endWatch,
  installFailpoints,
  watchWrites,
  type WritePoint,
} from "../crash/failpoint.ts";
import { pointsOf } from "../crash/survive.ts";
import { ask } from "../support/api.ts";
import { openWorking } from "./working-session.ts";

const RESULT = "/say Good.";
let takeOut = () => {};
beforeAll(async () => {
  takeOut = await installFailpoints(env.SESSION.getByName("background-failpoints"));
});
afterAll(() => takeOut());

/** The writes from the post on to the end of the reply that it begins. */
async function countWrites(): Promise<readonly string[]> {
  const { session, post, said } = await openWorking();
  const watch = watchWrites(session.id, null);
  await post(RESULT);
  await said();
  endWatch(session.id);
  return watch.writes;
}

async function dieAt(point: WritePoint) {
  const opened = await openWorking();
  const { call, path, session, stub, post, said, tasks } = opened;
  const watch = watchWrites(session.id, point);
  const first = post(RESULT).catch(() => undefined);
  // Of writes for D1 there may be fewer.
  const isOver = first.then(said).catch(() => undefined);
  await Promise.race([watch.reached(), isOver]);
  await abortObject(stub());
  endWatch(session.id);
  // The tool's server has had no answer, and posts again.
  const again = await waitUntil(async () => {
    const answer = await post(RESULT).catch(() => undefined);
    return answer && answer.status < 500 ? answer : undefined;
  });
  const text = await said();
  const [task] = await tasks();
  const { json } = await ask<{ data: readonly unknown[] }>("GET", `${path}/replies`, call);
  return { point, status: again.status, text, task: task?.status, replies: json.data.length };
}

test(
  "a result that was posted is in the log once and begins one reply, whichever write is cut off",
  BROAD,
  async () => {
    // The Worker's words about an object that dies.
    const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
    onTestFinished(() => said.mockRestore());
    const writes = await countWrites();
    const points = walk(pointsOf(writes.length));
    const runs = [];
    for (const point of points) runs.push(await dieAt(point));

    expect(writes.filter((write) => !write.startsWith("delete "))).toContain(
      "background_task_ended",
    );
    expect(runs).toEqual(
      points.map((point) => ({
        point,
        status: 200,
        text: "Good.",
        task: "completed",
        replies: 2,
      })),
    );
  },
);
