// Runs of a log: their names, their begin and their end while somebody is waited for.
import { describe, expect, it } from "vitest";

import type { AgUiFrame } from "../../../protocol/dialects/ag-ui/wire/events.ts";
import { agUiBody, playAgUi } from "../../support/ag-ui-client.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { agUiLog } from "../../support/ag-ui-log.ts";

const OWNED = {
  "@ag-ui/client": { authoritativeActivityTypes: ["agentscope.data", "agentscope.hint"] },
};
const START = { type: "REPLY_START", session_id: "ses_1", name: "A" };
const END = { type: "REPLY_END", session_id: "ses_1" };
const HELLO = { id: "msg_1", role: "user", name: "Ann", content: [] };

/** Frames, shown as seq, k and the event without its time. */
function frames(
  events: readonly object[],
  options: { isRaw?: boolean; joinAfter?: number } = {},
): readonly (readonly [string, object])[] {
  const log = agUiLog(...events);
  const { isRaw = false, joinAfter = 0 } = options;
  const translator = sessionTranslator(log, { isRaw });
  for (const event of log.slice(0, joinAfter)) translator.push(event);
  const joined = translator.join().map((event): AgUiFrame => ({ seq: 0, k: 0, event }));
  const rest = log.slice(joinAfter).flatMap((event) => translator.push(event));
  return [...joined, ...rest, ...translator.flush()].map(({ seq, k, event }) => {
    const { timestamp: _, ...shown } = event;
    return [`${seq}.${k}`, shown];
  });
}

function eventsOf(events: readonly object[]): object[] {
  return frames(events).map(([, event]) => event);
}

function typesOf(events: readonly object[]): (readonly [string, string])[] {
  return frames(events).map(([place, event]) => [place, (event as { type: string }).type]);
}

function call(id: string, name = "f"): object[] {
  return [
    { type: "TOOL_CALL_START", tool_call_id: id, tool_call_name: name },
    { type: "TOOL_CALL_DELTA", tool_call_id: id, delta: "{}" },
    { type: "TOOL_CALL_END", tool_call_id: id },
  ];
}

function asked(...ids: string[]): object {
  const tool_calls = ids.map((id) => ({ type: "tool_call", id, name: "f", input: "{}" }));
  return { type: "REQUIRE_USER_CONFIRM", tool_calls };
}

function sent(id: string, offeredBy?: string): object {
  const tool_calls = [{ type: "tool_call", id, name: "f", input: "{}" }];
  const metadata = offeredBy === undefined ? {} : { offered_by: { [id]: offeredBy } };
  return { type: "REQUIRE_EXTERNAL_EXECUTION", tool_calls, metadata };
}

function confirmed(id: string, mark?: object): object {
  const tool_call = { type: "tool_call", id, name: "f", input: "{}" };
  const metadata = mark ? { ag_ui_run: mark } : {};
  const confirm_results = [{ confirmed: true, tool_call }];
  return { type: "USER_CONFIRM_RESULT", confirm_results, metadata };
}

/** As the object appends it: the answer and the result's end in one commit. */
function given(id: string, messageId?: string): object[] {
  const metadata = messageId === undefined ? {} : { ag_ui_message_id: messageId };
  const result = { type: "tool_result", id, name: "f", output: "ok", state: "success", metadata };
  return [
    { type: "EXTERNAL_EXECUTION_RESULT", execution_results: [result] },
    { type: "TOOL_RESULT_END", tool_call_id: id, state: "success", metadata },
  ];
}

function updated(version: number, patch: readonly object[], reply_id?: string): object {
  return { type: "CUSTOM", name: "shared_state_updated", reply_id, value: { patch, version } };
}

function started(metadata: object): object {
  return { ...START, metadata };
}

