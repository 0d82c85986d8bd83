import type { AgUiEvent, AgUiRun } from "../../protocol/dialects/ag-ui/wire/events.ts";

/** Of the frames of a thread those of one run, under the ids that its client gave. */
export class RunWindow {
  readonly #run: AgUiRun;
  #stage: "ahead" | "inside" | "over" = "ahead";

  constructor(run: AgUiRun) {
    this.#run = run;
  }

  /** The run has ended: nothing that follows belongs to it. */
  get isOver(): boolean {
    return this.#stage === "over";
  }

  /** The reader has this event, which is of the run or comes before it. */
  pass({ type }: AgUiEvent): void {
    if (type === "RUN_STARTED") this.#stage = "inside";
    else if (isTerminal(type)) this.#stage = "over";
  }

  /** Takes what the reader does not have, one event after the other. @returns Null for one that is not of the run. */
  take(event: AgUiEvent): AgUiEvent | null {
    if (this.#stage === "ahead" && event.type === "RUN_STARTED") this.#stage = "inside";
    if (this.#stage !== "inside") return null;
    if (isTerminal(event.type)) this.#stage = "over";
    return this.#named(event);
  }

  #named(event: AgUiEvent): AgUiEvent {
    if (event.type !== "RUN_STARTED" && event.type !== "RUN_FINISHED") return event;
    const { threadId, runId } = this.#run;
    if (event.threadId === threadId && event.runId === runId) return event;
    if (event.type === "RUN_FINISHED" || !event.input) return { ...event, threadId, runId };
    return { ...event, threadId, runId, input: { ...event.input, threadId, runId } };
  }
}

function isTerminal(type: AgUiEvent["type"]): boolean {
  return type === "RUN_FINISHED" || type === "RUN_ERROR";
}
