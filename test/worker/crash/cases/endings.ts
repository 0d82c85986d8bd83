// The ends of a reply that are more than its last word: a result as the answer, a summary after the last round, a remark
// about an interrupt. A machine dies before and after each durable write of them.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";

import { getTextContent } from "../../../../protocol/messages/accessors.ts";
import { countWrites, crashAt } from "../crash-run.ts";
import { openScenario } from "../crash-session.ts";
import { installFailpoints, stopDeltaClock } from "../failpoint.ts";
import type { Scenario } from "../scenarios.ts";
import { eventWrites, pointsOf } from "../survive.ts";
import { verifyRun } from "../verify-run.ts";

const CALL = ["MODEL_CALL_START", "TOOL_CALL_START", "TOOL_CALL_END + MODEL_CALL_END"];
const TEXT = ["MODEL_CALL_START", "TEXT_BLOCK_START"];

interface Ending extends Scenario {
  /** The texts that the reply may have in the end. */
  readonly texts: readonly string[];
}

const ENDINGS: readonly Ending[] = [
  {
    name: "a result that is the answer",
    from: "start",
    script: "/call charge_direct {}\n/say It may have been charged.",
    writes: [
      "message_added + REPLY_START",
      ...CALL,
      "TOOL_RESULT_START",
      "TOOL_RESULT_END",
      "TEXT_BLOCK_START + TEXT_BLOCK_END + REPLY_END",
    ],
    // After a loss in the middle of the call its outcome is unknown, and the model is told.
    texts: ["done", "It may have been charged."],
  },
  {
    name: "a summary after the last round",
    from: "start",
    agent: { max_iters: 1, on_max_iters: "summarize" },
    ends: "exceed_max_iters",
    script: "/call charge {}\n/say I charged, no more.",
    writes: [
      "message_added + REPLY_START",
      ...CALL,
      "TOOL_RESULT_START",
      "TOOL_RESULT_END",
      "HINT_BLOCK",
      ...TEXT,
      "TEXT_BLOCK_END + MODEL_CALL_END + EXCEED_MAX_ITERS + REPLY_END",
    ],
    texts: ["I charged, no more."],
  },
  {
    name: "a summary that makes a call instead",
    from: "start",
    agent: { max_iters: 1, on_max_iters: "summarize" },
    ends: "exceed_max_iters",
    script: "/call reserve {}\n/then\n/call print_label {}",
    writes: [
      "message_added + REPLY_START",
      ...CALL,
      "TOOL_RESULT_START",
      "TOOL_RESULT_END",
      "HINT_BLOCK",
      ...CALL,
      "TOOL_RESULT_START + TOOL_RESULT_END + EXCEED_MAX_ITERS + REPLY_END",
    ],
    texts: [""],
  },
  {
    name: "a remark about an interrupt",
    from: "answer",
    isInterrupted: true,
    agent: { on_interrupt: { type: "model" } },
    ends: "interrupted",
    script: "/call print_label {}\n/say I have stopped.",
    writes: [
      "reply_interrupted + TOOL_RESULT_END + HINT_BLOCK",
      ...TEXT,
      "TEXT_BLOCK_END + MODEL_CALL_END + REPLY_END",
    ],
    // A remark is not made again.
    texts: ["I have stopped.", ""],
  },
  {
    name: "a text about an interrupt",
    from: "answer",
    isInterrupted: true,
    agent: { on_interrupt: { type: "text", text: "I have stopped." } },
    ends: "interrupted",
    script: "/call print_label {}\n/say no",
    writes: ["update replies", "TOOL_RESULT_END + TEXT_BLOCK_START + TEXT_BLOCK_END + REPLY_END"],
    texts: ["I have stopped."],
  },
];

const restore: (() => void)[] = [];
beforeAll(async () => {
  const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
  restore.push(takeOut, stopDeltaClock());
});
afterAll(() => restore.forEach((undo) => undo()));

test.each(ENDINGS)("$name is whole, or not there, whichever write is cut off", async (scenario) => {
  const way = "ctx.abort";
  const opener = await openScenario(scenario, way);
  const writes = await countWrites(scenario, opener);
  const runs = await crashAt(pointsOf(writes.length), { way, scenario, opener });

  expect(eventWrites(writes)).toEqual(scenario.writes.toSorted());
  const reached = runs.filter(({ isReached }) => isReached);
  expect(reached.length).toBeGreaterThanOrEqual(2 * scenario.writes.length);
  const texts = new Set<string>();
  for (const run of runs) {
    await verifyRun(run, 1);
    const { message } = await run.session.readReply();
    texts.add((message && getTextContent(message)) ?? "");
  }
  expect([...texts].toSorted()).toEqual(scenario.texts.toSorted());
});
