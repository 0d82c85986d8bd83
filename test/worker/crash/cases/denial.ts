// A denial with its reason: the answer, the result and the record of it are one.
import { expect } from "vitest";

import { decisionsOf } from "../../../../durable-objects/tables/decisions-of.ts";
import type { Decision } from "../../../../protocol/permission/contract.ts";
import { DENIAL, DENIAL_REASON } from "../feature-scenarios.ts";
import type { CrashCase } from "../survive.ts";

export const DENIAL_CASES: readonly CrashCase[] = [
  {
    scenario: DENIAL,
    claim:
      "the answer, the result that tells the reason and the record of it are one, whichever write %s cuts off",
    async verify({ session }) {
      const { message } = await session.readReply();
      const results = message?.content.filter(({ type }) => type === "tool_result") ?? [];
      const given = session.seen
        .flatMap((event): readonly Decision[] => decisionsOf(event))
        .filter(({ behavior }) => behavior === "deny");
      const rows = await session.rows("SELECT seq FROM decisions ORDER BY seq");
      expect(results).toMatchObject([
        {
          state: "denied",
          metadata: { denial_reason: DENIAL_REASON },
          output: [{ text: expect.stringContaining(`Their reason: ${DENIAL_REASON}`) }],
        },
      ]);
      expect(given).toMatchObject([{ reason: DENIAL_REASON }]);
      expect(rows).toHaveLength(2);
    },
  },
];
