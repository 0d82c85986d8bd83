// A hook over HTTP before printing: a text is asked about under one id, and is in no log as it was.
import { expect, inject } from "vitest";

import type { AskedHook } from "../../../support/hook-server.ts";
import { PRINTING_HOOK } from "../hook-scenarios.ts";
import type { CrashCase } from "../survive.ts";

const often: number[] = [];

async function questionsOf(sessionId: string): Promise<readonly AskedHook[]> {
  const response = await fetch(`${inject("effectServerUrl")}/hooks/${sessionId}`);
  return (await response.json()) as readonly AskedHook[];
}

export const PRINTING_CASES: readonly CrashCase[] = [
  {
    scenario: PRINTING_HOOK,
    claim:
      "a text is asked about under one id however often, and is in no log as it was, whichever write %s cuts off",
    async prepare() {
      often.length = 0;
    },
    async verify({ session }) {
      const reader = session.reader();
      await reader.read("after=0");
      const log = reader.seen;
      const answered = log.flatMap((event) =>
        event.type === "CUSTOM" && event.name === "hook_answered" ? [event.value["id"]] : [],
      );
      const asked = await questionsOf(session.id);
      often.push(asked.length);
      expect([...new Set(asked.map(({ id }) => id))]).toEqual(answered);
      expect([...new Set(asked.map((question) => JSON.stringify(question)))]).toHaveLength(2);
      const said = log.filter(({ type }) => type.endsWith("_DELTA"));
      expect(JSON.stringify(said)).not.toMatch(/let me see|the secret/);
      expect(JSON.stringify(said)).toContain("THE SECRET");
    },
    verifyAll() {
      // Some machines died while their question was asked.
      expect(Math.max(...often)).toBeGreaterThan(2);
    },
  },
];
