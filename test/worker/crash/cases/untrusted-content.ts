// A sink after an untrusted result: it is asked about with the source, and never runs before.
import { expect } from "vitest";

import { UNTRUSTED_CONTENT } from "../feature-scenarios.ts";
import type { CrashCase } from "../survive.ts";

export const UNTRUSTED_CASES: readonly CrashCase[] = [
  {
    scenario: UNTRUSTED_CONTENT,
    claim: "it is asked about with the source, and never runs before, whichever write %s cuts off",
    verify({ session: { seen } }) {
      const looked = seen.find(
        (event) => event.type === "TOOL_RESULT_START" && event.tool_call_name === "lookup",
      );
      const asked = seen.filter(({ type }) => type === "REQUIRE_USER_CONFIRM");
      const order = seen.flatMap((event) =>
        event.type === "REQUIRE_USER_CONFIRM" ||
        (event.type === "TOOL_RESULT_START" && event.tool_call_name === "charge")
          ? [event.type]
          : [],
      );
      const source = looked?.metadata["untrusted"];
      expect(source).toMatchObject({ tool_name: "lookup" });
      expect(Object.values(asked[0]?.metadata["untrusted"] ?? {})).toEqual([[source]]);
      expect(order).toEqual(["REQUIRE_USER_CONFIRM", "TOOL_RESULT_START"]);
    },
  },
];
