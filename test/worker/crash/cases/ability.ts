// An ability of a deployment: its state and its result are one.
import { expect } from "vitest";

import { deployNotes } from "../../support/notes-ability.ts";
import { NOTES } from "../feature-scenarios.ts";
import type { CrashCase } from "../survive.ts";

deployNotes();

export const ABILITY_CASES: readonly CrashCase[] = [
  {
    scenario: NOTES,
    claim: "its state and its result are both there or neither, whichever write %s cuts off",
    async verify({ session }) {
      const { message } = await session.readReply();
      const results = message?.content.filter(({ type }) => type === "tool_result") ?? [];
      const query = "SELECT state FROM ability_states WHERE name = 'notes'";
      const kept = await session.rows<{ state: string }>(query);
      expect(results).toHaveLength(1);
      expect(kept).toEqual([{ state: '["lamp"]' }]);
    },
  },
];
