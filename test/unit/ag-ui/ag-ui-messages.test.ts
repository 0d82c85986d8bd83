// The messages that a client of AG-UI makes of a reply are those that the platform stores: joined at any point, and
// across a crash.
import { describe, expect, it } from "vitest";

import { recover } from "../../../agent/recovery/recovery.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import { toAgUiMessages } from "../../../protocol/dialects/ag-ui/wire/messages.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { SHAPES } from "../../conformance/shapes.ts";
import { agUiBody, inCallOrder, playAgUi } from "../../support/ag-ui-client.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { sampled } from "../../support/breadth.ts";
import { functionTools } from "../../support/function-tools.ts";
import { MemoryLog } from "../../support/memory-log.ts";
import { runScript } from "../../support/run-script.ts";

const TOOLS = functionTools({
  text: { concurrency_safe: true, idempotent: true, run: () => "the answer of a tool" },
  blocks: { concurrency_safe: true, run: () => "of another" },
  dangerous: { read_only: false, run: () => "done" },
});

/** @param cut How many events the client has missed when it joins. */
function read(log: readonly LoggedEvent[], cut: number): string {
  const translator = sessionTranslator(log);
  for (const event of log.slice(0, cut)) translator.push(event);
  const prelude = translator.join();
  const frames = log.slice(cut).flatMap((event) => translator.push(event));
  return agUiBody([...prelude, ...[...frames, ...translator.flush()].map(({ event }) => event)]);
}

async function expectSame(log: readonly LoggedEvent[], cut: number): Promise<void> {
  const stored = foldEvents(log);
  const { messages, warnings } = await playAgUi(read(log, cut));
  // A thought that was taken back stays behind without its text: no snapshot takes the last one away.
  const held = messages.filter(({ role, content }) => role !== "reasoning" || content !== "");
  expect(inCallOrder(held)).toEqual(stored && inCallOrder(toAgUiMessages(stored)));
  expect(warnings).toEqual([]);
}

/** Without those that need a session, or take their time. */
const scripts = SHAPES.filter(
  ({ interruptAfter, structured_schema, inputs }) =>
    !interruptAfter && !structured_schema && !inputs[0]?.startsWith("/rate"),
);

for (const [rows, breadth] of sampled(scripts, 5))
  describe.each(rows)("a client of AG-UI that reads $name", breadth, ({ inputs, max_iters }) => {
    it("has the stored message, whenever it joins", async () => {
      for (const script of inputs) {
        const { events } = await runScript({ script, max_iters, tools: TOOLS });
        for (let cut = 0; cut <= events.length; cut += 1) await expectSame(events, cut);
      }
    });

    it("has it across a crash at any commit", async () => {
      for (const script of inputs) {
        const { events, commits } = await runScript({ script, max_iters, tools: TOOLS });
        for (const commit of commits) {
          const log = MemoryLog.reopen({ events: events.slice(0, commit) });
          const journal = {
            attempts: 0,
            attempts_without_progress: 0,
            steps_at_recovery: 0,
            retry_at: null,
            ran_ms: 0,
            max_run_ms: 60_000,
          };
          const circumstances = {
            isRepeatable: (name: string) => name === "text",
            nowMs: 0,
            random: 0,
          };
          log.append(recover(log.state, journal, circumstances).events);
          await runScript({ script, max_iters, tools: TOOLS, log, isRestart: true });
          for (const cut of [0, commit, log.events.length]) await expectSame(log.events, cut);
        }
      }
    });
  });
