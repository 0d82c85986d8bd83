// Calls that may be let go and are answered in time: they survive as all others, and leave nothing.
import { expect } from "vitest";

import { BACKGROUND_CALLS } from "../feature-scenarios.ts";
import type { CrashCase } from "../survive.ts";

export const BACKGROUND_CASES: readonly CrashCase[] = [
  {
    scenario: BACKGROUND_CALLS,
    claim: "a call that may be let go ends as any other, whichever write is cut off by %s",
    async verify({ session }) {
      const query = "SELECT status FROM background_tasks WHERE status <> 'attached'";
      expect(await session.rows(query)).toEqual([]);
    },
  },
];
