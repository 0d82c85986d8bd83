// Out to AgentScope for Java and back: the same event, but for what docs/protocol/agentscope-java.md lists.
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";

import { foldEvents } from "../../../protocol/fold/append-event.ts";
import { createJavaTranslator } from "../../../protocol/dialects/java-translator.ts";
import { toJavaEvent, type JavaLogEvent } from "../../../protocol/dialects/to-java-event.ts";
import { EventType } from "../../../protocol/event-type.ts";
import { AgentEventSchema, type AgentEvent, type LoggedEvent } from "../../../protocol/events.ts";
import { parseEvent } from "../../../protocol/parse.ts";
import { runs } from "../../support/breadth.ts";
import { eventArbitrary, eventsArbitrary } from "../../support/event-arbitraries.ts";

const DOCUMENT = readFileSync(
  new URL("../../../docs/protocol/agentscope-java.md", import.meta.url),
  "utf8",
);
const CONTEXT = { toolCallName: () => "f", iterations: 3 };
const AT = "2026-11-21T09:30:00.000Z";
const base = { id: "evt_1", created_at: AT, metadata: { k: [1] }, reply_id: "r1" };
const call = {
  type: "tool_call",
  id: "c1",
  name: "f",
  input: '{"a": 1}',
  state: "asking",
  suggested_rules: [{ tool_name: "f", rule_content: null, behavior: "allow", source: "suggested" }],
  created_at: AT,
  finished_at: AT,
};
const callEvent = { tool_call_id: "c1" };
const dataBlock = {
  type: "data",
  id: "d1",
  source: { type: "url", url: "https://example.com/x", media_type: "image/png" },
  name: "x.png",
  created_at: AT,
  finished_at: AT,
};
const result = {
  type: "tool_result",
  id: "c1",
  name: "f",
  output: [{ type: "text", text: "a", id: "t1", created_at: AT, finished_at: AT }, dataBlock],
  state: "success",
  metadata: { receipt: 1 },
  created_at: AT,
  finished_at: AT,
};

/** Every type at least once, with every member that may be left out. */
const EXAMPLES: readonly AgentEvent[] = [
  { type: "REPLY_START", session_id: "s1", name: "A", role: "assistant" },
  { type: "REPLY_END", session_id: "s1", finished_reason: "completed", error: null },
  {
    type: "REPLY_END",
    session_id: "s1",
    finished_reason: "error",
    error: { type: "setup", message: "m" },
  },
  { type: "MODEL_CALL_START", model_name: "m" },
  { type: "MODEL_CALL_END", input_tokens: 1, output_tokens: 2, cache_input_tokens: 3 },
  { type: "MODEL_CALL_END", input_tokens: 0, output_tokens: 0, finished_reason: "interrupted" },
  { type: "TEXT_BLOCK_START", block_id: "b" },
  { type: "TEXT_BLOCK_DELTA", block_id: "b", delta: "x" },
  { type: "TEXT_BLOCK_END", block_id: "b" },
  { type: "TEXT_BLOCK_END", block_id: "b", text: "" },
  { type: "THINKING_BLOCK_START", block_id: "b" },
  { type: "THINKING_BLOCK_DELTA", block_id: "b", delta: "x" },
  { type: "THINKING_BLOCK_END", block_id: "b" },
  { type: "DATA_BLOCK_START", block_id: "b", media_type: "image/png", name: "x.png" },
  { type: "DATA_BLOCK_DELTA", block_id: "b", media_type: "image/png", data: "YQ==" },
  { type: "DATA_BLOCK_DELTA", block_id: "b", media_type: "a/b", url: "https://example.com/" },
  { type: "DATA_BLOCK_END", block_id: "b" },
  { type: "HINT_BLOCK", block_id: "b", source: "runtime", hint: "x" },
  { type: "HINT_BLOCK", block_id: "b", source: null, hint: result.output },
  { type: "TOOL_CALL_START", ...callEvent, tool_call_name: "f" },
  { type: "TOOL_CALL_DELTA", ...callEvent, delta: "{" },
  { type: "TOOL_CALL_END", ...callEvent },
  { type: "TOOL_RESULT_START", ...callEvent, tool_call_name: "f" },
  { type: "TOOL_RESULT_TEXT_DELTA", ...callEvent, delta: "x" },
  { type: "TOOL_RESULT_DATA_DELTA", ...callEvent, block_id: "b", media_type: "a/b", data: "YQ==" },
  {
    type: "TOOL_RESULT_DATA_DELTA",
    ...callEvent,
    block_id: "b",
    media_type: "a/b",
    url: "https://example.com/",
  },
  { type: "TOOL_RESULT_END", ...callEvent, state: "denied" },
  { type: "EXCEED_MAX_ITERS", name: "A" },
  { type: "REQUIRE_USER_CONFIRM", tool_calls: [call, { ...call, id: "c2", input: "" }] },
  { type: "REQUIRE_EXTERNAL_EXECUTION", tool_calls: [{ ...call, input: "[1" }] },
  {
    type: "USER_CONFIRM_RESULT",
    confirm_results: [
      { confirmed: true, tool_call: call, rules: call.suggested_rules },
      { confirmed: false, tool_call: call },
    ],
  },
  { type: "EXTERNAL_EXECUTION_RESULT", execution_results: [result, { ...result, output: "x" }] },
  { type: "USER_INTERRUPT", visibility: "internal" },
  { type: "CUSTOM", name: "n", value: { replyId: 1, toolCalls: [{ type: "tool_use" }] } },
  { type: "TEXT_BLOCK_START", block_id: "b", metadata: { reprise: { block_id: "c" }, k: 1 } },
].map((fields) => AgentEventSchema.parse({ ...base, seq: 1, visibility: "user", ...fields }));

