// Hooks at every point of a reply, whose machine dies before and after each durable write.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";

import type { CodeHookCall } from "../../../../tools/hooks/code-hook.ts";
import { deployHook } from "../../support/deployed-hook.ts";
import { countWrites, crashAt } from "../crash-run.ts";
import { openScenario } from "../crash-session.ts";
import { installFailpoints, stopDeltaClock } from "../failpoint.ts";
import type { Scenario } from "../scenarios.ts";
import { pointsOf } from "../survive.ts";
import { verifyRun } from "../verify-run.ts";

const POINTS = [
  "pre_reply",
  "pre_reasoning",
  "pre_model_call",
  "post_print",
  "post_reasoning",
  "pre_acting",
  "post_acting",
  "post_reply",
] as const;

const SCENARIO: Scenario = {
  name: "hooks",
  from: "start",
  script: `/call reserve {"order":"A-1"}\n/say done`,
  agent: { hooks: POINTS.map((point) => ({ name: "desk", type: "code", point })) },
  writes: [],
};

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

const restore: (() => void)[] = [];
beforeAll(async () => {
  const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
  restore.push(takeOut, stopDeltaClock());
});
afterAll(() => restore.forEach((undo) => undo()));

test.each(["ctx.abort", "abortAllDurableObjects"] as const)(
  "each question has one answer in the log, and is asked again under its own id, whichever write %s cuts off",
  async (way) => {
    const opener = await openScenario(SCENARIO, way);
    const writes = await countWrites(SCENARIO, opener);
    const runs = await crashAt(pointsOf(writes.length), { way, scenario: SCENARIO, opener });

    expect(runs.filter(({ isReached }) => isReached).length).toBeGreaterThan(writes.length);
    for (const run of runs) {
      await verifyRun(run, 1);
      const { message } = await run.session.readReply();
      const reader = run.session.reader();
      await reader.read("after=0");
      const answered = reader.seen.flatMap((event) =>
        event.type === "CUSTOM" && event.name === "hook_answered" ? [event.value["id"]] : [],
      );
      const questions = asked.filter(({ session_id }) => session_id === run.session.id);
      expect(new Set(answered).size).toBe(answered.length);
      // Two model calls, one tool call, one text.
      expect(answered.map((id) => String(id).split(":")[1]).toSorted()).toEqual(
        ["pre_reasoning", "pre_model_call", "post_reasoning", ...POINTS].toSorted(),
      );
      expect(questions.map(({ id }) => id).filter((id) => !answered.includes(id))).toEqual([]);
      expect(message?.content).toMatchObject([
        { type: "hint", hint: "Be brief." },
        { type: "tool_call", input: '{"order":"A-2"}', state: "finished" },
        { type: "tool_result", output: [{ text: "reserved" }], state: "success" },
        { type: "text", text: expect.stringContaining("done") },
      ]);
    }
  },
);
