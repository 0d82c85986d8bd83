// Deltas that become one, on a clock that stands still unless the test moves it.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { DeltaDraft } from "../../../agent/ports.ts";
import { DeltaWindow } from "../../../durable-objects/log/delta-window.ts";
import { DELTA_SEND_WINDOW_MS, MAX_DELTA_CHARACTERS } from "../../../protocol/events/limits.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const emitted: DeltaDraft[] = [];
  const window = new DeltaWindow((draft) => emitted.push(draft));
  return { emitted, window };
}

function text(delta: string, block_id = "b", reply_id = "r"): DeltaDraft {
  return { type: "TEXT_BLOCK_DELTA", reply_id, block_id, delta };
}
function thinking(delta: string, block_id = "b"): DeltaDraft {
  return { type: "THINKING_BLOCK_DELTA", reply_id: "r", block_id, delta };
}
function input(delta: string, tool_call_id = "c"): DeltaDraft {
  return { type: "TOOL_CALL_DELTA", reply_id: "r", tool_call_id, delta };
}
function result(delta: string, tool_call_id = "c"): DeltaDraft {
  return { type: "TOOL_RESULT_TEXT_DELTA", reply_id: "r", tool_call_id, delta };
}
const PICTURE = { reply_id: "r", media_type: "image/png", data: "AA==", url: null } as const;
const data: DeltaDraft = { type: "DATA_BLOCK_DELTA", block_id: "b", ...PICTURE };
const resultData: DeltaDraft = {
  type: "TOOL_RESULT_DATA_DELTA",
  tool_call_id: "c",
  block_id: "b",
  ...PICTURE,
};

/** The deltas that are given out of two that come within the window of one before them. */
function given(first: DeltaDraft, second: DeltaDraft): readonly DeltaDraft[] {
  const { emitted, window } = open();
  window.push(text("first of all"));
  window.push(first);
  window.push(second);
  window.flush();
  return emitted.slice(1);
}

describe("two deltas within the window", () => {
  it.each([
    ["of a text", text("a"), text("b"), text("ab")],
    ["of a thought", thinking("a"), thinking("b"), thinking("ab")],
    ["of a call's input", input("a"), input("b"), input("ab")],
    ["of a result", result("a"), result("b"), result("ab")],
  ])("%s become one", (_title, first, second, both) => {
    expect(given(first, second)).toEqual([both]);
  });

  it.each([
    ["of two texts", text("a"), text("b", "other")],
    ["of two replies", text("a"), text("b", "b", "other")],
    ["of two thoughts", thinking("a"), thinking("b", "other")],
    ["of two inputs", input("a"), input("b", "other")],
    ["of two results", result("a"), result("b", "other")],
    ["of a text and a thought of one id", text("a"), thinking("b")],
    ["of a thought and a text of one id", thinking("a"), text("b")],
    ["of a call's input and its result", input("a"), result("b")],
    ["of a call's result and its input", result("a"), input("b")],
    ["of one picture, whose padding may stand between them", data, data],
    ["of one picture of a result", resultData, resultData],
    ["of a text and a picture of one id", text("a"), data],
  ])("%s stay apart, in order", (_title, first, second) => {
    expect(given(first, second)).toEqual([first, second]);
  });

  it("become one as long as it is no longer than an event may be", () => {
    const half = "x".repeat(MAX_DELTA_CHARACTERS / 2);

    expect(given(text(half), text(half))).toEqual([text(half + half)]);
    expect(given(text(half), text(`${half}x`))).toEqual([text(half), text(`${half}x`)]);
  });
});

describe("a delta", () => {
  it("is given out at once when the window after the last one is over, without a timer", () => {
    const { emitted, window } = open();
    for (const delta of ["a", "b", "c"]) {
      window.push(text(delta));
      vi.advanceTimersByTime(DELTA_SEND_WINDOW_MS);
    }

    expect(emitted).toEqual([text("a"), text("b"), text("c")]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is held until the window is over when it comes within it, with what comes meanwhile", () => {
    const { emitted, window } = open();
    window.push(text("a"));
    vi.advanceTimersByTime(DELTA_SEND_WINDOW_MS - 1);
    window.push(text("b"));
    vi.advanceTimersByTime(DELTA_SEND_WINDOW_MS - 1);
    window.push(text("c"));
    const before = [...emitted];
    vi.advanceTimersByTime(1);

    expect([before, emitted]).toEqual([[text("a")], [text("a"), text("bc")]]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("that is given out early begins a window of its own and leaves no timer behind", () => {
    const { emitted, window } = open();
    window.push(text("a"));
    window.push(text("b"));
    vi.advanceTimersByTime(1);
    window.flush();
    expect([emitted, vi.getTimerCount()]).toEqual([[text("a"), text("b")], 0]);

    vi.advanceTimersByTime(DELTA_SEND_WINDOW_MS - 1);
    window.push(text("c"));
    expect([emitted.length, vi.getTimerCount()]).toEqual([2, 1]);
    window.flush();
    window.flush();
    expect(emitted).toEqual([text("a"), text("b"), text("c")]);
  });
});
