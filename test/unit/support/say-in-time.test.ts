// Replies of the MCP tests on a machine that stood still for as long as a list of tools may take.
import { expect, test } from "vitest";

import { sayInTime } from "../../support/mcp/say-in-time.ts";

const MISSING = "Tools of yours are missing in this reply:\n- The MCP server wh ";

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

test.each(["could not be looked up.", "did not answer within 10000 ms."])(
  "a reply whose server %s is said again until its tools are there",
  async (late) => {
    const { said, say } = sessionOf(late, "did not answer a moment ago.");

    const { message } = await sayInTime(say);

    expect(said).toEqual([late, "did not answer a moment ago.", null]);
    expect(message.content).toEqual([{ type: "text", text: "Done." }]);
  },
);

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
