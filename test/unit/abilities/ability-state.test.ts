// A snapshot of an ability's state, as readers of other dialects see it.
import { expect, it } from "vitest";

import { createJavaTranslator } from "../../../protocol/dialects/java-translator.ts";
import { sessionTranslator } from "../../support/ag-ui-history.ts";
import { agUiLog } from "../../support/ag-ui-log.ts";

const START = { type: "REPLY_START", session_id: "ses_1", name: "A" };
const STATE = { version: 1, state: { a: 1 } };
const PATCH = [{ op: "add", path: "/b", value: 2 }];

function snapshot(ability: string): object {
  return { type: "CUSTOM", name: "ability_state", value: { ability, state: STATE } };
}

const LOG = agUiLog(START, snapshot("shared_state"), snapshot("notes"), {
  type: "CUSTOM",
  name: "shared_state_updated",
  value: { patch: PATCH, version: 2 },
});

it("is a STATE_SNAPSHOT of AG-UI when it is the shared state's, and a custom event when it is not", () => {
  const translator = sessionTranslator(LOG, { isRaw: false });
  const events = LOG.flatMap((event) => translator.push(event)).map(({ event }) => event);

  expect(events.slice(1)).toMatchObject([
    { type: "STATE_SNAPSHOT", snapshot: { a: 1 } },
    { type: "CUSTOM", name: "ability_state", value: { ability: "notes", state: STATE } },
    { type: "STATE_DELTA", delta: PATCH },
  ]);
});

it("is the same custom event in AgentScope for Java", () => {
  const translator = createJavaTranslator();
  const events = LOG.flatMap((event) => translator.translate(event));

  expect(events.filter(({ type }) => type === "CUSTOM").slice(0, 2)).toMatchObject([
    { name: "ability_state", value: { ability: "shared_state", state: STATE } },
    { name: "ability_state", value: { ability: "notes", state: STATE } },
  ]);
});
