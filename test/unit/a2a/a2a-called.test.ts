// Questions of agents that a reply has called, as those of its task.
import { describe, expect, it } from "vitest";

import { A2A_EXTENSION } from "../../../protocol/a2a/extension.ts";
import { A2aTranslator, type A2aFrame } from "../../../protocol/dialects/a2a/a2a-translator.ts";
import { agUiLog } from "../../support/ag-ui-log.ts";
import {
  allows,
  answered,
  asks,
  batch,
  begun,
  called,
  ended,
  question,
  results,
  runs,
  said,
  waits,
} from "../../support/called-log.ts";

const START = { type: "REPLY_START", session_id: "ses_1", name: "A" };
const END = { type: "REPLY_END", session_id: "ses_1" };
const DESK = { session: "ses_desk", call: "c1" };
const AUDIT = { session: "ses_audit", call: "c2" };

const CALLS_DESK = [START, ...called("c1", "desk"), runs("c1", "desk"), waits("c1", "ses_desk")];
const CALLS_AUDIT = [...called("c2", "audit"), runs("c2", "audit"), waits("c2", "ses_audit")];
const ASKED = [
  batch(DESK, begun("ses_desk"), ...said("b1", "I look."), ...called("call_1"), asks("call_1")),
  question("ses_desk", "c1", asks("call_1")),
];
const ALLOWED = [
  batch(DESK, allows("call_1")),
  answered("ses_desk", "c1", "call_1"),
  batch(DESK, runs("call_1"), ...results("call_1", "paid"), ended("ses_desk")),
  waits("c1", "ses_desk", false),
  ...results("c1", "It is paid."),
];
const AUDITED = [
  batch(AUDIT, begun("ses_audit"), ...said("b1", "All well."), ended("ses_audit")),
  waits("c2", "ses_audit", false),
  ...results("c2", "All well."),
];

function translate(...events: readonly object[]): readonly A2aFrame[] {
  const translator = new A2aTranslator({ task_id: "rep_1", context_id: "ctx" });
  const frames = agUiLog(...events).flatMap((event) => translator.push(event));
  return [...frames, ...translator.flush()];
}

function statesOf(frames: readonly A2aFrame[]): (string | undefined)[] {
  const states = frames.map(({ response }) =>
    response.statusUpdate?.status.state.replace("TASK_STATE_", ""),
  );
  return states.filter((state, index) => state !== states[index - 1]);
}

describe("a task whose agent asks", () => {
  it("waits with that question, and works on when it is answered", () => {
    const frames = translate(...CALLS_DESK, ...ASKED, ...ALLOWED, END);
    expect(statesOf(frames)).toEqual(["WORKING", "INPUT_REQUIRED", "WORKING", "COMPLETED"]);
    const asked = frames.find(
      ({ response }) => response.statusUpdate?.status.state === "TASK_STATE_INPUT_REQUIRED",
    );
    const words = "Run refund?";
    const questions = [
      {
        kind: "confirmation",
        call_id: "call_1",
        tool: "refund",
        arguments: "{}",
        message: words,
        input_hash: "hash",
      },
    ];
    expect(asked?.response.statusUpdate?.status.message?.parts).toEqual([
      { text: words },
      { data: { [A2A_EXTENSION]: { questions } }, mediaType: "application/json" },
    ]);
  });

  it("works while another agent of it does, and waits when that one has ended", () => {
    const frames = translate(...CALLS_DESK, ...CALLS_AUDIT, ...ASKED);
    expect(statesOf(frames)).toEqual(["WORKING"]);
    const later = translate(...CALLS_DESK, ...CALLS_AUDIT, ...ASKED, ...AUDITED);
    expect(statesOf(later)).toEqual(["WORKING", "INPUT_REQUIRED"]);
  });

  it("shows nothing of what its agents say", () => {
    const frames = translate(...CALLS_DESK, ...ASKED, ...ALLOWED, END);
    expect(frames.filter(({ response }) => response.artifactUpdate)).toEqual([]);
  });
});
