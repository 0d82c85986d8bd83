// Hooks that put blocks into the message of a reply and take blocks out of it: once, whatever is lost.
import { expect } from "vitest";

import { deployHook } from "../../support/deployed-hook.ts";
import { CHANGED_BLOCKS } from "../hook-scenarios.ts";
import type { CrashCase } from "../survive.ts";

deployHook({
  name: "editor",
  post_reasoning: ({ input, output }) => {
    if (input.iteration !== 1) return undefined;
    const [said, , second] = output?.blocks ?? [];
    return {
      output: {
        blocks: [{ type: "text", text: "In short:" }, { id: said?.id ?? "" }],
        remove: [second?.id ?? ""],
      },
    };
  },
  post_reply: ({ output }) => ({
    output: {
      blocks: [{ type: "text", text: "The end." }],
      remove: [output?.blocks?.findLast(({ type }) => type === "text")?.id ?? ""],
    },
  }),
});

export const CHANGED_BLOCKS_CASES: readonly CrashCase[] = [
  {
    scenario: CHANGED_BLOCKS,
    claim:
      "blocks come and go once, and a call that went is never made, whichever write %s cuts off",
    async verify({ session }) {
      const { message } = await session.readReply();
      expect(message?.content).toMatchObject([
        { type: "text", text: "In short:" },
        { type: "text", text: "I look." },
        { type: "tool_call", name: "reserve", state: "finished" },
        { type: "tool_result", name: "reserve", state: "success" },
        { type: "text", text: "The end." },
      ]);
    },
  },
];
