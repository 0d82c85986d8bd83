// The decision about a run of AG-UI: the client's messages, compared with the session's.
import { describe, expect, it } from "vitest";

import {
  bringsInput,
  decideRun,
  type OpenCall,
  type RunView,
  type ResolvedEntry,
} from "../../../agent/loop/decide-run.ts";

const ASKS: OpenCall = { id: "c1", name: "refund", kind: "permission", is_client: false };
const OUTSIDE: OpenCall = { id: "c2", name: "label", kind: "external_result", is_client: false };
const CLIENTS: OpenCall = { id: "c3", name: "print", kind: "external_result", is_client: true };

const NOTHING: RunView = {
  open: null,
  entries: [],
  result_ids: new Set(),
  has_new_messages: false,
  is_unanswered: false,
  known_reply_id: null,
};

function entry(callId: string, standing: "open" | "answered" | "unknown"): ResolvedEntry {
  return {
    entry: { interrupt_id: `rep_1:${callId}`, status: "resolved", pointer: "#/resume/0" },
    open_call_id: standing === "open" ? callId : null,
    is_known: standing !== "unknown",
  };
}

function waitingFor(...waiting: readonly OpenCall[]): Pick<RunView, "open"> {
  return { open: { id: "rep_1", is_running: false, waiting } };
}

const RUNNING: Pick<RunView, "open"> = {
  open: { id: "rep_1", is_running: true, waiting: [] },
};
const NEWS = { has_new_messages: true };
const KNOWN = { known_reply_id: "rep_1" };
const AGAIN = { type: "again", reply_id: "rep_1" };

/** The decision, or the code of the refusal. */
function decide(view: Partial<RunView>): unknown {
  const decided = decideRun({ ...NOTHING, ...view });
  return decided.ok ? decided.value : decided.refusal.code;
}

describe("a run in a thread where nothing runs or waits", () => {
  it("begins a reply with new messages, whatever else it repeats", () => {
    expect(decide(NEWS)).toEqual({ type: "start" });
    expect(decide({ ...NEWS, ...KNOWN, result_ids: new Set(["c1"]) })).toEqual({ type: "start" });
    expect(decide({ ...NEWS, entries: [entry("c1", "answered")] })).toEqual({ type: "start" });
  });

  it("that brings nothing new is the reply or the continuation that the client has missed", () => {
    expect(decide(KNOWN)).toEqual(AGAIN);
    expect(decide({ ...KNOWN, entries: [entry("c1", "answered")] })).toEqual({
      type: "continuation",
    });
  });

  it("answers a last message that nobody has answered yet", () => {
    expect(decide({ is_unanswered: true })).toEqual({ type: "start" });
  });

  it("is empty when there is nothing to answer or to repeat", () => {
    expect(decide({})).toBe("run_empty");
    expect(decide({ result_ids: new Set(["c1"]) })).toBe("run_empty");
  });

  it("that answers an interrupt which never was is refused, with the place in the request", () => {
    expect(decideRun({ ...NOTHING, ...NEWS, entries: [entry("x", "unknown")] })).toEqual({
      ok: false,
      refusal: {
        code: "interrupt_unknown",
        detail: "there is no interrupt rep_1:x in this thread",
        errors: [{ pointer: "#/resume/0", detail: "there is no interrupt rep_1:x in this thread" }],
      },
    });
  });
});

describe("a run beside a reply that runs", () => {
  it("with nothing new watches the reply that its message began", () => {
    expect(decide({ ...RUNNING, ...KNOWN })).toEqual(AGAIN);
    expect(decide({ ...RUNNING, entries: [entry("c1", "answered")] })).toEqual({
      type: "continuation",
    });
  });

  it("with anything new is refused", () => {
    expect(decide({ ...RUNNING, ...NEWS })).toBe("reply_running");
    expect(decide({ ...RUNNING, ...KNOWN, entries: [entry("c1", "open")] })).toBe("reply_running");
    expect(decide(RUNNING)).toBe("reply_running");
  });
});

describe("a run while interrupts are open", () => {
  it("has to answer all of them: by entries, and results by messages too", () => {
    const both = waitingFor(ASKS, OUTSIDE);
    const result_ids = new Set(["c2"]);
    expect(decide({ ...both, entries: [entry("c1", "open"), entry("c2", "open")] })).toEqual({
      type: "answer",
    });
    expect(decide({ ...both, entries: [entry("c1", "open")], result_ids })).toEqual({
      type: "answer",
    });
    expect(decide({ ...both, entries: [entry("c1", "open")] })).toBe("interrupts_open");
    expect(decide({ ...both, ...KNOWN })).toBe("interrupts_open");
    expect(decide({ ...waitingFor(ASKS), result_ids: new Set(["c1"]) })).toBe("interrupts_open");
  });

  it("has to answer the client's own calls as well where they wait together", () => {
    const both = waitingFor(ASKS, CLIENTS);
    expect(decide({ ...both, entries: [entry("c1", "open")] })).toBe("interrupts_open");
    expect(
      decide({ ...both, entries: [entry("c1", "open")], result_ids: new Set(["c3"]) }),
    ).toEqual({
      type: "answer",
    });
  });

  it("takes no message without the answers, and with them leaves it for the next run", () => {
    expect(decide({ ...waitingFor(ASKS), ...NEWS })).toBe("interrupts_open");
    expect(decide({ ...waitingFor(ASKS), ...NEWS, entries: [entry("c1", "open")] })).toEqual({
      type: "answer",
    });
  });

  it("that repeats earlier answers alone is their continuation", () => {
    const entries = [entry("c1", "answered")];
    const result_ids = new Set(["c1", "c9"]);
    expect(decide({ ...waitingFor(OUTSIDE), entries })).toEqual({ type: "continuation" });
    expect(decide({ ...waitingFor(OUTSIDE), entries, result_ids })).toEqual({
      type: "continuation",
    });
    expect(decide({ ...waitingFor(OUTSIDE), ...NEWS, entries })).toBe("interrupts_open");
  });

  it("that repeats earlier answers, with the results of the others as messages, is their answer", () => {
    const entries = [entry("c1", "answered")];
    const result_ids = new Set(["c2"]);
    const more = { ...OUTSIDE, id: "c4" };
    expect(decide({ ...waitingFor(OUTSIDE), entries, result_ids })).toEqual({ type: "answer" });
    expect(decide({ ...waitingFor(OUTSIDE, more), entries, result_ids })).toBe("interrupts_open");
  });
});

