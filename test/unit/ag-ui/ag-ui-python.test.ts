// The profile 0.0 as AG-UI's Python SDK reads it, by the table of its released models.
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { AgUiOptions } from "../../../protocol/dialects/ag-ui/ag-ui-translator.ts";
import { eventInProfile } from "../../../protocol/dialects/ag-ui/profile.ts";
import type { AgUiEvent } from "../../../protocol/dialects/ag-ui/wire/events.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { agUiLog } from "../../support/ag-ui-log.ts";
import { agUiSessionArbitrary } from "../../support/ag-ui-sessions.ts";
import { PYTHON_VERSIONS, pythonProblems, type PythonVersion } from "../../support/ag-ui-python.ts";
import { eventsArbitrary } from "../../support/event-arbitraries.ts";

const START = { type: "REPLY_START", session_id: "ses_1", name: "A" };
const END = { type: "REPLY_END", session_id: "ses_1" };

/** The events of a reader that joins after the first `cut` events; from the start when that is 0. */
function read(log: readonly LoggedEvent[], options: AgUiOptions, cut = 0): readonly AgUiEvent[] {
  const translator = sessionTranslator(log, options);
  for (const event of log.slice(0, cut)) translator.push(event);
  const joined = translator.join();
  const frames = log.slice(cut).flatMap((event) => translator.push(event));
  return [...joined, ...[...frames, ...translator.flush()].map(({ event }) => event)];
}

/** The problems of a version with frames, but for the events and messages of reasoning that it reads otherwise. */
function problemsOf(version: PythonVersion, events: readonly AgUiEvent[]): readonly unknown[] {
  return events.flatMap((event) => {
    const problems = pythonProblems(version, event).filter(
      (problem) => !isOfReasoning(version, event, problem),
    );
    return problems.length === 0 ? [] : [{ event, problems }];
  });
}

/** 0.1.13 wants the role "assistant" at the start of a thought, and 0.1.10 knows no thoughts. */
function isOfReasoning(version: PythonVersion, { type }: AgUiEvent, problem: string): boolean {
  if (version === "0.1.13") return type === "REASONING_MESSAGE_START" && problem.includes(".role:");
  return (
    version === "0.1.10" && (type.startsWith("REASONING_") || problem.endsWith("no reasoning"))
  );
}

function added(id: string, content: readonly object[], name = "user"): object {
  const message = { id, role: "user", name, content };
  return { type: "CUSTOM", name: "message_added", value: { message } };
}

function called(id: string): object[] {
  return [
    { type: "TOOL_CALL_START", tool_call_id: id, tool_call_name: "f" },
    { type: "TOOL_CALL_DELTA", tool_call_id: id, delta: "{}" },
    { type: "TOOL_CALL_END", tool_call_id: id },
  ];
}

function requested(id: string, metadata: object): object {
  const tool_calls = [{ type: "tool_call", id, name: "f", input: "{}" }];
  return { type: "REQUIRE_EXTERNAL_EXECUTION", tool_calls, metadata };
}

function given(id: string, output: unknown, metadata: object = {}, mark: object = {}): object[] {
  const result = { type: "tool_result", id, name: "f", output, state: "success", metadata };
  return [
    { type: "EXTERNAL_EXECUTION_RESULT", execution_results: [result], metadata: mark },
    { type: "TOOL_RESULT_END", tool_call_id: id, state: "success", metadata },
  ];
}

const TEXT = [{ type: "text", text: "Hello", id: "b" }];
const PHOTO = { type: "base64", data: "QUJD", media_type: "image/png" };
const TOOLS = [{ name: "print", description: "", input_schema: { type: "object" } }];
const CONTEXT = [{ description: "page", value: "7" }];
const MARK = { ag_ui_run: { thread_id: "t", run_id: "r2", parent_run_id: "r1" } };
const OFFER = { ag_ui_run: { ...MARK.ag_ui_run, tools: TOOLS, context: CONTEXT } };
const PLAN = { id: "pln_1", name: "Move", subtasks: [] };