describe("a run", () => {
  it("has the names that the client gave it, and its reply's after an answer from elsewhere", () => {
    const mark = { thread_id: "thread-1", run_id: "run-1", parent_run_id: "run-0" };
    const log = [
      started({ ag_ui_run: mark }),
      ...call("c1"),
      asked("c1"),
      confirmed("c1"),
      { type: "TOOL_RESULT_START", tool_call_id: "c1", tool_call_name: "f" },
      { type: "TOOL_RESULT_END", tool_call_id: "c1", state: "success" },
      ...call("c2"),
      asked("c2"),
      confirmed("c2", { run_id: "run-3" }),
    ];
    const runs = eventsOf(log).filter((event) => "runId" in event);
    const first = { threadId: "thread-1", runId: "run-1" };
    const second = { threadId: "thread-1", runId: "rep_1" };
    const third = { threadId: "thread-1", runId: "run-3" };
    expect(runs).toMatchObject([
      { type: "RUN_STARTED", ...first, parentRunId: "run-0" },
      { type: "RUN_FINISHED", ...first },
      { type: "RUN_STARTED", ...second },
      { type: "RUN_FINISHED", ...second },
      { type: "RUN_STARTED", ...third },
    ]);
    expect(runs[2]).toEqual({ type: "RUN_STARTED", ...second, protocolVersion: "1.0" });
  });

  it("takes no name from what a tool says", () => {
    const log = [
      START,
      ...call("c1"),
      sent("c1"),
      {
        type: "TOOL_RESULT_END",
        tool_call_id: "c1",
        state: "error",
        metadata: { ag_ui_run: { run_id: "of a tool" } },
      },
      END,
    ];
    const runs = eventsOf(log).flatMap((event) => ("runId" in event ? [event.runId] : []));
    expect(runs).toEqual(["rep_1", "rep_1", "rep_1", "rep_1"]);
  });

  it("ends with the calls that its client owes, when nobody else is waited for", () => {
    expect(eventsOf([START, ...call("c1"), sent("c1", "client")]).at(-1)).toEqual({
      type: "RUN_FINISHED",
      threadId: "ses_1",
      runId: "rep_1",
      outcome: { type: "success", pendingToolCallIds: ["c1"] },
    });
    const mixed = [START, ...call("c1"), ...call("c2"), sent("c1", "client"), sent("c2")];
    expect(eventsOf(mixed).at(-1)).toMatchObject({
      outcome: {
        type: "interrupt",
        interrupts: [
          { id: "rep_1:c1", reason: "agentscope:external_execution" },
          { id: "rep_1:c2", reason: "agentscope:external_execution" },
        ],
      },
    });
  });

  it("asks about a call of its client's that a rule asks about", () => {
    expect(eventsOf([START, ...call("c1"), asked("c1")]).at(-1)).toMatchObject({
      outcome: { type: "interrupt", interrupts: [{ id: "rep_1:c1", reason: "tool_call" }] },
    });
  });

  it("shows the state and all messages before it waits for somebody", () => {
    const said = { type: "CUSTOM", name: "message_added", value: { message: HELLO } };
    const state = updated(1, [{ op: "add", path: "/a", value: 1 }], "rep_1");
    const log = [said, START, state, ...call("c1"), asked("c1")];
    expect(frames(log).slice(-3)).toMatchObject([
      ["7.1", { type: "STATE_SNAPSHOT", snapshot: { a: 1 } }],
      [
        "7.2",
        {
          type: "MESSAGES_SNAPSHOT",
          messages: [
            { id: "msg_1", role: "user" },
            { id: "calls:c1", role: "assistant" },
          ],
          metadata: OWNED,
        },
      ],
      ["7.3", { type: "RUN_FINISHED", outcome: { type: "interrupt" } }],
    ]);
  });
});

