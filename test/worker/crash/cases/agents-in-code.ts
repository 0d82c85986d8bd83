// Agents in code: what they did is not done again.
import { expect, inject } from "vitest";

import { getTextContent } from "../../../../protocol/messages/accessors.ts";
import type { AskedTurn } from "../../../support/agent-server.ts";
import { deployAgent } from "../../support/deployed-agent.ts";
import type { CrashedRun } from "../crash-run.ts";
import { AGENT_IN_CODE, INTERRUPTED_CODE, SERVED_AGENT } from "../feature-scenarios.ts";
import type { CrashCase } from "../survive.ts";

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

async function textOf({ session }: CrashedRun): Promise<string> {
  const { message } = await session.readReply();
  return (message && getTextContent(message)) ?? "";
}

async function turnsOf({ session }: CrashedRun): Promise<readonly AskedTurn[]> {
  const response = await fetch(`${inject("effectServerUrl")}/turns/${session.id}`);
  return (await response.json()) as readonly AskedTurn[];
}

const often: number[] = [];
const said = new Set<string>();

export const CODE_CASES: readonly CrashCase[] = [
  {
    scenario: AGENT_IN_CODE,
    claim: "it is entered again with what the log holds, whichever write %s cuts off",
    async verify({ session }) {
      const { message } = await session.readReply();
      expect(message?.content).toMatchObject([
        { type: "text", text: "Hello." },
        { type: "tool_call", name: "reserve", state: "finished" },
        { type: "tool_result", state: "success" },
        { type: "text", text: expect.stringContaining("refund desk") },
      ]);
    },
  },
  {
    scenario: SERVED_AGENT,
    claim:
      "each of its turns is asked for under one id however often, and is in the reply once, whichever write %s cuts off",
    async prepare() {
      often.length = 0;
    },
    async verify(run) {
      const { message } = await run.session.readReply();
      const turns = await turnsOf(run);
      often.push(turns.length);
      expect(message?.content).toMatchObject([
        { type: "text", text: "I reserve." },
        { type: "tool_call", name: "reserve", state: "finished" },
        { type: "tool_result", state: "success" },
        { type: "text", text: expect.stringContaining("refund desk") },
        { type: "text", text: "That is all." },
      ]);
      expect([...new Set(turns.map(({ id }) => id))]).toEqual(
        [1, 2, 4].map((turn) => `${message?.id}-${turn}`),
      );
      expect(new Set(turns.map((turn) => JSON.stringify(turn))).size).toBe(3);
    },
    verifyAll() {
      // Some machines died while their turn was given.
      expect(Math.max(...often)).toBeGreaterThan(3);
    },
  },
  {
    scenario: INTERRUPTED_CODE,
    claim:
      "its words about an interrupt are asked for once and said at most once, whichever write %s cuts off",
    async prepare() {
      said.clear();
    },
    async verify(run) {
      const text = await textOf(run);
      said.add(text);
      expect(["I have stopped.", ""]).toContain(text);
      expect(handled.filter((id) => id === run.session.id).length).toBeLessThanOrEqual(1);
    },
    verifyAll() {
      expect(said).toContain("I have stopped.");
    },
  },
];
