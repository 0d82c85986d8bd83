// Results that somebody outside posts: what is taken, in which form, and what is refused.
import { describe, expect, it } from "vitest";

import { answerExternalCalls } from "../../../agent/answers/answer-calls.ts";
import type { DataBlock, TextBlock, ToolResultBlock } from "../../../protocol/messages/blocks.ts";
import { MAX_DELTA_CHARACTERS } from "../../../protocol/events/limits.ts";
import { MAX_REPLY_CHARACTERS } from "../../../protocol/replies/limits.ts";
import { APPROVED_BY, APPROVER, ApprovalDesk } from "../../support/approval-desk.ts";

const TIMES = { created_at: "T", finished_at: null };

function text(words: string): TextBlock {
  return { type: "text", text: words, id: "t", ...TIMES };
}

function data(id: string, base64: string): DataBlock {
  const source = { type: "base64", data: base64, media_type: "application/pdf" } as const;
  return { type: "data", id, source, name: "label.pdf", ...TIMES };
}

/** A reply with two calls that were handed out. */
async function waitingDesk(): Promise<{ desk: ApprovalDesk; ids: readonly string[] }> {
  const desk = new ApprovalDesk({
    script: "/call print_label {}\n/call print_label {}\n/say Done",
    tools: { print_label: { external: {}, concurrency_safe: true, run: () => "" } },
  });
  await desk.run();
  return { desk, ids: desk.calls.map(({ id }) => id) };
}

function resultOf(desk: ApprovalDesk, id: string): ToolResultBlock | undefined {
  return desk.log.state.message.content.find(
    (block) => block.type === "tool_result" && block.id === id,
  ) as ToolResultBlock | undefined;
}

describe("a result from outside", () => {
  it("cannot claim that the call's input was edited", async () => {
    const { desk, ids } = await waitingDesk();
    const [id = ""] = ids;
    const answered = desk.submit([{ id, metadata: { original_input: "{}", note: 1 } }]);

    expect(answered.ok).toBe(true);
    expect(resultOf(desk, id)?.metadata).toEqual({ note: 1 });
  });

  it("may be blocks: texts come as one, data keeps its id, a url stays a url", async () => {
    const { desk, ids } = await waitingDesk();
    const [id = ""] = ids;
    const url = {
      type: "url",
      url: "https://shop.example/label",
      media_type: "text/html",
    } as const;
    const answered = desk.submit([
      {
        id,
        output: [
          text("one"),
          text("two"),
          data("pdf", "YWJj"),
          { type: "data", id: "web", source: url, name: null, ...TIMES },
          text(""),
          text("three"),
        ],
      },
    ]);

    expect(answered.ok).toBe(true);
    expect(resultOf(desk, id)?.output).toMatchObject([
      { type: "text", text: "one\ntwo" },
      {
        type: "data",
        id: "pdf",
        source: { type: "base64", data: "YWJj", media_type: "application/pdf" },
      },
      { type: "data", id: "web", source: url },
      { type: "text", text: "three" },
    ]);
    expect(desk.states).toEqual(["finished success", "submitted running"]);
  });

  it("may be empty", async () => {
    const { desk, ids } = await waitingDesk();
    desk.submit(ids.map((id, index) => ({ id, output: index === 0 ? "" : [] })));

    expect(desk.typesOf(Infinity).slice(-3)).toEqual([
      "EXTERNAL_EXECUTION_RESULT",
      "TOOL_RESULT_END",
      "TOOL_RESULT_END",
    ]);
    expect(resultOf(desk, ids[0] ?? "")?.output).toEqual([]);
  });

  it("comes in pieces when it is long, and whole in the message", async () => {
    const { desk, ids } = await waitingDesk();
    const [id = ""] = ids;
    const long = "x".repeat(MAX_DELTA_CHARACTERS + 1);
    const base64 = `${"YWJj".repeat(MAX_DELTA_CHARACTERS / 4)}ZA==`;
    desk.submit([{ id, output: [text(long), data("pdf", base64)] }]);

    const deltas = desk.log.events.filter(({ type }) => type.startsWith("TOOL_RESULT_"));
    expect(deltas.slice(2).map(({ type }) => type)).toEqual([
      "TOOL_RESULT_TEXT_DELTA",
      "TOOL_RESULT_TEXT_DELTA",
      "TOOL_RESULT_DATA_DELTA",
      "TOOL_RESULT_DATA_DELTA",
      "TOOL_RESULT_END",
    ]);
    expect(resultOf(desk, id)?.output).toMatchObject([
      { text: long },
      { source: { data: base64 } },
    ]);
  });

  it("is written as canonical base64, however it was wrapped", async () => {
    const { desk, ids } = await waitingDesk();
    const [id = ""] = ids;
    desk.submit([{ id, output: [data("pdf", "YW\nJj\n")] }]);

    expect(resultOf(desk, id)?.output).toMatchObject([{ source: { data: "YWJj" } }]);
  });

  it("may be a short word even when the reply has no room for more", async () => {
    const { desk, ids } = await waitingDesk();
    const state = { ...desk.log.state, characters: MAX_REPLY_CHARACTERS };
    const context = { rights: APPROVER, decided_by: APPROVED_BY };
    const post = (output: string) =>
      answerExternalCalls(state, desk.submission([{ id: ids[0], output }]), context);

    expect(post("x".repeat(2_000)).ok).toBe(true);
    expect(post("x".repeat(2_001))).toMatchObject({
      ok: false,
      refusal: {
        code: "body_too_large",
        errors: [{ pointer: "#/execution_results/0/output" }],
        extensions: { tool_call_id: ids[0] },
      },
    });
  });
});