/** A log with every event that the translation can make. */
const EVERYTHING = agUiLog(
  added("msg_1", TEXT, "Ann"),
  { ...START, metadata: OFFER },
  {
    type: "CUSTOM",
    name: "state_updated",
    value: { plan: { current: PLAN, archived: [], patch: null, version: 1 } },
  },
  {
    type: "CUSTOM",
    name: "shared_state_updated",
    value: { patch: [{ op: "add", path: "/k", value: 1 }], version: 1 },
  },
  { type: "HINT_BLOCK", block_id: "h1", source: "runtime", hint: "Monday" },
  { type: "MODEL_CALL_START", model_name: "m" },
  { type: "THINKING_BLOCK_START", block_id: "t1" },
  { type: "THINKING_BLOCK_DELTA", block_id: "t1", delta: "Hm" },
  { type: "THINKING_BLOCK_END", block_id: "t1", metadata: { signature: "c2ln" } },
  { type: "TEXT_BLOCK_START", block_id: "x1" },
  { type: "TEXT_BLOCK_DELTA", block_id: "x1", delta: "" },
  { type: "TEXT_BLOCK_DELTA", block_id: "x1", delta: "Hi" },
  { type: "TEXT_BLOCK_END", block_id: "x1", text: "Hello" },
  { type: "DATA_BLOCK_START", block_id: "d1", media_type: "image/png", name: "a.png" },
  { type: "DATA_BLOCK_DELTA", block_id: "d1", data: "QUJD", media_type: "image/png" },
  { type: "DATA_BLOCK_END", block_id: "d1" },
  ...called("c1"),
  {
    type: "MODEL_CALL_END",
    input_tokens: 5,
    output_tokens: 3,
    cache_input_tokens: 1,
    cache_creation_input_tokens: 1,
  },
  {
    type: "CUSTOM",
    name: "state_updated",
    value: {
      plan: {
        current: { ...PLAN, name: "On" },
        archived: [],
        patch: [{ op: "replace", path: "/name", value: "On" }],
        version: 2,
      },
    },
  },
  {
    type: "REQUIRE_USER_CONFIRM",
    tool_calls: [{ type: "tool_call", id: "c1", name: "f", input: "{}" }],
    metadata: { input_hashes: { c1: "sha256:0" }, expires_at: { c1: "2026-01-02T00:00:00.000Z" } },
  },
  {
    type: "USER_CONFIRM_RESULT",
    confirm_results: [
      { confirmed: true, tool_call: { type: "tool_call", id: "c1", name: "f", input: "{}" } },
    ],
    metadata: MARK,
  },
  { type: "CUSTOM", name: "tool_call_edited", value: { tool_call_id: "c1", input: '{"a":1}' } },
  {
    type: "TOOL_RESULT_START",
    tool_call_id: "c1",
    tool_call_name: "f",
    metadata: { decision: {} },
  },
  { type: "TOOL_RESULT_TEXT_DELTA", tool_call_id: "c1", delta: "ok" },
  {
    type: "TOOL_RESULT_DATA_DELTA",
    tool_call_id: "c1",
    block_id: "r1",
    media_type: "image/png",
    data: "QUJD",
  },
  {
    type: "TOOL_RESULT_END",
    tool_call_id: "c1",
    state: "error",
    metadata: { mcp: { server_id: "mcp_1", ui: { resource_uri: "ui://page" } } },
  },
  ...called("c2"),
  requested("c2", { offered_by: { c2: "client" } }),
  ...given("c2", [{ type: "data", source: PHOTO, id: "p" }], { ag_ui_message_id: "mine" }, OFFER),
  ...called("c3"),
  requested("c3", {
    elicitations: {
      c3: {
        server: "s",
        round: 1,
        requests: { q: { mode: "form", requested_schema: { type: "object" } } },
      },
    },
  }),
  ...given("c3", "ok"),
  ...called("c4"),
  requested("c4", {
    authorizations: {
      c4: {
        connection_id: "con_1",
        mcp_server_id: "mcp_1",
        url: "https://x.example/",
        expires_at: "2026-01-02T00:00:00.000Z",
      },
    },
  }),
  { type: "USER_INTERRUPT" },
  { type: "TOOL_RESULT_END", tool_call_id: "c4", state: "interrupted" },
  { ...END, finished_reason: "interrupted" },
  added("msg_2", TEXT),
  { ...START, reply_id: "rep_2", metadata: { shared_state_version: 1 } },
  {
    type: "CUSTOM",
    name: "reply_recovered",
    reply_id: "rep_2",
    value: {
      reply_id: "rep_2",
      discard_block_ids: [],
      discard_tool_call_ids: [],
      discard_tool_result_ids: [],
    },
  },
  {
    ...END,
    reply_id: "rep_2",
    finished_reason: "error",
    error: { type: "upstream", message: "It failed." },
  },
);

describe("the events of the log as members", () => {
  it("are in each frame that they cause, which is otherwise the same, in both profiles", () => {
    for (const profile of ["0.0", "1.0"] as const) {
      const translator = sessionTranslator(EVERYTHING, { profile, hasRawMembers: true });
      const plain = sessionTranslator(EVERYTHING, { profile });
      for (const event of EVERYTHING) {
        const frames = translator.push(event);
        const bare = frames.map(({ event: { rawEvent: _, ...told }, ...place }) => ({
          ...place,
          event: told,
        }));
        const sources = frames.flatMap(({ event: { rawEvent } }) => rawEvent ?? []);

        expect(bare).toEqual(plain.push(event));
        expect(sources.every(({ seq }) => seq === event.seq)).toBe(true);
        expect(
          frames.filter(({ seq, event: each }) => seq === event.seq && !each.rawEvent),
        ).toEqual([]);
        expect(
          frames.flatMap((each) =>
            pythonProblems("0.1.20", eventInProfile("0.0", each.event) ?? {}),
          ),
        ).toEqual([]);
      }
    }
  });
});

