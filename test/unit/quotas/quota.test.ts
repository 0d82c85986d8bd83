import { describe, expect, test } from "vitest";

import type { SpentQuota } from "../../../agent/tenant-quota.ts";
import { runScript } from "../../support/run-script.ts";

const SPENT: SpentQuota = { quota: "tokens_per_day" };
const SCRIPT = "/call nothing {}\n/then\n/call nothing {}\n/then\n/say done";

/** A quota that has room for some model calls. */
function roomFor(calls: number) {
  const asked: number[] = [];
  const waited: SpentQuota[] = [];
  const quota = {
    check: async (tokens: number) => {
      asked.push(tokens);
      return asked.length > calls ? SPENT : null;
    },
    wait: (spent: SpentQuota) => void waited.push(spent),
  };
  return { quota, asked, waited };
}

describe("a quota of the tenant", () => {
  test("is asked before each model call, with what the reply has used so far", async () => {
    const { quota, asked } = roomFor(10);

    const log = await runScript({ script: SCRIPT, quota });

    expect(asked).toHaveLength(3);
    expect(asked[0]).toBe(0);
    expect(asked.toSorted((a, b) => a - b)).toEqual(asked);
    expect(log.state.message.finished_reason).toBe("completed");
  });

  test("that is used up ends the reply with its error and its name, and makes no further call", async () => {
    const { quota, waited } = roomFor(1);

    const { state, events } = await runScript({ script: SCRIPT, quota, on_limit: "end" });

    const { finished_reason, error } = state.message;
    expect([finished_reason, error?.type]).toEqual(["error", "quota_exceeded"]);
    expect(events.at(-1)).toMatchObject({
      type: "REPLY_END",
      metadata: { quota: "tokens_per_day" },
    });
    expect(events.filter(({ type }) => type === "MODEL_CALL_START")).toHaveLength(1);
    expect(waited).toEqual([]);
  });

  test("lets a reply wait whose agent says so: its runner ends, and nothing is said", async () => {
    const { quota, waited } = roomFor(1);

    const { state, events } = await runScript({ script: SCRIPT, quota, on_limit: "park" });

    expect(waited).toEqual([SPENT]);
    expect(state.message.finished_reason).toBeNull();
    expect(events.at(-1)?.type).not.toBe("REPLY_END");
  });

  test("says nothing to a reply that was stopped while it was asked", async () => {
    const stop = new AbortController();
    const quota = {
      check: async () => {
        stop.abort();
        return SPENT;
      },
      wait: () => undefined,
    };

    const { state } = await runScript({ script: SCRIPT, quota, stop: stop.signal });

    expect(state.message.finished_reason).toBeNull();
  });
});