describe("a result from outside is refused", () => {
  it.each<[string, Partial<ToolResultBlock>, string, string]>([
    ["for a state that ends nothing", { state: "running" }, "validation_failed", "/state"],
    ["for a state that is ours to give", { state: "denied" }, "validation_failed", "/state"],
    ["for another tool's name", { name: "refund" }, "tool_name_changed", "/name"],
    [
      "for data that is no base64",
      { output: [text("x"), data("a", "Y")] },
      "validation_failed",
      "/output/1/source/data",
    ],
    [
      "for two blocks with one id",
      { output: [data("a", "YQ=="), data("a", "YQ==")] },
      "validation_failed",
      "/output/1/id",
    ],
    [
      "for too many blocks",
      { output: Array.from({ length: 257 }, () => text("x")) },
      "validation_failed",
      "/output",
    ],
    [
      "for too much metadata",
      { metadata: { note: "x".repeat(70_000) } },
      "validation_failed",
      "/metadata",
    ],
  ])("%s, with the one beside it", async (_, result, code, pointer) => {
    const { desk, ids } = await waitingDesk();
    const before = desk.log.events.length;
    const refused = desk.submit([{ id: ids[0] }, { id: ids[1], ...result }]);

    expect(refused).toMatchObject({
      ok: false,
      refusal: { code, errors: [{ pointer: `#/execution_results/1${pointer}` }] },
    });
    expect(desk.log.events).toHaveLength(before);
    expect(desk.states).toEqual(["submitted running", "submitted running"]);
  });

  it("when its call has one, and says whether it was the same", async () => {
    const { desk, ids } = await waitingDesk();
    const [id = ""] = ids;
    const output = [text("a"), text("b"), data("pdf", "YWJj")];
    desk.submit([{ id, output }]);

    const refusal = (result: Partial<ToolResultBlock>) => desk.submit([{ id, ...result }]);
    const same = { code: "call_not_pending", extensions: { state: "finished", same_answer: true } };
    const other = { ...same, extensions: { state: "finished", same_answer: false } };
    expect(refusal({ output: [text("a\nb"), data("new", "YWJj")] })).toMatchObject({
      refusal: same,
    });
    expect(refusal({ output: "a\nb" })).toMatchObject({ refusal: other });
    expect(refusal({ output, state: "error" })).toMatchObject({ refusal: other });
  });

  it("when its call was not handed out, or the credential is not about it", async () => {
    const asking = new ApprovalDesk({
      script: "/call print_label {}\n/say Done",
      tools: { print_label: { external: {}, read_only: false, run: () => "" } },
    });
    await asking.run();
    expect(asking.submit([{ id: asking.calls[0]?.id }])).toMatchObject({
      refusal: { code: "call_not_pending", extensions: { state: "asking" } },
    });

    const { desk, ids } = await waitingDesk();
    const rights = { ...APPROVER, tool_call_ids: [ids[1] ?? ""] };
    expect(desk.submit([{ id: ids[0] }], rights)).toMatchObject({
      refusal: { code: "call_not_pending", extensions: { tool_call_id: ids[0], state: null } },
    });
    expect(desk.submit([{ id: "call_99" }])).toMatchObject({
      refusal: { code: "call_not_pending", extensions: { state: null } },
    });
  });

  it("when the event has none, or two for one call", async () => {
    const { desk, ids } = await waitingDesk();

    expect(desk.submit([])).toMatchObject({
      refusal: { code: "validation_failed", errors: [{ pointer: "#/execution_results" }] },
    });
    expect(desk.submit([{ id: ids[0] }, { id: ids[0] }])).toMatchObject({
      refusal: { code: "validation_failed", errors: [{ pointer: "#/execution_results/1" }] },
    });
  });
});
