// A tool's rules about edits hold for everybody who answers.
import { describe, expect, it } from "vitest";

import { ApprovalDesk } from "../../support/approval-desk.ts";

const INPUT = '{"order_id":"A-1","amount":5}';

async function askingDesk(editable?: readonly string[]): Promise<ApprovalDesk> {
  const desk = new ApprovalDesk({
    script: `/call refund ${INPUT}\n/say Done`,
    tools: { refund: { read_only: false, run: () => "refunded", ...(editable && { editable }) } },
  });
  await desk.run();
  expect(desk.states).toEqual(["asking"]);
  return desk;
}

describe("an edit", () => {
  it.each<[string, readonly string[] | undefined, string]>([
    ["of what the tool names", ["/amount"], '{"order_id":"A-1","amount":6}'],
    ["of anything, where the tool says nothing", undefined, '{"order_id":"A-2"}'],
    ["that is none, where nothing may be edited", [], '{"amount":5.0, "order_id":"A-1"}'],
  ])("is taken: %s", async (_, editable, input) => {
    expect((await askingDesk(editable)).confirm([{ call: 0, input }]).ok).toBe(true);
  });

  it.each<[string, readonly string[] | undefined, string, string]>([
    [
      "of anything else",
      ["/amount", "/note"],
      '{"order_id":"A-2","amount":6}',
      "The edited input changes /order_id; only /amount, /note may be edited.",
    ],
    [
      "of anything, where nothing may be edited",
      [],
      '{"order_id":"A-1","amount":6}',
      "The edited input changes /amount; nothing may be edited.",
    ],
    [
      "into what is no object",
      ["/amount"],
      "[]",
      "The edited input changes the whole input; only /amount may be edited.",
    ],
    [
      "of a name as long as a book",
      ["/amount"],
      `{"order_id":"A-1","amount":6,"${"x".repeat(1_000)}":1}`,
      `The edited input changes /${"x".repeat(199)}…; only /amount may be edited.`,
    ],
    [
      "that its readers may understand differently",
      undefined,
      '{"order_id":"A-1","amount":6,"amount":7}',
      "The edited input has a member twice.",
    ],
  ])("is refused: %s", async (_, editable, input, detail) => {
    const desk = await askingDesk(editable);
    const before = desk.log.events.length;

    const pointer = "#/confirm_results/0/tool_call/input";
    expect(desk.confirm([{ call: 0, input }])).toMatchObject({
      ok: false,
      refusal: { code: "edited_input_invalid", detail, errors: [{ pointer, detail }] },
    });
    expect([desk.log.events.length, desk.states]).toEqual([before, ["asking"]]);
  });
});

describe("a question", () => {
  it.each([[["/amount"]], [[]]])("tells what may be edited: %j", async (editable) => {
    const { log, calls } = await askingDesk(editable);
    const asked = log.events.find(({ type }) => type === "REQUIRE_USER_CONFIRM");

    expect(asked).toMatchObject({ metadata: { editable: { [calls[0]!.id]: editable } } });
  });

  it("says nothing of it where its tool does not", async () => {
    const { log } = await askingDesk();
    const asked = log.events.find(({ type }) => type === "REQUIRE_USER_CONFIRM");

    expect(asked && "metadata" in asked && "editable" in asked.metadata).toBe(false);
  });
});
