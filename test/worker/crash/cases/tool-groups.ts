// An agent that equips itself, calls a tool of the group and puts it away: a change and its result are one.
import { expect } from "vitest";

import type { ToolGroupsState } from "../../../../agent/tool-groups/tool-groups-state.ts";
import { TOOL_GROUPS } from "../feature-scenarios.ts";
import type { CrashCase } from "../survive.ts";

export const TOOL_GROUP_CASES: readonly CrashCase[] = [
  {
    scenario: TOOL_GROUPS,
    claim:
      "what an agent has switched and the result that says so are both there once, whichever write is cut off",
    async verify({ session }) {
      const { message } = await session.readReply();
      const results = message?.content.filter(({ type }) => type === "tool_result") ?? [];
      const query = "SELECT state FROM ability_states WHERE name = 'tool_groups'";
      const [kept] = await session.rows<{ state: string }>(query);
      const state = JSON.parse(kept?.state ?? "{}") as ToolGroupsState;
      expect(results.map((result) => "state" in result && result.state)).toEqual([
        "error",
        "success",
        "success",
        "success",
      ]);
      expect(state).toEqual({ version: 2, groups: { desk: false }, tools: {} });
    },
  },
];