/** One for each row of the second table: what an event is without it. */
const LOSSES: Readonly<Record<string, (event: AgentEvent) => AgentEvent>> = {
  "`seq`": ({ seq: _seq, ...event }) => event as AgentEvent,
  "`visibility` `user`": ({ visibility, ...event }) =>
    (visibility === "user" ? event : { ...event, visibility }) as AgentEvent,
  "`execution_results[].created_at`": ofResults(({ created_at: _time, ...rest }) => rest),
  "`execution_results[].finished_at`": ofResults(({ finished_at: _time, ...rest }) => rest),
  "`execution_results[].output` as a string": ofResults(({ output, ...rest }) => ({
    ...rest,
    output: typeof output === "string" ? [{ type: "text", text: output }] : output,
  })),
  "`execution_results[].output[].created_at`": ofOutputs(({ created_at: _time, ...rest }) => rest),
  "`execution_results[].output[].finished_at`": ofOutputs(
    ({ finished_at: _time, ...rest }) => rest,
  ),
  "`execution_results[].output[].name`": ofOutputs(({ name: _name, ...rest }) => rest),
};

type Members = Readonly<Record<string, unknown>>;

function ofResults(change: (result: Members) => Members): (event: AgentEvent) => AgentEvent {
  return (event) =>
    event.type === "EXTERNAL_EXECUTION_RESULT"
      ? ({ ...event, execution_results: event.execution_results.map(change) } as AgentEvent)
      : event;
}

function ofOutputs(change: (block: Members) => Members): (event: AgentEvent) => AgentEvent {
  return ofResults((each) => ({
    ...each,
    output: Array.isArray(each["output"])
      ? (each["output"] as Members[]).map(change)
      : each["output"],
  }));
}

function withoutLosses(event: AgentEvent, kept?: string): AgentEvent {
  const losses = Object.entries(LOSSES).filter(([name]) => name !== kept);
  return losses.reduce((rest, [, lose]) => lose(rest), event);
}

function thereAndBack(event: AgentEvent): AgentEvent {
  return parseEvent(JSON.parse(JSON.stringify(toJavaEvent(event, CONTEXT))));
}

/** The event without the members that a text block gets on reading when it was a string. */
function withoutMadeUp(event: AgentEvent, original: AgentEvent): AgentEvent {
  if (original.type !== "EXTERNAL_EXECUTION_RESULT") return event;
  const texts = original.execution_results.map(({ output }) => typeof output === "string");
  let index = 0;
  return ofResults((each) =>
    texts[index++]
      ? { ...each, output: (each["output"] as Members[]).map(({ type, text }) => ({ type, text })) }
      : each,
  )(event);
}

