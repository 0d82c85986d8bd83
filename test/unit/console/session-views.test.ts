// The session's page: a reply laid out in time, its log played, and long texts split.
import fc from "fast-check";
import { expect, test } from "vitest";

import { splitMarkdown } from "../../../console/components/markdown/split-markdown.ts";
import {
  formatDuration,
  layOutWaterfall,
} from "../../../console/pages/session/lay-out-waterfall.ts";
import { countPlayed, paceEvents, playEvent } from "../../../console/pages/session/replay-log.ts";
import type { LoggedEvent, Msg, ReplyDiagnostics } from "../../../sdk/index.ts";

const START = Date.parse("2026-11-21T09:30:00.000Z");
const at = (milliseconds: number) => new Date(START + milliseconds).toISOString();

function eventAt(milliseconds: number, seq: number): LoggedEvent {
  return {
    type: "CUSTOM",
    name: "x",
    value: {},
    id: "e",
    metadata: {},
    created_at: at(milliseconds),
    seq,
  };
}

test("the replay keeps the log's times and shortens long waits", () => {
  const paces = paceEvents([0, 100, 250, 90_000, 90_010].map(eventAt));

  expect(paces).toEqual([0, 100, 250, 3_250, 3_260]);
  expect([0, 99, 100, 3_249, 3_260, Infinity].map((ms) => countPlayed(paces, ms))).toEqual([
    1, 1, 2, 3, 5, 5,
  ]);
});

test("a clock that went back does not hold the replay up", () => {
  expect(paceEvents([500, 100, 200].map(eventAt))).toEqual([0, 0, 100]);
});

test("playing a log gives its messages: input as it came, replies as they grew", () => {
  const base = { id: "e", metadata: {}, created_at: at(0) };
  const input = { id: "m1", role: "user", name: "user", content: [] } as unknown as Msg;
  const events = [
    { ...base, seq: 1, type: "CUSTOM", name: "message_added", value: { message: input } },
    {
      ...base,
      seq: 2,
      type: "REPLY_START",
      session_id: "s",
      reply_id: "r",
      name: "A",
      role: "assistant",
    },
    { ...base, seq: 3, type: "TEXT_BLOCK_START", reply_id: "r", block_id: "b" },
    { ...base, seq: 4, type: "TEXT_BLOCK_DELTA", reply_id: "r", block_id: "b", delta: "Hi" },
    { ...base, seq: 5, type: "TEXT_BLOCK_DELTA", reply_id: "other", block_id: "b", delta: "no" },
  ] as LoggedEvent[];
  const messages = events.reduce<readonly Msg[]>(playEvent, []);

  expect(messages.map(({ id }) => id)).toEqual(["m1", "r"]);
  expect(messages[1]?.content).toMatchObject([{ type: "text", text: "Hi" }]);
});

function diagnostics(parts: object): ReplyDiagnostics {
  return { model_calls: [], tool_calls: [], ...parts } as unknown as ReplyDiagnostics;
}

test("bars begin with the reply's first moment, in order, and what goes on reaches until now", () => {
  const model = {
    number: 1,
    model: "m",
    outcome: "completed",
    started_at: at(100),
    duration_ms: 400,
    usage: null,
  };
  const tool = {
    number: 1,
    name: "refund",
    outcome: "waiting",
    started_at: null,
    duration_ms: null,
    waits: [{ kind: "permission", started_at: at(500), duration_ms: null }],
  };
  const mark = { seq: 9, label: "Context compressed", at: at(50), detail: {} };
  const { rows, totalMs } = layOutWaterfall(
    diagnostics({ model_calls: [model], tool_calls: [tool] }),
    [mark],
    START + 1_050,
  );

  expect(totalMs).toBe(1_000);
  expect(
    rows.map(({ label, bars }) => [
      label,
      ...bars.map((bar) => [bar.kind, bar.startMs, bar.endMs]),
    ]),
  ).toEqual([
    ["Context compressed", ["work", 0, 0]],
    ["m", ["work", 50, 450]],
    ["refund", ["permission", 450, 1_000]],
  ]);
  expect(layOutWaterfall(diagnostics({}), [], START)).toEqual({ rows: [], totalMs: 1 });
});

test("durations are told in the units of people", () => {
  expect([12.4, 999, 2_400, 200_000, 7_500_000].map(formatDuration)).toEqual([
    "12 ms",
    "999 ms",
    "2.4 s",
    "3 min 20 s",
    "2 h 5 min",
  ]);
});

test("the parts of a long text are the text, and none ends within code or a list", () => {
  const line = fc.constantFrom("", "text", "```", "  indented", "- item", "~~~~", "> quote");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
      const text = lines.join("\n");
      expect(splitMarkdown(text, 20).join("\n")).toBe(text);
    }),
  );
  const code = `\`\`\`\n${"x\n\n".repeat(40)}\`\`\``;

  expect(splitMarkdown(`${code}\n\nend`, 20)).toEqual([`${code}\n`, "end"]);
  expect(splitMarkdown(`- a long first item\n\n  goes on\n\nend`, 10)).toEqual([
    "- a long first item\n\n  goes on\n",
    "end",
  ]);
});

test("a paragraph without an end is cut, at spaces and at the ends of lines, and loses nothing", () => {
  const words = "word ".repeat(200);
  const lines = "a line of it\n".repeat(100);
  const [ofWords, ofLines] = [splitMarkdown(words, 40), splitMarkdown(lines, 40)];

  expect(ofWords.join("").replaceAll("\n", "")).toBe(words);
  expect(ofLines.join("\n")).toBe(lines);
  expect(Math.max(...ofWords.map(({ length }) => length))).toBeLessThanOrEqual(160);
  expect(Math.max(...ofLines.map(({ length }) => length))).toBeLessThanOrEqual(160);
  expect(splitMarkdown("x".repeat(200), 40).join("").replaceAll("\n", "")).toBe("x".repeat(200));
});
