// The translation for clients of before AG-UI 1.0, held against the schemas and the client that were released last.
import { HttpAgent } from "ag-ui-client-0-0-59";
import { EventSchemas } from "ag-ui-core-0-0-59";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { profileOf, PROTOCOL_VERSION } from "../../../protocol/ag-ui/ag-ui-profile.ts";
import type { AgUiOptions } from "../../../protocol/dialects/ag-ui/ag-ui-translator.ts";
import { eventInProfile } from "../../../protocol/dialects/ag-ui/profile.ts";
import type { AgUiEvent, AgUiFrame } from "../../../protocol/dialects/ag-ui/wire/events.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { runs } from "../../support/breadth.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { agUiLog } from "../../support/ag-ui-log.ts";
import { agUiSessionArbitrary } from "../../support/ag-ui-sessions.ts";

const START = { type: "REPLY_START", session_id: "ses_1", name: "A" };
const END = { type: "REPLY_END", session_id: "ses_1" };
const CALL = { type: "tool_call", id: "c1", name: "f", input: "{}" };
const CALLED = [
  { type: "TOOL_CALL_START", tool_call_id: "c1", tool_call_name: "f" },
  { type: "TOOL_CALL_END", tool_call_id: "c1" },
];

function read(
  log: readonly LoggedEvent[],
  options: AgUiOptions = { profile: "0.0" },
  cut = 0,
): readonly AgUiFrame[] {
  const translator = sessionTranslator(log, options);
  for (const event of log.slice(0, cut)) translator.push(event);
  const joined = translator.join().map((event): AgUiFrame => ({ seq: cut, k: 0, event }));
  const frames = log.slice(cut).flatMap((event) => translator.push(event));
  return [...joined, ...frames, ...translator.flush()];
}

/** The last event of a log's translation. */
function lastOf(events: readonly object[], options?: AgUiOptions): AgUiEvent | undefined {
  return read(agUiLog(...events), options).at(-1)?.event;
}

/** Complaints of the old client about frames: the issues of its parser, and what it drops. */
function complaints(frames: readonly AgUiFrame[]): readonly unknown[] {
  return frames.flatMap(({ event }): unknown[] => {
    const parsed = EventSchemas.safeParse(event);
    if (!parsed.success) return parsed.error.issues;
    // Its parser says of a replacing activity that it replaces.
    const { replace: _, ...taken } = parsed.data as Record<string, unknown>;
    return JSON.stringify(sorted(taken)) === JSON.stringify(sorted(event)) ? [] : [taken];
  });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([k, v]) => [k, sorted(v)]),
  );
}

function idOf({ seq, k }: AgUiFrame): string {
  return `${seq}.${k}`;
}

