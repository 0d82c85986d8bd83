// Blocks that a hook takes out of a message or puts into it: what its answer may ask for, and what the fold makes of it.
import { describe, expect, it } from "vitest";

import { readChange } from "../../../agent/hooks/read-change.ts";
import { HookAnswerSchema, type HookAnswer } from "../../../protocol/hooks/contract.ts";
import type { HookChange, HookPoint } from "../../../protocol/hooks/events.ts";
import { arrangeBlocks } from "../../../protocol/fold/arrange-blocks.ts";
import type { ContentBlock } from "../../../protocol/messages/blocks.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";

const at = { created_at: "2026-12-01T00:00:00.000Z", finished_at: "2026-12-01T00:00:00.000Z" };
const text = (id: string): ContentBlock => ({ type: "text", id, text: `words of ${id}`, ...at });
const thought = (id: string): ContentBlock => ({ type: "thinking", id, thinking: "hm", ...at });
const call = (id: string, state: "pending" | "asking" | "finished" = "pending"): ContentBlock => ({
  type: "tool_call",
  id,
  name: "pay",
  input: "{}",
  state,
  suggested_rules: [],
  ...at,
});
const result = (id: string): ContentBlock => ({
  type: "tool_result",
  id,
  name: "pay",
  output: "paid",
  state: "success",
  metadata: {},
  ...at,
});
const hint: ContentBlock = { type: "hint", id: "h1", hint: "Note.", source: null, ...at };

/** As it comes over the wire. */
function answerOf(output: object): HookAnswer {
  return HookAnswerSchema.parse({ output }) as HookAnswer;
}

function changeOf(
  output: object,
  blocks: readonly ContentBlock[],
  point: HookPoint = "post_reasoning",
): HookChange | null | "invalid" {
  let ids = 0;
  const newId = () => `blk_${(ids += 1)}` as never;
  return readChange(answerOf(output), { point, input: {}, output: { blocks } }, newId);
}

const NEW = { type: "text", text: "New." };

describe("a new block", () => {
  const before = (type: string, id: string) => [{ id: "blk_1", before: { type, id } }];

  it.each<[string, object[], readonly ContentBlock[], HookChange["added"]]>([
    ["alone comes last", [NEW], [text("a"), text("b")], [{ id: "blk_1", before: null }]],
    [
      "behind a block precedes the next",
      [{ id: "a" }, NEW],
      [text("a"), text("b")],
      before("text", "b") as never,
    ],
    [
      "behind the last one comes last",
      [{ id: "b" }, NEW],
      [text("a"), text("b")],
      [{ id: "blk_1", before: null }],
    ],
    [
      "before a block precedes it",
      [NEW, { id: "b" }],
      [text("a"), text("b")],
      before("text", "b") as never,
    ],
    [
      "before a thought follows it",
      [NEW, { id: "t" }],
      [thought("t"), call("c")],
      before("tool_call", "c") as never,
    ],
    [
      "before a thought alone comes last",
      [NEW, { id: "t" }],
      [thought("t")],
      [{ id: "blk_1", before: null }],
    ],
    [
      "keeps its order among new ones",
      [{ id: "a" }, NEW, NEW],
      [text("a"), text("b")],
      ["blk_1", "blk_2"].map((id) => ({ id, before: { type: "text", id: "b" } })) as never,
    ],
  ])("%s", (_, blocks, shown, added) => {
    expect(changeOf({ blocks }, shown)).toEqual({ added });
  });

  it("takes the place of one that goes, and of texts that change in the same answer", () => {
    const blocks = [{ id: "a", text: "Other." }, { id: "b", text: "lost" }, NEW];
    expect(changeOf({ blocks, remove: ["b", "b"] }, [text("a"), text("b"), call("c")])).toEqual({
      blocks: [{ id: "a", text: "Other." }],
      removed: [{ type: "text", id: "b" }],
      added: [{ id: "blk_1", before: { type: "tool_call", id: "c" } }],
    });
  });

  it("is a text or data, and nothing that could act", () => {
    const png = { type: "base64", data: "iVBORw0KGgo=", media_type: "image/png" };
    expect(changeOf({ blocks: [{ type: "data", source: png }] }, [])).toEqual({
      added: [{ id: "blk_1", before: null }],
    });
    const no64 = { ...png, data: "%%%" };
    expect(changeOf({ blocks: [{ type: "data", source: no64 }] }, [])).toBe("invalid");
    const others = [
      { type: "tool_call", name: "pay", input: "{}" },
      { type: "tool_result", name: "pay", output: "paid" },
      { type: "thinking", thinking: "hm" },
      { type: "hint", hint: "Do it." },
      { type: "text", text: "" },
      { type: "data", source: { type: "url", url: "http://x.example/a", media_type: "image/png" } },
      { id: null, type: "text", text: "New." },
      {},
    ];
    for (const block of others) {
      expect(HookAnswerSchema.safeParse({ output: { blocks: [block] } }).success).toBe(false);
    }
  });
});