describe("a run while the client's own calls wait", () => {
  it("brings their results, some or all", () => {
    const two = waitingFor(CLIENTS, { ...CLIENTS, id: "c4" });
    expect(decide({ ...two, result_ids: new Set(["c3"]) })).toEqual({ type: "answer" });
    expect(decide({ ...waitingFor(CLIENTS), entries: [entry("c3", "open")] })).toEqual({
      type: "answer",
    });
  });

  it("goes on with a message instead, with their results and without", () => {
    const waiting = waitingFor(CLIENTS);
    expect(decide({ ...waiting, ...NEWS })).toEqual({ type: "give_up" });
    expect(decide({ ...waiting, ...NEWS, result_ids: new Set(["c3"]) })).toEqual({
      type: "give_up",
    });
  });

  it("that brings nothing is the reply again", () => {
    expect(decide({ ...waitingFor(CLIENTS), ...KNOWN })).toEqual(AGAIN);
    expect(decide(waitingFor(CLIENTS))).toBe("run_empty");
  });
});

describe("a request under a known id", () => {
  const news = (view: Partial<RunView>) => bringsInput({ ...NOTHING, ...view });
  const given = (id: string) => ({ result_ids: new Set([id]) });

  it("brings news with a message, an answer to what waits, or an answer to nothing", () => {
    expect(news(NEWS)).toBe(true);
    expect(news({ is_unanswered: true })).toBe(true);
    expect(news({ ...waitingFor(ASKS), entries: [entry("c1", "open")] })).toBe(true);
    expect(news({ ...RUNNING, entries: [entry("c1", "open")] })).toBe(true);
    expect(news({ entries: [entry("c9", "unknown")] })).toBe(true);
    expect(news({ ...waitingFor(CLIENTS), ...given("c3") })).toBe(true);
    expect(news({ ...waitingFor(ASKS, OUTSIDE), ...given("c2") })).toBe(true);
  });

  it("brings none with what the thread has taken, and with nothing", () => {
    expect(news({})).toBe(false);
    expect(news(KNOWN)).toBe(false);
    expect(news({ ...KNOWN, ...RUNNING })).toBe(false);
    expect(news({ ...KNOWN, ...waitingFor(ASKS) })).toBe(false);
    expect(news({ entries: [entry("c1", "answered")] })).toBe(false);
    expect(news({ entries: [entry("c1", "answered")], is_unanswered: true })).toBe(false);
    expect(news({ ...waitingFor(CLIENTS), ...given("c1") })).toBe(false);
    // A message permits nothing.
    expect(news({ ...waitingFor(ASKS), ...given("c1") })).toBe(false);
  });
});

describe("a run in a thread whose reply waits for questions of called agents", () => {
  const called = { reply_id: "rep_2", call_id: "c1", input_hash: null };
  const BELOW: OpenCall = { ...ASKS, id: "rep_2:c1", called };
  const asked = (...waiting: readonly OpenCall[]): Pick<RunView, "open"> => ({
    open: { id: "rep_1", is_running: true, waiting },
  });

  it("hands its answers down when it has one for each of them, and for the reply's own calls", () => {
    const both = [entry("rep_2:c1", "open"), entry("c2", "open")];

    expect(decide({ ...asked(BELOW), entries: [entry("rep_2:c1", "open")] })).toEqual({
      type: "hand_down",
    });
    expect(decide({ ...asked(BELOW, OUTSIDE), entries: both })).toEqual({ type: "hand_down" });
    expect(decide({ ...asked(BELOW, OUTSIDE), entries: both.slice(1) })).toEqual({
      type: "answer",
    });
    expect(decide({ ...asked(BELOW, OUTSIDE), entries: both.slice(0, 1) })).toBe("interrupts_open");
    expect(
      decide({ ...asked(BELOW, { ...BELOW, id: "rep_3:c1" }), entries: both.slice(0, 1) }),
    ).toBe("interrupts_open");
  });

  it("is refused with a message alone, shows what followed given answers, or watches", () => {
    expect(decide({ ...asked(BELOW), ...NEWS })).toBe("interrupts_open");
    expect(decide({ ...asked(BELOW), entries: [entry("rep_2:c1", "answered")] })).toEqual({
      type: "continuation",
    });
    expect(decide({ ...asked(BELOW), ...KNOWN })).toEqual(AGAIN);
  });
});
