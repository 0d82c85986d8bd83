// A model whose finished texts and thoughts a hook looks at: nothing leaves before its hook has answered.
import { describe, expect, it } from "vitest";

import { bufferedModel } from "../../../agent/hooks/buffered-model.ts";
import type { PrintedBlock } from "../../../agent/hooks/reply-hooks.ts";
import type { ModelChunk } from "../../../agent/ports.ts";
import { modelError } from "../../../agent/state/model-error.ts";
import { collect } from "../../support/collect.ts";
import { playedModel } from "../../support/played-model.ts";

const CALL = { index: 0, id: "c1", name: "pay", delta: "{}" };
const USAGE = { input_tokens: 1, output_tokens: 2 } as never;
const ERROR = modelError("rate_limited" as never);

type Print = (type: "text" | "thinking", text: string) => PrintedBlock;

const AS_IT_IS: Print = (_, text) => ({ text, isLast: false });

/** The chunks that are shown, and the texts that the hook was asked about. */
async function held(chunks: readonly ModelChunk[], print: Print = AS_IT_IS, room = Infinity) {
  const asked: string[] = [];
  const stop = new AbortController().signal;
  const model = bufferedModel(playedModel("m", chunks), {
    print: async (type, text, signal) => {
      asked.push(`${type} ${text}`);
      expect(signal).toBe(stop);
      return print(type, text);
    },
    room: () => room,
  });
  const shown = await collect(model.stream({} as never, stop));
  expect(model.name).toBe("m");
  return { asked, shown };
}

describe("what is shown", () => {
  it("is each text and each thought as a whole, once what follows it has begun", async () => {
    const { asked, shown } = await held([
      { thinking: "a" },
      { thinking: "b" },
      { text: "c" },
      { text: "d" },
      { thinking: "e" },
      { text: "f" },
    ]);

    expect(asked).toEqual(["thinking ab", "text cd", "thinking e", "text f"]);
    expect(shown).toEqual([{ thinking: "ab" }, { text: "cd" }, { thinking: "e" }, { text: "f" }]);
  });

  it("is one text where chunks without words are between, and those are not held", async () => {
    const { shown } = await held([{ text: "a" }, { usage: USAGE }, {}, { text: "b" }]);

    expect(shown).toEqual([{ usage: USAGE }, { text: "ab" }]);
  });

  it("is in front of the calls that follow it, whichever chunk has them", async () => {
    const calls = [CALL];

    expect((await held([{ text: "a" }, { tool_calls: calls }])).shown).toEqual([
      { text: "a" },
      { tool_calls: calls },
    ]);
    expect((await held([{ thinking: "a" }, { text: "b", tool_calls: calls }])).shown).toEqual([
      { thinking: "a" },
      { text: "b" },
      { tool_calls: calls },
    ]);
    // An empty list is no call.
    expect((await held([{ text: "a", tool_calls: [] }, { text: "b" }])).shown).toEqual([
      { tool_calls: [] },
      { text: "ab" },
    ]);
  });

  it("is what the hook says in its place, and nothing where it says nothing", async () => {
    const print: Print = (type, text) => ({
      text: type === "text" ? `[${text}]` : "",
      isLast: false,
    });

    expect((await held([{ thinking: "a" }, { text: "b" }], print)).shown).toEqual([
      { text: "[b]" },
    ]);
  });

  it("is nothing of a model that says nothing, and no hook is asked", async () => {
    expect(await held([{ text: "" }, { thinking: "" }])).toEqual({ asked: [], shown: [] });
  });
});

describe("the signature of a thought", () => {
  const signed: readonly ModelChunk[] = [
    { thinking: "a" },
    { thinking_signature: "s" },
    { text: "b" },
  ];

  it("is behind it", async () => {
    expect((await held(signed)).shown).toEqual([
      { thinking: "a" },
      { thinking_signature: "s" },
      { text: "b" },
    ]);
  });

  it("is left out of a thought that was changed, and of no other", async () => {
    const again: readonly ModelChunk[] = [
      ...signed,
      { thinking: "c" },
      { thinking_signature: "t" },
    ];
    const print: Print = (_, text) => ({ text: text === "a" ? "x" : text, isLast: false });

    expect((await held(again, print)).shown).toEqual([
      { thinking: "x" },
      { text: "b" },
      { thinking: "c" },
      { thinking_signature: "t" },
    ]);
  });

  it("is shown without a thought, too", async () => {
    expect((await held([{ thinking_signature: "" }])).shown).toEqual([{ thinking_signature: "" }]);
  });
});

describe("once a hook has ended the reply", () => {
  const last: Print = (_, text) => ({ text, isLast: true });

  it("nothing is shown any more but what it costs and its failure", async () => {
    const { asked, shown } = await held(
      [
        { text: "a" },
        { thinking: "b" },
        { text: "c", tool_calls: [CALL] },
        { usage: USAGE, tool_calls: [CALL] },
        { error: ERROR, retry_after_ms: 5 } as ModelChunk,
      ],
      last,
    );

    expect(asked).toEqual(["text a"]);
    expect(shown).toEqual([{ text: "a" }, { usage: USAGE }, { error: ERROR }]);
  });

  it("no call of the same chunk is shown either", async () => {
    expect((await held([{ text: "a" }, { tool_calls: [CALL] }], last)).shown).toEqual([
      { text: "a" },
    ]);
  });
});

describe("a model that fails", () => {
  it("has its words shown in front of the failure", async () => {
    const { shown } = await held([{ thinking: "t", text: "a" }, { error: ERROR }]);

    expect(shown).toEqual([{ thinking: "t" }, { text: "a" }, { error: ERROR }]);
  });

  it("by saying more than the reply has room for ends there, and no more is taken from it", async () => {
    const chunks: readonly ModelChunk[] = [
      { thinking: "12" },
      { text: "34" },
      { text: "5" },
      { text: "6" },
    ];
    const error = modelError("output_limit");

    expect((await held(chunks, AS_IT_IS, 4)).shown).toEqual([{ thinking: "12" }, { text: "3456" }]);
    expect(
      (await held([{ text: "12" }, { text: "34" }, { text: "5" }], AS_IT_IS, 4)).shown,
    ).toEqual([{ text: "1234" }, { error }]);
    expect(
      (await held([{ text: "12" }, { text: "3" }], (_, text) => ({ text, isLast: true }), 2)).shown,
    ).toEqual([{ text: "12" }]);
  });
});
