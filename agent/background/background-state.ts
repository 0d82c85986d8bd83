// The background tasks of a session as its agent knows them: a fold of the log.
import {
  BACKGROUND_TASKS,
  endedTaskOf,
  startedTaskOf,
  type BackgroundTaskStartedValue,
} from "../../protocol/background/events.ts";
import { MAX_STOPPED_TOLD } from "../../protocol/background/limits.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { AbilityFold } from "../ability.ts";

type NamedTask = Pick<
  BackgroundTaskStartedValue,
  "task_id" | "reply_id" | "tool_call_id" | "tool_name"
>;

export interface BackgroundState {
  /** Oldest first; as many as a session may have. */
  readonly working: readonly NamedTask[];
  /** Stopped by people, and the model was not told yet. */
  readonly stopped: readonly NamedTask[];
}

const NO_TASKS: BackgroundState = { working: [], stopped: [] };

/** A fork and an import have none: tasks belong to the session in which their calls were made. */
export const BACKGROUND_FOLD: AbilityFold<BackgroundState> = {
  name: BACKGROUND_TASKS,
  initial: NO_TASKS,
  reads: ["CUSTOM", "HINT_BLOCK"],
  advance: advanceTasks,
  adopt: () => null,
  // Tasks go on, whatever became of the conversation that has begun them.
  restore: (_, now) => now,
};

function advanceTasks(state: BackgroundState, event: LoggedEvent): BackgroundState {
  if (event.type === "HINT_BLOCK") {
    const isTold = event.source === BACKGROUND_TASKS && state.stopped.length > 0;
    return isTold ? { ...state, stopped: [] } : state;
  }
  const started = startedTaskOf(event);
  if (started) {
    return { ...state, working: [...state.working, namesOf(started)] };
  }
  const ended = endedTaskOf(event);
  if (!ended) return state;
  const { task_id, stopped_by } = ended;
  const working = state.working.filter((task) => task.task_id !== task_id);
  if (stopped_by !== "person") return { ...state, working };
  const stopped = [...state.stopped, namesOf(ended)].slice(-MAX_STOPPED_TOLD);
  return { working, stopped };
}

function namesOf({ task_id, reply_id, tool_call_id, tool_name }: NamedTask): NamedTask {
  return { task_id, reply_id, tool_call_id, tool_name };
}
