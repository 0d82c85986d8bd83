import { runMarkOf, type AgUiOffer, type AgUiRunMark } from "../../../ag-ui/ag-ui-run.ts";
import type { AgentEvent, EventOf } from "../../../events.ts";
import {
  AG_UI_PROTOCOL_VERSION,
  type AgUiEvent,
  type AgUiOutcome,
  type AgUiRun,
  type AgUiRunInput,
  type DeclaredAgUiTool,
} from "../wire/events.ts";
import type { AgUiMessage } from "../wire/messages.ts";
import { RunUsage } from "./run-usage.ts";

/** The current run: its ids, its token usage, and its start and end events. */
export class OpenRun {
  readonly usage = new RunUsage();
  readonly #run: AgUiRun;
  readonly #mark: AgUiRunMark;

  /** @param first The first event of the run. @param start The first event of its reply. */
  constructor(first: AgentEvent, start: EventOf<"REPLY_START">) {
    const mark = markOf(first);
    this.#run = {
      threadId: mark.thread_id ?? markOf(start).thread_id ?? start.session_id,
      runId: mark.run_id ?? start.reply_id,
    };
    this.#mark = mark;
  }

  /** @param messages Messages added since the previous run. */
  started(messages: readonly AgUiMessage[]): AgUiEvent {
    const run = this.#run;
    const { parent_run_id: parentRunId } = this.#mark;
    const parent = parentRunId === undefined ? {} : { parentRunId };
    return {
      type: "RUN_STARTED",
      ...run,
      protocolVersion: AG_UI_PROTOCOL_VERSION,
      ...parent,
      ...(messages.length > 0 && { input: { ...run, ...parent, ...this.#inputOf(messages) } }),
    };
  }

  #inputOf(messages: readonly AgUiMessage[]): Omit<AgUiRunInput, keyof AgUiRun | "parentRunId"> {
    const { tools = [], context = [] } = this.#mark;
    return { state: {}, messages, tools: tools.map(toTool), context, forwardedProps: {} };
  }

  finished(outcome: AgUiOutcome, result: unknown = null): AgUiEvent {
    return {
      type: "RUN_FINISHED",
      ...this.#run,
      outcome,
      ...(result !== null && { result }),
      ...this.usage.toMember(),
    };
  }

  failed(message: string, code: string): AgUiEvent {
    return { type: "RUN_ERROR", message, code, ...this.usage.toMember() };
  }
}

function toTool({ name, description, input_schema }: AgUiOffer["tools"][number]): DeclaredAgUiTool {
  return { name, description, parameters: input_schema };
}

/** Reads the mark only of event types that the platform marks; metadata of other events may come from a tool. */
function markOf(event: AgentEvent): AgUiRunMark {
  switch (event.type) {
    case "REPLY_START":
    case "USER_CONFIRM_RESULT":
    case "EXTERNAL_EXECUTION_RESULT":
      return runMarkOf(event);
    default:
      return {};
  }
}
