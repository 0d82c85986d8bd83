// An agent in code, whose machine dies before and after each durable write of its reply: what it did is not done again.
import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, test } from "vitest";

import { getTextContent } from "../../../../protocol/messages/accessors.ts";
import { deployAgent } from "../../support/deployed-agent.ts";
import { countWrites, crashAt } from "../crash-run.ts";
import { openScenario } from "../crash-session.ts";
import { installFailpoints, stopDeltaClock } from "../failpoint.ts";
import type { Scenario } from "../scenarios.ts";
import { eventWrites, pointsOf } from "../survive.ts";
import { verifyRun } from "../verify-run.ts";

const SCENARIO: Scenario = {
  name: "an agent in code",
  from: "start",
  script: "Any question.",
  agent: { code_agent: "careful" },
  writes: [
    "message_added + REPLY_START",
    "agent_step + TEXT_BLOCK_START + TEXT_BLOCK_END",
    "agent_step",
    "agent_step + TOOL_CALL_START + TOOL_CALL_END",
    "TOOL_RESULT_START",
    "TOOL_RESULT_END",
    "agent_step",
    "MODEL_CALL_START",
    "TEXT_BLOCK_START",
    "TEXT_BLOCK_END + MODEL_CALL_END + REPLY_END",
  ],
};

/** Waits, and is interrupted. */
const INTERRUPTED: Scenario = {
  name: "an interrupt of an agent in code",
  from: "answer",
  script: "Any question.",
  isInterrupted: true,
  ends: "interrupted",
  agent: { code_agent: "stoppable" },
  writes: ["reply_interrupted + TOOL_RESULT_END", "TEXT_BLOCK_START + TEXT_BLOCK_END + REPLY_END"],
};

const handled: string[] = [];
deployAgent({
  name: "stoppable",
  async reply(reply) {
    await reply.call("label", "print_label", {});
    await reply.say("last", "It is printed.");
  },
  handle_interrupt({ session_id }) {
    handled.push(session_id);
    return "I have stopped.";
  },
});

deployAgent({
  name: "careful",
  async reply(reply) {
    await reply.say("greeting", "Hello.");
    const order = await reply.once("order", () => crypto.randomUUID());
    await reply.call("reserve", "reserve", { order });
    return reply.run();
  },
});

const restore: (() => void)[] = [];
beforeAll(async () => {
  const takeOut = await installFailpoints(env.SESSION.getByName("failpoints"));
  restore.push(takeOut, stopDeltaClock());
});
afterAll(() => restore.forEach((undo) => undo()));

test.each(["ctx.abort", "abortAllDurableObjects"] as const)(
  "it is entered again with what the log holds, whichever write %s cuts off",
  async (way) => {
    const opener = await openScenario(SCENARIO, way);
    const writes = await countWrites(SCENARIO, opener);
    const runs = await crashAt(pointsOf(writes.length), { way, scenario: SCENARIO, opener });

    expect(eventWrites(writes)).toEqual(SCENARIO.writes.toSorted());
    expect(runs.filter(({ isReached }) => isReached).length).toBeGreaterThanOrEqual(
      2 * SCENARIO.writes.length,
    );
    for (const run of runs) {
      await verifyRun(run, 1);
      const { message } = await run.session.readReply();
      expect(message?.content).toMatchObject([
        { type: "text", text: "Hello." },
        { type: "tool_call", name: "reserve", state: "finished" },
        { type: "tool_result", state: "success" },
        { type: "text", text: expect.stringContaining("refund desk") },
      ]);
    }
  },
);

test.each(["ctx.abort", "abortAllDurableObjects"] as const)(
  "its words about an interrupt are asked for once and said at most once, whichever write %s cuts off",
  async (way) => {
    const opener = await openScenario(INTERRUPTED, way);
    const writes = await countWrites(INTERRUPTED, opener);
    const runs = await crashAt(pointsOf(writes.length), { way, scenario: INTERRUPTED, opener });

    expect(writes).toEqual(expect.arrayContaining([...INTERRUPTED.writes]));
    expect(runs.filter(({ isReached }) => isReached).length).toBeGreaterThanOrEqual(4);
    const said = new Set<string>();
    for (const run of runs) {
      await verifyRun(run, 1);
      const { message } = await run.session.readReply();
      const text = (message && getTextContent(message)) ?? "";
      said.add(text);
      expect(["I have stopped.", ""]).toContain(text);
      expect(handled.filter((id) => id === run.session.id).length).toBeLessThanOrEqual(1);
    }
    expect(said).toContain("I have stopped.");
  },
);
