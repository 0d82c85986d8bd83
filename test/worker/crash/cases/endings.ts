// Ends of a reply that are more than its last word: a result as the answer, a summary after the last round, a remark
// about an interrupt.
import { expect } from "vitest";

import { getTextContent } from "../../../../protocol/messages/accessors.ts";
import {
  INTERRUPT_TEXT,
  LAST_CALL,
  LAST_SUMMARY,
  REMARK,
  RESULT_AS_ANSWER,
  STOPPED_BY_TOOL,
} from "../feature-scenarios.ts";
import type { Scenario } from "../scenarios.ts";
import type { CrashCase } from "../survive.ts";

/** @param texts Each text that the reply may have in the end; over all writes it has each of them. */
function ending(scenario: Scenario, texts: readonly string[]): CrashCase {
  const seen = new Set<string>();
  return {
    scenario,
    claim: "is whole, or not there, whichever write is cut off",
    async verify({ session }) {
      const { message } = await session.readReply();
      const text = (message && getTextContent(message)) ?? "";
      seen.add(text);
      expect(texts).toContain(text);
    },
    verifyAll() {
      expect([...seen].toSorted()).toEqual(texts.toSorted());
    },
  };
}

export const ENDING_CASES: readonly CrashCase[] = [
  // After a loss in the middle of the call its outcome is unknown, and the model is told.
  ending(RESULT_AS_ANSWER, ["done", "It may have been charged."]),
  {
    scenario: STOPPED_BY_TOOL,
    claim: "ends behind both results and is told once, whichever write %s cuts off",
    async verify({ session }) {
      const { message } = await session.readReply();
      const reader = session.reader();
      await reader.read("after=0");
      const told = reader.seen.filter(
        (event) => event.type === "CUSTOM" && event.name === "request_stop",
      );
      expect(message?.content).toMatchObject([
        { type: "tool_call", name: "reserve_last" },
        { type: "tool_call", name: "reserve_more" },
        { type: "tool_result", name: "reserve_last", state: "success" },
        { type: "tool_result", name: "reserve_more", state: "success" },
      ]);
      expect(reader.seen.at(-1)).toMatchObject({
        finished_reason: "completed",
        metadata: { stopped_by: { tool: "reserve_last" } },
      });
      expect(told).toHaveLength(1);
    },
  },
  ending(LAST_SUMMARY, ["I charged, no more."]),
  ending(LAST_CALL, [""]),
  // A remark is not made again.
  ending(REMARK, ["I have stopped.", ""]),
  ending(INTERRUPT_TEXT, ["I have stopped."]),
];