describe("the profile 0.0", () => {
  it("has no frame that the old parser refuses, and none of which it drops anything", () => {
    fc.assert(
      fc.property(agUiSessionArbitrary, fc.nat(), (log, at) => {
        expect(complaints(read(log))).toEqual([]);
        expect(complaints(read(log, { profile: "0.0" }, at % (log.length + 1)))).toEqual([]);
      }),
      { numRuns: runs(100) },
    );
  });

  it("is taken by the old client to its end", async () => {
    await fc.assert(
      fc.asyncProperty(agUiSessionArbitrary, async (log) => {
        const frames = read(log);
        const body = frames.map(({ event }) => `data: ${JSON.stringify(event)}\n\n`).join("");
        const agent = new HttpAgent({
          url: "http://client.invalid/",
          fetch: async () => new Response(body),
        });
        const failures: unknown[] = [];
        let seen = 0;
        if (frames.length > 0) {
          await agent.runAgent(
            {},
            {
              onEvent: () => void (seen += 1),
              onRunFailed: ({ error }) => void failures.push(error),
            },
          );
        }
        expect([seen, failures]).toEqual([frames.length, []]);
      }),
      { numRuns: runs(100) },
    );
  });

  it("has the frames of 1.0 under the same ids, but the snapshots before interrupts", () => {
    fc.assert(
      fc.property(agUiSessionArbitrary, (log) => {
        const newest = read(log, {});
        const old = read(log);
        const left = newest.filter(({ event }, index) => {
          const next = newest[index + 1]?.event;
          const outcome = next?.type === "RUN_FINISHED" ? next.outcome?.type : undefined;
          return event.type === "MESSAGES_SNAPSHOT" && outcome === "interrupt";
        });
        expect(old.map(idOf)).toEqual(newest.filter((frame) => !left.includes(frame)).map(idOf));
      }),
      { numRuns: runs(100) },
    );
  });

  it("interrupts without a snapshot, whose place stays empty; who joins has it first", () => {
    const log = agUiLog(START, ...CALLED, { type: "REQUIRE_USER_CONFIRM", tool_calls: [CALL] });
    const shown = (frames: readonly AgUiFrame[]) =>
      frames.map((frame) => [idOf(frame), frame.event.type]);

    expect(shown(read(log)).slice(-2)).toEqual([
      ["3.1", "TOOL_CALL_END"],
      ["4.2", "RUN_FINISHED"],
    ]);
    expect(shown(read(log, {})).slice(-2)).toEqual([
      ["4.1", "MESSAGES_SNAPSHOT"],
      ["4.2", "RUN_FINISHED"],
    ]);
    expect(shown(read(log, { profile: "0.0" }, 4))).toEqual([
      ["4.0", "RUN_STARTED"],
      ["4.0", "MESSAGES_SNAPSHOT"],
      ["4.0", "RUN_FINISHED"],
    ]);
  });

  it("succeeds without naming the calls that its page owes", () => {
    const metadata = { offered_by: { c1: "client" } };
    const events = [
      START,
      ...CALLED,
      { type: "REQUIRE_EXTERNAL_EXECUTION", tool_calls: [CALL], metadata },
    ];
    const { outcome } = lastOf(events) as { outcome?: unknown };

    expect(complaints(read(agUiLog(...events), {}))).not.toEqual([]);
    expect(outcome).toEqual({ type: "success" });
    expect(lastOf(events, {})).toMatchObject({ outcome: { pendingToolCallIds: ["c1"] } });
  });

  it("finishes a cancelled run without an outcome", () => {
    const events = [START, { ...END, finished_reason: "interrupted" }];

    expect(lastOf(events)).toEqual({
      type: "RUN_FINISHED",
      threadId: "ses_1",
      runId: "rep_1",
      timestamp: expect.any(Number),
    });
    expect(lastOf(events, {})).toMatchObject({ outcome: { type: "cancelled" } });
  });

  it("counts tokens without those that were written to a cache", () => {
    const usage = [{ model: "m", inputTokens: 3, outputTokens: 2, cacheWriteInputTokens: 1 }];
    const counted = [{ model: "m", inputTokens: 3, outputTokens: 2 }];
    const run = { threadId: "t", runId: "r" };

    expect(
      eventInProfile("0.0", { type: "RUN_FINISHED", ...run, outcome: { type: "success" }, usage }),
    ).toEqual({ type: "RUN_FINISHED", ...run, outcome: { type: "success" }, usage: counted });
    expect(eventInProfile("0.0", { type: "RUN_ERROR", message: "m", code: "c", usage })).toEqual({
      type: "RUN_ERROR",
      message: "m",
      code: "c",
      usage: counted,
    });
  });

  it("writes a result with pictures as the JSON of its parts", () => {
    const source = {
      type: "url",
      value: "https://x.example/a.png",
      mimeType: "image/png",
    } as const;
    const content = [{ type: "image", source }] as const;
    const result = {
      type: "TOOL_CALL_RESULT",
      messageId: "m",
      toolCallId: "c1",
      role: "tool",
    } as const;
    const message = { id: "m", role: "tool", toolCallId: "c1", content } as const;
    const plain = { ...message, content: JSON.stringify(content) };
    const run = { threadId: "t", runId: "r" };
    const offer = { state: {}, tools: [], context: [], forwardedProps: {} } as const;
    const input = { ...run, messages: [message], ...offer } as const;

    expect(eventInProfile("0.0", { ...result, content })).toEqual({
      ...result,
      content: JSON.stringify(content),
    });
    expect(
      eventInProfile("0.0", { type: "MESSAGES_SNAPSHOT", messages: [message], metadata: {} }),
    ).toMatchObject({ messages: [plain] });
    expect(
      eventInProfile("0.0", { type: "RUN_STARTED", ...run, protocolVersion: "1.0", input }),
    ).toEqual({ type: "RUN_STARTED", ...run, input: { ...input, messages: [plain] } });
  });
});

describe("a run's protocolVersion", () => {
  it.each([
    [undefined, "0.0"],
    [null, "0.0"],
    ["0.0.59", "0.0"],
    ["0", "0.0"],
    ["1", "1.0"],
    ["1.0", "1.0"],
    ["1.17", "1.0"],
    ["1.0.3", "1.0"],
  ])("%j chooses the profile %s", (version, profile) => {
    expect(profileOf(version)).toBe(profile);
  });

  it.each(["", "2.0", "10.0", "1.", "1.x", "banana", "v1.0", " 1.0", "1.0.0.0", "1.0-rc.1"])(
    "%j is none that is spoken here",
    (version) => {
      expect(PROTOCOL_VERSION.test(version)).toBe(false);
    },
  );
});

describe("a form for an approval", () => {
  it("requires the hash of a reader that has to send it, where there is one", () => {
    const metadata = { input_hashes: { c1: "abc" } };
    const events = [
      START,
      ...CALLED,
      { type: "REQUIRE_USER_CONFIRM", tool_calls: [CALL], metadata },
    ];
    const required = (log: readonly object[], options: AgUiOptions) => {
      const end = lastOf(log, options);
      const outcome = end?.type === "RUN_FINISHED" ? end.outcome : undefined;
      return outcome?.type === "interrupt"
        ? outcome.interrupts.map(({ responseSchema }) => responseSchema?.["required"])
        : null;
    };
    const unhashed = [START, ...CALLED, { type: "REQUIRE_USER_CONFIRM", tool_calls: [CALL] }];

    expect(required(events, { mustSendHash: true })).toEqual([["approved", "inputHash"]]);
    expect(required(events, {})).toEqual([["approved"]]);
    expect(required(unhashed, { mustSendHash: true })).toEqual([["approved"]]);
  });
});