describe("a result that the client gave", () => {
  it("is its own message, in the input of the run, and told by no other event", async () => {
    const log = [START, ...call("c1"), sent("c1", "client"), ...given("c1", "mine"), END];
    const message = { id: "mine", role: "tool", toolCallId: "c1", content: "ok" };
    const run = { threadId: "ses_1", runId: "rep_1" };
    expect(eventsOf(log).slice(5)).toMatchObject([
      { type: "RUN_STARTED", input: { ...run, messages: [message], tools: [], context: [] } },
      { type: "CUSTOM", name: "agentscope.external_execution_result" },
      { type: "RUN_FINISHED" },
    ]);
    const body = agUiBody(eventsOf(log));
    const calls = { id: "calls:c1", role: "assistant" };
    expect((await playAgUi(body)).messages).toMatchObject([calls, message]);
    // The client that wrote it has it already.
    const second = agUiBody(eventsOf(log).slice(5));
    const before = { ...calls, role: "assistant" as const, content: "" };
    const held = await playAgUi(second, [before, { ...message, role: "tool" as const }]);
    expect(held.messages).toMatchObject([calls, message]);
  });

  it("comes with a snapshot when the run began with another answer", () => {
    const log = [
      START,
      ...call("c1"),
      ...call("c2"),
      asked("c1"),
      sent("c2", "client"),
      confirmed("c1"),
      ...given("c2", "mine"),
    ];
    expect(eventsOf(log).at(-1)).toMatchObject({
      type: "MESSAGES_SNAPSHOT",
      messages: [{ id: "calls:c1" }, { id: "mine", toolCallId: "c2", content: "ok" }],
    });
  });

  it("is shown once to a reader that joins before its end", async () => {
    const log = [START, ...call("c1"), sent("c1"), ...given("c1"), END];
    for (let joinAfter = 1; joinAfter <= log.length; joinAfter += 1) {
      const body = agUiBody(frames(log, { joinAfter }).map(([, event]) => event));
      const results = (await playAgUi(body)).messages.filter(({ role }) => role === "tool");
      expect(results.map(({ id }) => id)).toEqual(["rep_1:c1"]);
    }
  });
});

describe("the shared state", () => {
  it("stands at the beginning of a run, and changes within it by patches", () => {
    const one = [{ op: "add", path: "/a", value: 1 }];
    const two = [{ op: "replace", path: "/a", value: 2 }];
    const log = [
      updated(1, one),
      started({ shared_state_version: 1 }),
      updated(2, two),
      updated(3, one, "rep_1"),
    ];
    expect(frames(log)).toMatchObject([
      ["2.1", { type: "RUN_STARTED" }],
      ["2.2", { type: "STATE_SNAPSHOT", snapshot: { a: 1 } }],
      ["3.1", { type: "STATE_DELTA", delta: two }],
      ["4.1", { type: "STATE_DELTA", delta: one }],
    ]);
  });

  it("has no snapshot before there is one", () => {
    expect(typesOf([START, END])).toEqual([
      ["1.1", "RUN_STARTED"],
      ["2.1", "RUN_FINISHED"],
    ]);
  });

  it("that changes between two runs stands at the beginning of the second", () => {
    const log = [
      START,
      ...call("c1"),
      sent("c1", "client"),
      updated(1, [{ op: "add", path: "/a", value: 1 }]),
      ...given("c1"),
    ];
    expect(frames(log).slice(4, 7)).toMatchObject([
      ["5.1", { type: "RUN_FINISHED" }],
      ["7.1", { type: "RUN_STARTED" }],
      ["7.2", { type: "STATE_SNAPSHOT", snapshot: { a: 1 } }],
    ]);
  });

  it("that changes while it is open whether the reply waits is told when that is known", () => {
    const change = updated(1, [{ op: "add", path: "/a", value: 1 }]);
    const open = [START, ...call("c1"), ...call("c2"), asked("c1")];
    // The reply waited: the change is no part of the run that is over, nor of its snapshot.
    expect(frames([...open, change, confirmed("c1")]).slice(7)).toMatchObject([
      ["8.1", { type: "MESSAGES_SNAPSHOT" }],
      ["8.2", { type: "RUN_FINISHED" }],
      ["10.1", { type: "RUN_STARTED" }],
      ["10.2", { type: "STATE_SNAPSHOT", snapshot: { a: 1 } }],
      ["10.3", { type: "CUSTOM" }],
    ]);
    // Another call was started: the run goes on.
    const metadata = { decision: { behavior: "allow" } };
    const start = { type: "TOOL_RESULT_START", tool_call_id: "c2", tool_call_name: "f", metadata };
    expect(frames([...open, change, start]).slice(7)).toMatchObject([
      ["10.1", { type: "STATE_DELTA" }],
    ]);
    // Nothing follows.
    expect(typesOf([...open, change]).slice(7)).toEqual([
      ["8.1", "MESSAGES_SNAPSHOT"],
      ["8.2", "RUN_FINISHED"],
    ]);
  });
});

