// An ability of a deployment, over HTTP.
import { expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { RuleTestResult } from "../../../protocol/permission/contract.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { AgentState } from "../../../protocol/sessions/session-state.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { ask, openSession, type Call } from "../support/api.ts";
import { deployNotes } from "../support/notes-ability.ts";

deployNotes();

function say(path: string, call: Call, input: string) {
  return ask<Reply>("POST", `${path}/replies`, { ...call, json: { input } });
}

function note(path: string, call: Call, text: string) {
  return say(path, call, `/call note ${JSON.stringify({ text })}\n/say done`);
}

async function eventsOf(path: string, call: Call): Promise<readonly LoggedEvent[]> {
  return (await ask<Page<LoggedEvent>>("GET", `${path}/events?limit=100`, call)).json.data;
}

/** Hints of its notes that the model is given, by reply. */
async function hintsOf(path: string, call: Call): Promise<readonly unknown[]> {
  return (await eventsOf(path, call)).flatMap((event) =>
    event.type === "HINT_BLOCK" ? [event.hint] : [],
  );
}

async function notesOf(path: string, call: Call): Promise<unknown> {
  return (await ask<AgentState>("GET", `${path}/state`, call)).json.middle_context["notes"];
}

test("its tool is called, its state is in the commit of the result, and its hint tells the next model call", async () => {
  const { call, path } = await openSession();
  const { json } = await note(path, call, "lamp");
  await say(path, call, "/say hello");

  const names = (await eventsOf(path, call)).map((event) =>
    event.type === "CUSTOM" ? event.name : event.type,
  );
  const start = names.indexOf("TOOL_RESULT_START");
  expect(json.status).toBe("completed");
  expect(names.slice(start, start + 5)).toEqual([
    "TOOL_RESULT_START",
    "noted",
    "TOOL_RESULT_TEXT_DELTA",
    "TOOL_RESULT_END",
    "HINT_BLOCK",
  ]);
  expect(await hintsOf(path, call)).toEqual(["Notes: lamp", "Notes: lamp"]);
  expect(await notesOf(path, call)).toEqual(["lamp"]);
});

test("a fork has its state as it was where the fork ends, and goes its own way", async () => {
  const { call, path } = await openSession();
  const first = await note(path, call, "lamp");
  await note(path, call, "bulb");
  const at = first.json.id;
  const { json } = await ask<Session>("POST", `${path}/fork`, { ...call, json: { at } });
  const forked = `/v1/sessions/${json.id}`;
  const before = await notesOf(forked, call);
  await note(forked, call, "shade");

  expect([before, await notesOf(forked, call)]).toEqual([["lamp"], ["lamp", "shade"]]);
  expect(await hintsOf(forked, call)).toEqual(["Notes: lamp", "Notes: lamp, shade"]);
  expect(await notesOf(path, call)).toEqual(["lamp", "bulb"]);
});

test("rules hold for its tool as for any other", async () => {
  const { call, path } = await openSession();
  const asked = { tool_name: "note", input: { text: "lamp" } };
  const test = () =>
    ask<RuleTestResult>("POST", `${path}/permission-rules/test`, { ...call, json: asked });
  const before = await test();
  const rules = [{ tool_name: "note", rule_content: null, behavior: "deny" }];
  await ask("POST", `${path}/permission-rules`, { ...call, json: { rules } });
  await note(path, call, "lamp");

  expect([before.json.behavior, (await test()).json.behavior]).toEqual(["allow", "deny"]);
  expect(await notesOf(path, call)).toBeUndefined();
});
