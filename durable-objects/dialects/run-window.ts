import type { AgUiEvent, AgUiRun } from "../../protocol/dialects/ag-ui/wire/events.ts";

/** Filters the frames of a thread to those of one run, under the ids that its client has given. */
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

  /** Skips an event of the run, or from before it, that the reader has already. */
  pass({ type }: AgUiEvent): void {
    if (type === "RUN_STARTED") this.#stage = "inside";
    else if (isTerminal(type)) this.#stage = "over";
  }

  /** Takes the next event that the reader does not have. @returns Null for an event that is not of the run. */
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
