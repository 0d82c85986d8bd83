// The log of a reply whose texts pass the deployment's `pre_print` functions, event by event.
import type { EventDraft } from "../../protocol/events.ts";
import { HOOK_ANSWERED, type HookAnsweredValue } from "../../protocol/hooks/events.ts";
import type { DeltaDraft, EventLog } from "../ports.ts";

/** The events that carry words of the model and of tools. */
type PrintedEvent = Extract<
  DeltaDraft,
  { type: "TEXT_BLOCK_DELTA" | "THINKING_BLOCK_DELTA" | "TOOL_RESULT_TEXT_DELTA" }
>;

/**
 * Called for each of them before it is logged, without waiting: it has to be quick. Only the `delta` of what it returns
 * counts; nothing returned means unchanged.
 */
export type EventPrinter = (event: PrintedEvent) => Pick<PrintedEvent, "delta"> | undefined | void;

export interface RegisteredPrinter {
  readonly name: string;
  readonly on_failure: "open" | "closed";
  readonly print: EventPrinter;
}

/**
 * A log whose events go through printers before they are appended: the event in the log is what a printer made of it,
 * and the failure of a printer is an event of its own.
 */
export function printedLog(log: EventLog, printers: readonly RegisteredPrinter[]): EventLog {
  if (printers.length === 0) return log;
  return {
    get state() {
      return log.state;
    },
    get failedTries() {
      return log.failedTries;
    },
    append(drafts) {
      log.append(drafts.flatMap((draft) => (isPrinted(draft) ? eventsOf(print(draft)) : draft)));
    },
    appendDelta(draft) {
      if (!isPrinted(draft)) return log.appendDelta(draft);
      const { draft: printed, failure } = print(draft);
      if (failure) log.append([failure]);
      if (printed.delta !== "") log.appendDelta(printed);
    },
    noteFailedTry: (waitMs) => log.noteFailedTry(waitMs),
    park: (status, options) => log.park(status, options),
    settled: () => log.settled(),
  };

  function print(event: PrintedEvent): Printed {
    let draft = event;
    for (const { name, on_failure, print: change } of printers) {
      try {
        const { delta } = change(draft) ?? draft;
        draft = { ...draft, delta: String(delta) };
      } catch {
        if (on_failure === "open") continue;
        return { draft: { ...draft, delta: "" }, failure: failureOf(name, event.reply_id) };
      }
    }
    return { draft };
  }

  function failureOf(hook: string, reply_id: string): EventDraft {
    const failure = { kind: "exception", on_failure: "closed" } as const;
    const head = { reply_id, id: `${reply_id}:pre_print:code:${hook}`, hook };
    const value: HookAnsweredValue = {
      ...head,
      point: "pre_print",
      step: null,
      outcome: "failed",
      failure,
    };
    return { type: "CUSTOM", name: HOOK_ANSWERED, reply_id, value: { ...value } };
  }
}

interface Printed {
  readonly draft: PrintedEvent;
  readonly failure?: EventDraft;
}

function eventsOf({ draft, failure }: Printed): readonly EventDraft[] {
  return failure ? [failure, draft] : [draft];
}

function isPrinted(draft: EventDraft): draft is PrintedEvent {
  return (
    draft.type === "TEXT_BLOCK_DELTA" ||
    draft.type === "THINKING_BLOCK_DELTA" ||
    draft.type === "TOOL_RESULT_TEXT_DELTA"
  );
}
