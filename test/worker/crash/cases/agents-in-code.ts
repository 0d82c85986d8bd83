// Agents in code: what they did is not done again.
import { expect } from "vitest";

import { getTextContent } from "../../../../protocol/messages/accessors.ts";
import { deployAgent } from "../../support/deployed-agent.ts";
import type { CrashedRun } from "../crash-run.ts";
import { AGENT_IN_CODE, INTERRUPTED_CODE } from "../feature-scenarios.ts";
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
