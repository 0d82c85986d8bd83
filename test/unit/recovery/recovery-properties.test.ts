// Whatever a reply was doing, and wherever its machine was lost: what follows is a stream that every reader
// understands, no tool does twice what it may do once, and the reply reaches the end that it would have reached.
import { describe, expect, it } from "vitest";

import { recover } from "../../../agent/recovery/recovery.ts";
import { startedCallIds } from "../../../agent/state/started-call-ids.ts";
import { appendEvent, foldEvents } from "../../../protocol/fold/append-event.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { STRUCTURED_OUTPUT_TOOL } from "../../../protocol/schemas/structured-output.ts";
import { functionTools, type FunctionTool } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { runScript } from "../../support/run-script.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const SCHEMA = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const SHAPES: Readonly<Record<string, { script: string; schema?: object }>> = {
  text: { script: "/think Let me see.\n/say It is here,\n/say and it is well." },
  "nothing but thinking, then text": { script: "/think Hm.\n/then\n/say Yes." },
  data: { script: "/data image/png aGVsbG8=\n/say See?" },
  hints: { script: "/hint no pictures\n/say I see nothing." },
  "a default tool": { script: "/say Wait.\n/call pay {}\n/say Paid." },
  "an idempotent tool": { script: "/call look {}\n/say Found." },
  "parallel tools": { script: "/call look {}\n/call pay {}\n/call look {}\n/say Both." },
  "tools in order": { script: "/call slow {}\n/call pay {}\n/say Done." },
  "bad input and a tool that is not there": {
    script: '/call strict {"a\n/call none {}\n/say Well.',
  },
  "several rounds": { script: "/call look {}\n/say One.\n/call pay {}\n/think Two.\n/say Three." },
  "structured output": {
    script: '/say Let me.\n/structured {"n": "x"}\n/structured {"n": 1}',
    schema: SCHEMA,
  },
};

interface Played {
  readonly log: MemoryLog;
  /** Runs of each call. */
  readonly effects: Map<string, number>;
}

async function play(shape: string, log?: MemoryLog, effects = new Map()): Promise<Played> {
  const { script, schema } = SHAPES[shape]!;
  const metadata = schema ? { structured_schema: schema } : {};
  const tool = (fields: Partial<FunctionTool>): FunctionTool => ({
    concurrency_safe: true,
    ...fields,
    run: (_input, { tool_call_id }) => {
      effects.set(tool_call_id, (effects.get(tool_call_id) ?? 0) + 1);
      return "a result";
    },
  });
  const tools = functionTools({
    pay: tool({}),
    look: tool({ idempotent: true }),
    slow: tool({ concurrency_safe: false }),
    // Its calls never run.
    strict: tool({}),
  });
  const played = await runScript({ script, tools, log: log ?? new MemoryLog("rep_1", metadata) });
  return { log: played, effects };
}

/** The log as it was at the cut, recovered. */
function crash({ events }: Pick<MemoryLog, "events">, cut: number): MemoryLog {
  const log = MemoryLog.reopen({ events: events.slice(0, cut) });
  if (log.state.message.finished_reason) return log;
  const isOpen = log.state.is_model_call_open || startedCallIds(log.state).size > 0;
  const { events: first } = recover(
    log.state,
    {
      attempts: 0,
      attempts_without_progress: 0,
      steps_at_recovery: 0,
      retry_at: null,
      ran_ms: 0,
      max_run_ms: 1,
    },
    { isRepeatable: (name) => name === "look", nowMs: 0, random: 0 },
  );
  expect(first.length > 0).toBe(isOpen);
  if (isOpen) expect(first[0]).toMatchObject({ type: "CUSTOM", name: "reply_recovered" });
  log.append(first);
  return log;
}

const KINDS = ["TEXT_BLOCK", "THINKING_BLOCK", "DATA_BLOCK", "TOOL_CALL", "TOOL_RESULT"] as const;

function checkWellFormed({ events, state }: MemoryLog): void {
  const ids = (kind: string, end: "START" | "END") =>
    events
      .filter(({ type }) => type === `${kind}_${end}`)
      .map((event) =>
        "block_id" in event ? event.block_id : "tool_call_id" in event ? event.tool_call_id : "",
      )
      .sort();
  for (const kind of KINDS) {
    expect([kind, ids(kind, "END")]).toEqual([kind, ids(kind, "START")]);
    expect(new Set(ids(kind, "START")).size).toBe(ids(kind, "START").length);
  }
  expect(ids("MODEL_CALL", "END")).toHaveLength(ids("MODEL_CALL", "START").length);
  expect(events.filter(({ type }) => type === "REPLY_END")).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: "REPLY_END", finished_reason: "completed" });
  expect(JSON.stringify(foldEvents(events))).toBe(JSON.stringify(state.message));
  expect(state.failed_model_calls).toBe(0);
  for (const block of state.message.content) expect(block.finished_at).not.toBeNull();
}

