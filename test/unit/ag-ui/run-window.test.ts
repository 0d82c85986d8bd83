import { expect, it } from "vitest";

import { RunWindow } from "../../../durable-objects/dialects/run-window.ts";
import type { AgUiEvent } from "../../../protocol/dialects/ag-ui/wire/events.ts";

const OWN = { threadId: "my thread", runId: "my run" };
const LOGGED = { threadId: "ses_1", runId: "rep_1" };
const STEP: AgUiEvent = { type: "STEP_STARTED", stepName: "model_call:1" };
const FINISHED: AgUiEvent = { type: "RUN_FINISHED", ...LOGGED, outcome: { type: "success" } };
const FAILED: AgUiEvent = { type: "RUN_ERROR", message: "No.", code: "setup" };

function started(ids: typeof OWN): AgUiEvent {
  const offer = { state: {}, tools: [], context: [], forwardedProps: {} } as const;
  const input = { ...ids, messages: [], ...offer } as const;
  return { type: "RUN_STARTED", ...ids, protocolVersion: "1.0", input };
}

it("takes one run, from its start to its end, under the client's ids", () => {
  const window = new RunWindow(OWN);
  const taken = [STEP, FINISHED, started(LOGGED), STEP, FINISHED, started(LOGGED), STEP].map(
    (event) => [window.take(event), window.isOver],
  );
  expect(taken).toEqual([
    [null, false],
    [null, false],
    [started(OWN), false],
    [STEP, false],
    [{ ...FINISHED, ...OWN }, true],
    [null, true],
    [null, true],
  ]);
});

it("leaves an event alone that has these ids already", () => {
  const event = started({ ...OWN });
  expect(new RunWindow(OWN).take(event)).toBe(event);
});

it("ends with an error too", () => {
  const window = new RunWindow(OWN);
  expect([started(LOGGED), FAILED, FAILED].map((event) => window.take(event)?.type)).toEqual([
    "RUN_STARTED",
    "RUN_ERROR",
    undefined,
  ]);
});

it.each<[string, readonly AgUiEvent[], unknown]>([
  ["in the middle of its run goes on", [started(LOGGED), STEP], STEP],
  ["in the middle of a later run goes on", [started(LOGGED), FINISHED, started(LOGGED)], STEP],
  ["behind the end of its run gets nothing", [started(LOGGED), STEP, FINISHED], null],
])("a reader %s", (_name, seen, next) => {
  const window = new RunWindow(OWN);
  for (const event of seen) window.pass(event);
  expect(window.take(STEP)).toEqual(next);
});
