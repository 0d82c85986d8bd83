// Input of a model may be read as JSON in several ways; the one who is asked and the one who runs it get the reading
// that was checked.
import { describe, expect, it } from "vitest";

import { completeAnswer } from "../../../agent/json/complete-answer.ts";
import { ApprovalDesk } from "../../support/approval-desk.ts";
import { inputHash } from "../../support/test-asking.ts";

const HANDED_OUT = { external: {}, concurrency_safe: true, run: () => "" };
const ASKED = { read_only: false, concurrency_safe: true, run: () => "done" };

async function deskWith(input: string, tool: typeof HANDED_OUT | typeof ASKED) {
  const desk = new ApprovalDesk({
    script: `/call refund ${input}\n/say Done`,
    tools: { refund: tool },
  });
  await desk.run();
  return desk;
}

function announced(desk: ApprovalDesk): readonly string[] {
  return desk.log.events.flatMap((event) =>
    event.type === "REQUIRE_USER_CONFIRM" || event.type === "REQUIRE_EXTERNAL_EXECUTION"
      ? event.tool_calls.map(({ input }) => input)
      : [],
  );
}

describe("an input that readers may understand differently", () => {
  it.each([
    ["a member twice", '{"to":"evil","to":"ann"}', '{"to":"ann"}'],
    ["a member twice, deep down", '{"a":[{"b":1,"b":2}]}', '{"a":[{"b":2}]}'],
    ["a member twice, once escaped", '{"to":"evil","\\u0074o":"ann"}', '{"to":"ann"}'],
    ["JSON with the quotes of another language", "{'to': 'ann',}", '{"to":"ann"}'],
    ["a text with JSON in it", '"{\\"to\\": \\"ann\\"}"', '{"to":"ann"}'],
  ])("is handed out as it was checked: %s", async (_, written, checked) => {
    const desk = await deskWith(written, HANDED_OUT);

    expect(announced(desk)).toEqual([checked]);
    expect(desk.calls.map(({ input, state }) => [input, state])).toEqual([[checked, "submitted"]]);
  });

  it("is asked about as it will run, with the hash of that, and a yes without an input is no edit", async () => {
    const desk = await deskWith('{"to":"evil","to":"ann",}', ASKED);
    const [call] = desk.calls;
    const hash = inputHash("refund", '{"to":"ann"}');
    const event = desk.confirmation([{ call: 0 }]);
    const confirm_results = event.confirm_results.map(({ tool_call, ...result }) => {
      return { ...result, tool_call: { ...tool_call, input: undefined } };
    });
    const complete = completeAnswer(desk.log.state, { ...event, confirm_results });
    const metadata = { input_hashes: { [call!.id]: hash } };
    const answered = desk.confirm([{ call: 0 }], { metadata });

    expect(complete).toMatchObject({ confirm_results: [{ tool_call: { input: '{"to":"ann"}' } }] });
    expect(announced(desk)).toEqual(['{"to":"ann"}']);
    expect(answered.ok && answered.value.events.map(({ type }) => type)).toEqual([
      "USER_CONFIRM_RESULT",
    ]);
    expect(desk.calls.map(({ input, state }) => [input, state])).toEqual([
      ['{"to":"ann"}', "allowed"],
    ]);
  });

  it.each([
    ["white space and escapes", '{ "a:b" : "\\"x\\":\\\\", "c": [1.0, {"d": null}] }'],
    ["a member of the same name in another object", '{"a":{"a":1},"b":[{"a":2},{"a":3}]}'],
    ["what objects inherit", '{"__proto__":1,"constructor":2}'],
  ])("is nothing else: %s stays as it was written", async (_, written) => {
    const desk = await deskWith(written, HANDED_OUT);

    expect(desk.calls.map(({ input }) => input)).toEqual([written]);
    expect(desk.log.types).not.toContain("CUSTOM");
  });

  it.each([
    ["cut off", '{"to":"an'],
    ["no object", '["ann"]'],
    ["two objects", '{"to":"ann"}{"to":"bob"}'],
  ])("is neither asked about nor handed out when it is %s", async (_, written) => {
    const desks = [await deskWith(written, ASKED), await deskWith(written, HANDED_OUT)];

    expect(desks.map((desk) => [announced(desk), desk.states])).toEqual([
      [[], ["finished error"]],
      [[], ["finished error"]],
    ]);
  });

  it("is refused when it nests deeper than a request may", async () => {
    const desk = await deskWith(`{"a":${"[".repeat(20_000)}${"]".repeat(20_000)},"a":1`, ASKED);
    const deep = await deskWith(`{"a":${"[".repeat(70)}${"]".repeat(70)}}`, HANDED_OUT);

    expect([desk.states, deep.states]).toEqual([["finished error"], ["finished error"]]);
  });
});