function expectSame(event: AgentEvent): void {
  const back = withoutMadeUp(withoutLosses(thereAndBack(event)), event);
  expect(back).toEqual(withoutLosses(event));
}

/** The rows of the table under a heading of the document, without its head. */
function tableRows(head: string): string[][] {
  const lines = DOCUMENT.split("\n");
  const rows: string[][] = [];
  for (const line of lines.slice(lines.indexOf(head) + 2)) {
    if (!line.startsWith("|")) break;
    rows.push(
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
  }
  return rows;
}

describe("an event that goes out to AgentScope for Java and comes back", () => {
  it("is the same event, for every type", () => {
    expect([...new Set(EXAMPLES.map(({ type }) => type))].toSorted()).toEqual(
      Object.keys(EventType).toSorted(),
    );
    for (const event of EXAMPLES) expectSame(event);
  });

  it("is the same event, whatever it holds", () => {
    fc.assert(
      fc.property(eventArbitrary, (event) => expectSame(event)),
      { numRuns: runs(3_000) },
    );
  });

  it("loses what docs/protocol/agentscope-java.md lists, and nothing else", () => {
    expect(tableRows("| Lost | Instead |").map(([lost]) => lost)).toEqual(Object.keys(LOSSES));
    for (const kept of Object.keys(LOSSES)) {
      const isLost = EXAMPLES.some(
        (event) =>
          !isDeepStrictEqual(
            withoutMadeUp(withoutLosses(thereAndBack(event), kept), event),
            withoutLosses(event, kept),
          ),
      );
      expect([kept, isLost]).toEqual([kept, true]);
    }
  });

  it("is carried as docs/protocol/agentscope-java.md says", () => {
    const documented = tableRows("| Java event or block | In `metadata.reprise` |").map(
      ([where = "", members = ""]) => [
        /`(\w+)`/.exec(where)?.[1] ?? "any",
        [...members.matchAll(/(?:^|, |; )`(\w+)`/g)].map(([, name]) => name),
      ],
    );
    const carried = new Map<string, Set<string>>();
    for (const event of EXAMPLES) collect(toJavaEvent(event, CONTEXT), carried);

    expect(Object.fromEntries(documented)).toEqual({
      ...Object.fromEntries([...carried].map(([type, names]) => [type, [...names].toSorted()])),
      any: ["visibility", "metadata"],
    });
  });

  it("folds to the same message, whatever Java says besides", () => {
    fc.assert(
      fc.property(eventsArbitrary, (events) => {
        const logged = [start(), ...events].map(
          (event, index) => ({ ...event, seq: index + 1 }) as LoggedEvent,
        );
        // The one event whose losses a message shows.
        const rows = logged.filter(({ type }) => type !== "EXTERNAL_EXECUTION_RESULT");
        const translator = createJavaTranslator();
        const back = rows.flatMap((event) => translator.translate(event)).map(parseEvent);
        expect(foldEvents(back)).toEqual(foldEvents(rows));
      }),
      { numRuns: runs(300) },
    );
  });
});

function start(): AgentEvent {
  const [first] = EXAMPLES;
  if (!first) throw new Error("there are no examples");
  return first;
}

/** Members that are carried, by the type that carries them; those of any event left aside. */
function collect(event: JavaLogEvent, carried: Map<string, Set<string>>): void {
  JSON.stringify(event, (_key, value: Members) => {
    const metadata = value?.["metadata"] as Members | undefined;
    const own = metadata?.["reprise"] as Members | undefined;
    const type = value?.["type"];
    if (typeof type !== "string") return value;
    const isForAny = (name: string) =>
      name === "visibility" || (name === "metadata" && type !== "EXCEED_MAX_ITERS");
    for (const name of Object.keys(own ?? {}).filter((each) => !isForAny(each))) {
      carried.set(type, (carried.get(type) ?? new Set()).add(name));
    }
    return value;
  });
}