/** The message without what differs from run to run, and with unknown outcomes as the results that they hide. */
function gist({ state }: MemoryLog): unknown[] {
  return state.message.content.map((block) => {
    if (block.type === "tool_result") return [block.type, block.name];
    if (block.type === "tool_call") return [block.type, block.name, block.input, block.state];
    if (block.type === "text") return [block.type, block.text];
    return [block.type];
  });
}

describe.each(Object.keys(SHAPES))("a reply with %s", (shape) => {
  it("that is lost after any event goes on to the same end", async () => {
    const whole = await play(shape);
    for (const cut of whole.log.commits.slice(0, -1)) {
      const effects = effectsOf(whole, cut);
      const log = crash(whole.log, cut);
      const lost = new Set(unknownOutcomes(log.events));
      await play(shape, log, effects);

      checkWellFormed(log);
      expect([cut, gist(log)]).toEqual([cut, gist(whole.log)]);
      expect(log.state.iterations).toBe(whole.log.state.iterations);
      checkEffects(log, effects, lost);
    }
  });

  it("that is lost again and again goes on to the same end", async () => {
    const whole = await play(shape);
    const random = seededRandom(5);
    for (let round = 0; round < 40; round += 1) {
      const effects = new Map<string, number>();
      let log = MemoryLog.reopen({ events: whole.log.events.slice(0, 1) });
      const lost = new Set<string>();
      for (let crashes = 0; crashes < 4; crashes += 1) {
        const base = log.events.length;
        const next = await play(shape, MemoryLog.reopen(log), new Map());
        const cuts = [base, ...next.log.commits.filter((cut) => cut > base).slice(0, -1)];
        const cut = cuts[Math.floor(random() * cuts.length)]!;
        for (const [id, times] of effectsOf(next, cut, base)) {
          effects.set(id, (effects.get(id) ?? 0) + times);
        }
        log = crash(next.log, cut);
        for (const id of unknownOutcomes(log.events)) lost.add(id);
      }
      await play(shape, log, effects);

      checkWellFormed(log);
      expect([round, gist(log)]).toEqual([round, gist(whole.log)]);
      checkEffects(log, effects, lost);
    }
  });

  it("reads the same for whoever holds what was lost", async () => {
    const whole = await play(shape);
    for (const cut of whole.log.commits.slice(0, -1)) {
      const lost = whole.log.events.slice(cut).findIndex(({ type }) => !type.endsWith("_DELTA"));
      const held = foldEvents(whole.log.events.slice(0, cut + lost))!;
      const log = crash(whole.log, cut);
      await play(shape, log);
      const read = log.events.slice(cut).reduce(appendEvent, held);

      expect(JSON.stringify(read)).toBe(JSON.stringify(log.state.message));
    }
  });
});

/** A call runs as soon as its START is on disk. */
function effectsOf({ log }: Played, cut: number, from = 0): Map<string, number> {
  const ran = log.events
    .slice(from, cut)
    .flatMap((event) =>
      event.type === "TOOL_RESULT_START" && ["pay", "look", "slow"].includes(event.tool_call_name)
        ? [event.tool_call_id]
        : [],
    );
  return new Map(ran.map((id) => [id, 1]));
}

function unknownOutcomes(events: readonly LoggedEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "TOOL_RESULT_END" && event.metadata["outcome"] === "unknown"
      ? [event.tool_call_id]
      : [],
  );
}

/** Calls of `look` may have run again under their id; any other ran once at most. */
function checkEffects(
  { state }: MemoryLog,
  effects: ReadonlyMap<string, number>,
  lost: ReadonlySet<string>,
): void {
  for (const block of state.message.content) {
    if (block.type !== "tool_result") continue;
    const times = effects.get(block.id) ?? 0;
    const expected = lost.has(block.id) || block.state === "success" ? 1 : 0;
    if (block.name === STRUCTURED_OUTPUT_TOOL) expect([block.name, times]).toEqual([block.name, 0]);
    else if (block.name === "look") expect(times).toBeGreaterThanOrEqual(expected);
    else expect([block.id, times]).toEqual([block.id, expected]);
  }
}