describe("a reader that joins", () => {
  it("gets the run, the state, the messages and what is open", () => {
    const log = [
      started({ shared_state_version: 0, ag_ui_run: { thread_id: "t", run_id: "r" } }),
      updated(1, [{ op: "add", path: "/a", value: 1 }]),
      { type: "TEXT_BLOCK_START", block_id: "b1" },
      { type: "TEXT_BLOCK_DELTA", block_id: "b1", delta: "Hi" },
    ];
    expect(frames(log, { joinAfter: 4 }).map(([, event]) => event)).toEqual([
      { type: "RUN_STARTED", threadId: "t", runId: "r", protocolVersion: "1.0" },
      { type: "STATE_SNAPSHOT", snapshot: { a: 1 } },
      {
        type: "MESSAGES_SNAPSHOT",
        messages: [{ id: "b1", role: "assistant", content: "Hi" }],
        metadata: OWNED,
      },
      { type: "TEXT_MESSAGE_START", messageId: "b1", role: "assistant" },
    ]);
  });

  it("gets the state as it is of a reply that turned out to wait", () => {
    const change = updated(1, [{ op: "add", path: "/a", value: 1 }]);
    const log = agUiLog(START, ...call("c1"), ...call("c2"), asked("c1"), change);
    const translator = sessionTranslator(log);
    for (const event of log) translator.push(event);
    expect(translator.flush().map(({ event }) => event.type)).toEqual([
      "MESSAGES_SNAPSHOT",
      "RUN_FINISHED",
    ]);
    expect(translator.join().map(({ type }) => type)).toEqual([
      "RUN_STARTED",
      "STATE_SNAPSHOT",
      "MESSAGES_SNAPSHOT",
      "RUN_FINISHED",
    ]);
  });

  it("also gets what was said and changed after the last reply", () => {
    const log = [
      START,
      END,
      { type: "CUSTOM", name: "message_added", value: { message: HELLO } },
      updated(1, [{ op: "add", path: "/a", value: 1 }]),
    ];
    expect(frames(log, { joinAfter: 4 }).map(([, event]) => event)).toMatchObject([
      { type: "RUN_STARTED" },
      { type: "STATE_SNAPSHOT", snapshot: { a: 1 } },
      { type: "MESSAGES_SNAPSHOT", messages: [{ id: "msg_1", role: "user", name: "Ann" }] },
      { type: "RUN_FINISHED" },
    ]);
  });
});

describe("the log's own events", () => {
  it("go along inside of runs alone, where the protocol takes them", () => {
    const metadata = { ag_ui_run: { run_id: "run-2" } };
    const log = [
      { type: "CUSTOM", name: "message_added", value: { message: HELLO } },
      START,
      ...call("c1"),
      asked("c1"),
      updated(1, []),
      { ...confirmed("c1"), metadata },
      END,
      updated(2, []),
    ];
    const shown = frames(log, { isRaw: true }).map(([place, event]) => {
      const { type, event: raw } = event as { type: string; event?: { type: string; seq: number } };
      return raw ? [place, type, raw.type, raw.seq] : [place, type];
    });
    expect(shown).toEqual([
      ["2.1", "RUN_STARTED"],
      ["2.1", "RAW", "REPLY_START", 2],
      ["3.0", "RAW", "TOOL_CALL_START", 3],
      ["3.1", "TOOL_CALL_START"],
      ["4.0", "RAW", "TOOL_CALL_DELTA", 4],
      ["4.1", "TOOL_CALL_ARGS"],
      ["5.0", "RAW", "TOOL_CALL_END", 5],
      ["5.1", "TOOL_CALL_END"],
      ["6.0", "RAW", "REQUIRE_USER_CONFIRM", 6],
      ["6.1", "MESSAGES_SNAPSHOT"],
      ["6.2", "RUN_FINISHED"],
      ["8.1", "RUN_STARTED"],
      ["8.2", "STATE_SNAPSHOT"],
      ["8.3", "CUSTOM"],
      ["8.3", "RAW", "USER_CONFIRM_RESULT", 8],
      ["9.0", "RAW", "REPLY_END", 9],
      ["9.1", "RUN_FINISHED"],
    ]);
  });

  it("are themselves, whole", () => {
    const [, [, raw] = []] = frames([START], { isRaw: true });
    expect(raw).toEqual({ type: "RAW", event: agUiLog(START)[0], source: "agentscope" });
  });
});
