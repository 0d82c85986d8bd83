// The object's stream of a task: from the start, joined, taken up behind any of its frames, after the object was lost.
import { abortAllDurableObjects, evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { A2aTask } from "../../../protocol/a2a/wire.ts";
import { foldTask, shownTask } from "../../support/a2a/fold-task.ts";
import { confirmation, LABEL, parkedSession, post, withTools } from "../confirmations/parked.ts";
import {
  createdSession,
  objectOf,
  openStream,
  readReply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import {
  framesOf,
  openTask,
  readTask,
  readTaskFrames,
  statesOf,
  type TaskFrame,
} from "./task-frames.ts";

function held(frames: readonly TaskFrame[]): A2aTask {
  const task = frames.reduce<A2aTask | null>(
    (before, { response }) => foldTask(before, response),
    null,
  );
  if (!task) throw new Error("no frame");
  return task;
}

/** A task that has waited for a person in its middle, and is over. */
async function longTask(): Promise<{ init: SessionInit; id: string; start: number }> {
  const { init, parked, call } = await parkedSession(
    '/think Hm.\n/say One, wörld 👋\n/call look {"q":1}\n/call refund {"q":2}\n/say Two.',
  );
  const { data } = valueOf(await stubOf(init).act("listReplies", { limit: 1 }));
  valueOf(await post(init, confirmation(parked.id, call)));
  await readReply(init, parked.id, 60_000);
  const start = await startOf(init, parked.id);
  return { init, id: data[0]!.id, start };
}

/** The seq before the reply's first event. */
async function startOf(init: SessionInit, id: string): Promise<number> {
  const [first] = await framesOf(await openTask(init, id, 0));
  return Number(first?.id?.split(".")[0]);
}

describe("the stream of a task", () => {
  it("begins with the task and ends where the task waits, for those who watch", async () => {
    const init = await createdSession({ tools: [LABEL] });
    const { id, cursor } = await startReply(init, "/say Hello\n/call label {}\n/say Done.");
    const frames = await framesOf(await openTask(init, id, cursor));
    expect(frames[0]).toEqual({
      id: `${cursor}.0`,
      response: {
        task: {
          id,
          contextId: init.session_id,
          status: { state: "TASK_STATE_SUBMITTED" },
          history: [expect.objectContaining({ role: "ROLE_USER", taskId: id })],
          metadata: { "urn:reprise:a2a:replies:v1": { seq: `${cursor}.0` } },
        },
      },
    });
    expect(statesOf(frames)).toEqual(["SUBMITTED", "WORKING", "INPUT_REQUIRED"]);
    const { history: _, ...shown } = held(frames);
    expect(shownTask(shown)).toEqual(shownTask(await readTask(init, id)));
  });

  it("goes on behind each of its frames with exactly the frames after it, also past a wait", () =>
    withTools(async () => {
      const { init, id, start } = await longTask();
      const whole = await readTaskFrames(init, id, start);
      expect(statesOf(whole)).toEqual([
        "SUBMITTED",
        "WORKING",
        "INPUT_REQUIRED",
        "WORKING",
        "COMPLETED",
      ]);
      expect(whole.length).toBeGreaterThan(10);
      for (const [index, { id: cursor }] of whole.entries()) {
        const [first, ...rest] = await readTaskFrames(init, id, cursor ?? "");
        const { artifacts, history, metadata } = first?.response.task ?? {};
        expect([artifacts, history]).toEqual([undefined, undefined]);
        expect(metadata).toEqual({ "urn:reprise:a2a:replies:v1": { seq: cursor } });
        expect(rest).toEqual(whole.slice(index + 1));
      }
    }));

  it("says in its updates what it says as ids", () =>
    withTools(async () => {
      const { init, id, start } = await longTask();
      const frames = await readTaskFrames(init, id, start);
      const told = frames.map(({ response: { task, statusUpdate, artifactUpdate } }) => {
        const metadata = (task ?? statusUpdate ?? artifactUpdate)?.metadata;
        return metadata?.["urn:reprise:a2a:replies:v1"];
      });
      const working = frames.filter(({ response: { statusUpdate } }) => {
        return statusUpdate?.status.state === "TASK_STATE_WORKING";
      });
      expect(working.length).toBeGreaterThan(3);
      expect(told).toEqual(frames.map(({ id: seq }) => expect.objectContaining({ seq }) as object));
    }));

  it("is the same when the object was put away, and when it was lost, in between", () =>
    withTools(async () => {
      const { init, id, start } = await longTask();
      const whole = await readTaskFrames(init, id, start);
      const middle = Math.floor(whole.length / 2);
      await evictDurableObject(objectOf(init));
      const [, ...rest] = await readTaskFrames(init, id, whole[middle]?.id ?? "");
      expect(rest).toEqual(whole.slice(middle + 1));
      await abortAllDurableObjects();
      expect(await readTaskFrames(init, id, start)).toEqual(whole);
    }));

  it("holds for a reader that joins at any time what it holds for one from the start", async () => {
    const init = await createdSession();
    const { id, cursor } = await startReply(init, "/rate 500\n/words 60");
    const whole = framesOf(await openTask(init, id, cursor));
    const joined: Promise<TaskFrame[]>[] = [];
    await framesOf(await openTask(init, id, cursor), (frames) => {
      if (frames.length % 5 === 0)
        joined.push(openTask(init, id).then((stream) => framesOf(stream)));
      return false;
    });
    const { history, ...task } = held(await whole);
    expect(history).toHaveLength(1);
    const all = await Promise.all(joined);
    expect(all.length).toBeGreaterThan(1);
    for (const frames of all) {
      const { history: own, ...shown } = held(frames);
      expect(own).toEqual(history);
      expect(shownTask(shown)).toEqual(shownTask(task));
    }
  });

  it("opened while the task waits has the question, stays open, and ends with the task", () =>
    withTools(async () => {
      const { init, parked, call } = await parkedSession();
      const waiting = await openTask(init, parked.id);
      let isAnswered = false;
      const frames = framesOf(waiting, (seen) => {
        if (seen.length === 1 && !isAnswered) {
          isAnswered = true;
          void post(init, confirmation(parked.id, call));
        }
        return false;
      });
      expect(statesOf(await frames)).toEqual(["INPUT_REQUIRED", "WORKING", "COMPLETED"]);
      const { history: _, ...shown } = held(await frames);
      expect(shownTask(shown)).toEqual(shownTask(await readTask(init, parked.id)));
    }));

  it("opened with the cursor of the question stays open as well, and ends with the next one", () =>
    withTools(async () => {
      const two = '/call refund {"q":1}\n/call refund {"q":2}\n/say Done.';
      const { init, parked, call } = await parkedSession(two);
      const first = await readTaskFrames(init, parked.id, await startOf(init, parked.id));
      const waiting = await openTask(init, parked.id, first.at(-1)?.id ?? "");
      valueOf(await post(init, confirmation(parked.id, call)));
      const frames = await framesOf(waiting);
      expect(statesOf(frames)).toEqual(["INPUT_REQUIRED", "WORKING", "INPUT_REQUIRED"]);
    }));

  it("has what a position before an answer has left, for one who has answered", () =>
    withTools(async () => {
      const { init, parked, call } = await parkedSession();
      const { cursor } = valueOf(await post(init, confirmation(parked.id, call)));
      const frames = await readTaskFrames(init, parked.id, cursor);
      expect(statesOf(frames)).toEqual(["INPUT_REQUIRED", "WORKING", "COMPLETED"]);
      expect(frames[0]?.response.task?.artifacts).toBeUndefined();
    }));

  it("is refused for a frame that never was, and for a reply that never was", async () => {
    const init = await createdSession();
    const { id, cursor } = await startReply(init, "/say Hello");
    await readReply(init, id, 60_000);
    const refused = async (query: string) => {
      const response = await openStream(init, `format=a2a&${query}`);
      return (await response.json<{ code: string }>()).code;
    };
    expect(await refused(`reply_id=${id}&after=${cursor + 1}.9`)).toBe("invalid_cursor");
    expect(await refused(`reply_id=${id}&after=9000`)).toBe("cursor_ahead");
    expect(await refused("reply_id=rep_0&after=0")).toBe("not_found");
    expect(await refused("after=0")).toBe("not_found");
  });
});
