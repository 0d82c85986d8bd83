// Hooks at every point of a reply: each question has one answer in the log.
import { expect } from "vitest";

import type { CodeHookCall } from "../../../../tools/hooks/code-hook.ts";
import { deployHook } from "../../support/deployed-hook.ts";
import { HOOK_POINTS, HOOKS } from "../hook-scenarios.ts";
import type { CrashCase } from "../survive.ts";

const asked: Pick<CodeHookCall, "id" | "session_id">[] = [];
const note = ({ id, session_id }: CodeHookCall): void => void asked.push({ id, session_id });

deployHook({
  name: "desk",
  pre_reply: note,
  pre_reasoning: (call) => {
    note(call);
    return call.input.iteration === 1 ? { hint: "Be brief." } : undefined;
  },
  pre_model_call: note,
  post_print: note,
  post_reasoning: note,
  pre_acting: (call) => {
    note(call);
    return { input: { tool_call: { input: { order: "A-2" } } } };
  },
  post_acting: (call) => {
    note(call);
    return { output: { text: "reserved" } };
  },
  post_reply: note,
});

export const HOOK_CASES: readonly CrashCase[] = [
  {
    scenario: HOOKS,
    claim:
      "each question has one answer in the log, and is asked again under its own id, whichever write %s cuts off",
    async verify({ session }) {
      const { message } = await session.readReply();
      const reader = session.reader();
      await reader.read("after=0");
      const answered = reader.seen.flatMap((event) =>
        event.type === "CUSTOM" && event.name === "hook_answered" ? [event.value["id"]] : [],
      );
      const questions = asked.filter(({ session_id }) => session_id === session.id);
      expect(new Set(answered).size).toBe(answered.length);
      // Two model calls, one tool call, one text.
      expect(answered.map((id) => String(id).split(":")[1]).toSorted()).toEqual(
        ["pre_reasoning", "pre_model_call", "post_reasoning", ...HOOK_POINTS].toSorted(),
      );
      expect(questions.map(({ id }) => id).filter((id) => !answered.includes(id))).toEqual([]);
      expect(message?.content).toMatchObject([
        { type: "hint", hint: "Be brief." },
        { type: "tool_call", input: '{"order":"A-2"}', state: "finished" },
        { type: "tool_result", output: [{ text: "reserved" }], state: "success" },
        { type: "text", text: expect.stringContaining("done") },
      ]);
    },
  },
];