describe("a run that brings a message", () => {
  const input = {
    threadId: "t",
    runId: "r2",
    parentRunId: "r1",
    state: {},
    messages: [{ id: "msg_1", role: "user", content: "Hello" }],
  };
  const bare = { tools: [], context: [], forwardedProps: {} };

  it.each([
    [
      "with what its first event kept of its client",
      OFFER,
      {
        ...input,
        tools: [{ name: "print", description: "", parameters: { type: "object" } }],
        context: CONTEXT,
        forwardedProps: {},
      },
    ],
    ["of an older log", MARK, { ...input, ...bare }],
    [
      "of no client of AG-UI",
      {},
      { threadId: "ses_1", runId: "rep_1", state: {}, messages: input.messages, ...bare },
    ],
  ])("has every member of its input, %s", (_name, metadata, expected) => {
    const log = agUiLog(added("msg_1", TEXT), { ...START, metadata });
    const [old] = read(log, { profile: "0.0" });
    const [newest] = read(log, { profile: "1.0" });

    expect([old, newest]).toMatchObject([{ input: expected }, { input: expected }]);
    expect(old?.type === "RUN_STARTED" && Object.keys(old.input ?? {}).toSorted()).toEqual(
      Object.keys(expected).toSorted(),
    );
  });

  it("is refused by each version without the state or the forwarded properties that it requires", () => {
    const run = { threadId: "t", runId: "r", messages: [], tools: [], context: [] };
    const started = { type: "RUN_STARTED", threadId: "t", runId: "r", input: run };

    expect(PYTHON_VERSIONS.map((version) => pythonProblems(version, started))).toEqual([
      ["event.input.state: is required", "event.input.forwardedProps: is required"],
      ["event.input.state: is required", "event.input.forwardedProps: is required"],
      ["event.input.state: is required", "event.input.forwardedProps: is required"],
      ["event.input.forwardedProps: is required"],
    ]);
  });
});

describe.each(PYTHON_VERSIONS)("the models of %s", (version) => {
  it("take a log of everything, from the start and joined anywhere", () => {
    for (let cut = 0; cut <= EVERYTHING.length; cut += 1) {
      const events = read(EVERYTHING, { profile: "0.0", isRaw: cut % 2 === 1 }, cut);
      expect(problemsOf(version, events)).toEqual([]);
    }
  });

  it("take likely sessions, from the start and joined anywhere", () => {
    fc.assert(
      fc.property(agUiSessionArbitrary, fc.nat(), fc.boolean(), (log, at, isRaw) => {
        const options = { profile: "0.0", isRaw } as const;
        expect(problemsOf(version, read(log, options))).toEqual([]);
        expect(problemsOf(version, read(log, options, at % (log.length + 1)))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it("take any events", () => {
    fc.assert(
      fc.property(eventsArbitrary, (events) => {
        const [start] = agUiLog({ ...START, reply_id: "r1" });
        const later = events.map((event, index) => ({ ...event, seq: index + 2 }));
        const log = start ? [start, ...later] : later;
        expect(problemsOf(version, read(log, { profile: "0.0" }))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it("take a user's picture from 0.1.15 on", () => {
    const content = [...TEXT, { type: "data", source: PHOTO, id: "d" }];
    const log = agUiLog(added("msg_1", content), START, END);
    const isKnown = version === "0.1.19" || version === "0.1.20";

    expect(problemsOf(version, read(log, { profile: "0.0" })).length > 0).toBe(!isKnown);
  });
});

it("reads what the translation says of everything: each type of event that it can make", () => {
  const seen = read(EVERYTHING, { profile: "0.0", isRaw: true }).map(({ type }) => type);

  expect([...new Set<string>(seen)].toSorted()).toEqual([
    "ACTIVITY_DELTA",
    "ACTIVITY_SNAPSHOT",
    "CUSTOM",
    "MESSAGES_SNAPSHOT",
    "RAW",
    "REASONING_ENCRYPTED_VALUE",
    "REASONING_END",
    "REASONING_MESSAGE_CONTENT",
    "REASONING_MESSAGE_END",
    "REASONING_MESSAGE_START",
    "REASONING_START",
    "RUN_ERROR",
    "RUN_FINISHED",
    "RUN_STARTED",
    "STATE_DELTA",
    "STATE_SNAPSHOT",
    "STEP_FINISHED",
    "STEP_STARTED",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TEXT_MESSAGE_START",
    "TOOL_CALL_ARGS",
    "TOOL_CALL_END",
    "TOOL_CALL_RESULT",
    "TOOL_CALL_START",
  ]);
});
