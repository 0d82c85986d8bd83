// Replies of the MCP tests on a machine that stood still for as long as a list of tools may take.
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { MCP_FAILURE_MS } from "../../../protocol/mcp/limits.ts";
import { sayInTime } from "../../support/mcp/say-in-time.ts";

const MISSING = "Tools of yours are missing in this reply:\n- The MCP server wh ";
const LATE = "did not answer within 10000 ms.";

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

/** A session whose replies have these hints, one after the other. */
function sessionOf(...hints: readonly (string | null)[]) {
  const said: (string | null)[] = [];
  const say = () => {
    const hint = hints[said.length] ?? null;
    said.push(hint);
    const content = hint === null ? [] : [{ type: "hint", hint: `${MISSING}${hint}` }];
    return Promise.resolve({ message: { content: [...content, { type: "text", text: "Done." }] } });
  };
  return { said, say };
}

test.each(["could not be looked up.", LATE])(
  "a reply whose server %s is said again when the platform asks it again",
  async (late) => {
    const { said, say } = sessionOf(late);

    const saying = sayInTime(say);
    await vi.advanceTimersByTimeAsync(MCP_FAILURE_MS - 1);
    expect(said).toEqual([late]);
    await vi.advanceTimersByTimeAsync(1);

    expect((await saying).message.content).toEqual([{ type: "text", text: "Done." }]);
    expect(said).toEqual([late, null]);
  },
);

test("a server that is never in time is the test's business after three replies", async () => {
  const { said, say } = sessionOf(LATE, LATE, LATE, LATE);

  const saying = sayInTime(say);
  await vi.runAllTimersAsync();

  expect((await saying).message.content).toHaveLength(2);
  expect(said).toEqual([LATE, LATE, LATE]);
});

test.each(["did not answer within 1000 ms.", "did not answer a moment ago.", "answered 503."])(
  "a reply whose server %s is as the test wants it, and is said once",
  async (hint) => {
    const { said, say } = sessionOf(hint);

    await sayInTime(say);

    expect(said).toEqual([hint]);
  },
);

test("a refusal, which has no message, is said once", async () => {
  await expect(sayInTime(() => Promise.resolve({}))).resolves.toEqual({});
});