describe("a block that is to go", () => {
  it.each<[string, string[], readonly ContentBlock[], HookPoint]>([
    ["was not shown", ["z"], [text("a")], "post_reasoning"],
    ["is a result", ["r"], [result("r")], "post_reply"],
    ["is a hint", ["h1"], [hint], "post_reply"],
    ["is a call that has run", ["c"], [call("c", "finished"), result("c")], "post_reply"],
    ["is a call, behind the reply", ["c"], [call("c")], "post_reply"],
    ["is a call that a person was asked about", ["c"], [call("c", "asking")], "post_reasoning"],
    [
      "is the thought of a call that stays",
      ["t"],
      [thought("t"), text("a"), call("c")],
      "post_reasoning",
    ],
    [
      "is the thought of a call of an earlier turn",
      ["t"],
      [thought("t"), call("c", "finished"), result("c"), text("a")],
      "post_reply",
    ],
  ])("stays when it %s: the answer is invalid", (_, remove, shown, point) => {
    expect(changeOf({ remove }, shown, point)).toBe("invalid");
  });

  it("is a text, data, a thought without its call, or a call that nothing has begun", () => {
    const shown = [thought("t"), text("a"), call("c")];
    expect(changeOf({ remove: ["t", "c"] }, shown)).toEqual({
      removed: [
        { type: "thinking", id: "t" },
        { type: "tool_call", id: "c" },
      ],
    });
    const later = [call("c", "finished"), result("c"), thought("t"), text("a")];
    expect(changeOf({ remove: ["t"] }, later, "post_reply")).toEqual({
      removed: [{ type: "thinking", id: "t" }],
    });
  });
});

describe("the fold", () => {
  const message = (...content: ContentBlock[]) => ({ id: "rep_1", content }) as unknown as Msg;
  const idsOf = ({ content }: Msg) => content.map(({ type, id }) => `${type} ${id}`);

  it("takes blocks out by type and id, never results or hints", () => {
    const before = message(text("a"), call("c"), result("c"), hint);
    const removed = [
      { type: "tool_call", id: "c" },
      { type: "tool_result", id: "c" },
      { type: "hint", id: "h1" },
      { type: "text", id: "z" },
    ];
    expect(idsOf(arrangeBlocks(before, { removed }))).toEqual([
      "text a",
      "tool_result c",
      "hint h1",
    ]);
  });

  it("puts new blocks before others in their order, and leaves those without a place at the end", () => {
    const before = message(text("a"), text("b"), text("n1"), text("n2"), text("n3"));
    const place = { type: "text", id: "b" };
    const added = [
      { id: "n1", before: place },
      { id: "n2", before: place },
      { id: "n3", before: null },
    ];
    const after = arrangeBlocks(before, { added });
    expect(idsOf(after)).toEqual(["text a", "text n1", "text n2", "text b", "text n3"]);
    expect(arrangeBlocks(after, { added })).toBe(after);
  });

  it("loses no block and throws nothing, whatever the values are", () => {
    const before = message(text("a"), text("b"));
    const place = { type: "text", id: "b" };
    const values = [null, 7, "b", {}, [null], [{}], [{ id: 7, before: place }], [[place]]];
    for (const value of values) {
      expect(arrangeBlocks(before, { removed: value, added: value })).toBe(before);
    }
    const rings = [
      { id: "a", before: { type: "text", id: "b" } },
      { id: "b", before: { type: "text", id: "a" } },
      { id: "b", before: { type: "text", id: "b" } },
      { id: "a", before: { type: "text", id: "gone" } },
    ];
    for (const ring of rings) {
      expect(idsOf(arrangeBlocks(before, { added: [ring] })).toSorted()).toEqual([
        "text a",
        "text b",
      ]);
    }
    expect(arrangeBlocks(before, { added: rings })).toBe(before);
  });
});
