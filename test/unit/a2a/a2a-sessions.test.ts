// Whole sessions as the platform writes them, read as tasks: from the start, joined at any point, and cut off at any frame.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { A2aTask } from "../../../protocol/a2a/wire.ts";
import { A2aTranslator, type A2aFrame } from "../../../protocol/dialects/a2a/a2a-translator.ts";
import { isSettledTask } from "../../../protocol/dialects/a2a/task-status.ts";
import { toA2aTask } from "../../../protocol/dialects/a2a/to-a2a-task.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import { foldTask, shownTask } from "../../support/a2a/fold-task.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { agUiSessionArbitrary } from "../../support/ag-ui-sessions.ts";
import { runs } from "../../support/breadth.ts";

const REPLIES = ["rep_1", "rep_2", "rep_3"];

interface Read {
  readonly task: A2aTask;
  readonly frames: readonly A2aFrame[];
}

/** The task of a reader that joins after the first `cut` events, and the frames that follow. */
function read(task_id: string, log: readonly LoggedEvent[], cut = 0): Read {
  const translator = new A2aTranslator({ task_id, context_id: "ctx" });
  for (const event of log.slice(0, cut)) translator.push(event);
  const task = translator.task();
  const frames = log.slice(cut).flatMap((event) => translator.push(event));
  return { task, frames: [...frames, ...translator.flush()] };
}

function held({ task, frames }: Read): A2aTask {
  return frames.reduce<A2aTask>((before, { response }) => foldTask(before, response), task);
}

function tasksOf(log: readonly LoggedEvent[]): string[] {
  return REPLIES.filter((id) => log.some(({ reply_id }) => reply_id === id));
}

describe("a task", () => {
  it("is the same for readers from the start and for those that join at any event", () => {
    fc.assert(
      fc.property(agUiSessionArbitrary, (log) => {
        for (const id of tasksOf(log)) {
          const translator = new A2aTranslator({ task_id: id, context_id: "ctx" });
          for (const event of log) translator.push(event);
          translator.flush();
          const whole = shownTask(translator.task());
          for (let cut = 0; cut <= log.length; cut += 1) {
            expect(shownTask(held(read(id, log, cut)))).toEqual(whole);
          }
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it("has frames in the order of their places, the same whenever a reader joins", () => {
    fc.assert(
      fc.property(agUiSessionArbitrary, (log) => {
        for (const id of tasksOf(log)) {
          const { frames } = read(id, log);
          const places = frames.map(({ seq, k }) => seq * 10_000 + k);
          expect(places).toEqual([...new Set(places)].toSorted((one, other) => one - other));
          for (let cut = 0; cut <= log.length; cut += 1) {
            const joined = read(id, log, cut).frames;
            expect(joined).toEqual(frames.slice(frames.length - joined.length));
          }
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it("waits where the run of AG-UI ends with questions, and nowhere else", () => {
    fc.assert(
      fc.property(agUiSessionArbitrary, (log) => {
        const translator = sessionTranslator(log);
        const agUi = [...log.flatMap((event) => translator.push(event)), ...translator.flush()];
        const waits = agUi.flatMap(({ seq, event }) => {
          if (event.type !== "RUN_FINISHED") return [];
          const { outcome } = event;
          const isClients = outcome?.type === "success" && outcome.pendingToolCallIds !== undefined;
          return outcome?.type === "interrupt" || isClients ? [seq] : [];
        });
        const own = tasksOf(log).flatMap((id) =>
          read(id, log).frames.flatMap(({ seq, response }) =>
            response.statusUpdate?.status.state === "TASK_STATE_INPUT_REQUIRED" ? [seq] : [],
          ),
        );
        expect(own).toEqual(waits);
      }),
      { numRuns: runs(300) },
    );
  });

  it("is, once it is over, the task that the view of its reply shows", () => {
    fc.assert(
      fc.property(agUiSessionArbitrary, (log) => {
        for (const id of tasksOf(log)) {
          const task = shownTask(held(read(id, log)));
          const message = foldEvents(log.filter(({ reply_id }) => reply_id === id));
          if (!message?.finished_reason) continue;
          const { finished_reason: status, error, usage } = message;
          const base = { id, session_id: "ses_1", pending: [], cursor: 1 };
          const reply: Reply = { ...base, status, error, usage, message };
          const names = { task_id: id, context_id: "ctx" };
          const shown = toA2aTask(names, reply, { isQueued: false, hasArtifacts: true, at: null });
          expect(shownTask(shown)).toEqual(task);
          expect(isSettledTask(shown.status.state)).toBe(true);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
