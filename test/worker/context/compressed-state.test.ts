// Export, import and fork of a session whose context begins with a summary.
import { describe, expect, test } from "vitest";

import type { SessionContext } from "../../../protocol/context/compression.ts";
import type { AgentState } from "../../../protocol/sessions/session-state.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { ask, makeSession, openSession, refusalOf, type Call } from "../support/api.ts";
import { SUMMARISED, SUMMARY } from "../support/summarised-agent.ts";

function stateOf(path: string, call: Call) {
  return ask<AgentState>("GET", `${path}/state`, call);
}

function contextOf(path: string, call: Call) {
  return ask<SessionContext>("GET", `${path}/context`, call);
}

function write(path: string, call: Call, json: object) {
  return ask<AgentState>("PUT", `${path}/state`, { ...call, json });
}

/** Four turns, of which the last message and what is kept with it are not summarised. */
async function compressed(keep_recent = 2) {
  const context = { ...SUMMARISED.context, keep_recent };
  const opened = await openSession({ name: "Desk", context });
  for (const input of ["/say one", "/say two", "/say three", "/say four"]) {
    await ask("POST", `${opened.path}/replies`, { ...opened.call, json: { input } });
  }
  const { json } = await ask<{ status: string }>("POST", `${opened.path}/compress`, {
    ...opened.call,
    json: {},
  });
  expect(json.status).toBe("completed");
  return opened;
}

async function another({ agent, call }: Awaited<ReturnType<typeof compressed>>) {
  return `/v1/sessions/${(await makeSession(call, { agent_id: agent.id })).id}`;
}

/** Without what names the session. */
function contentOf({ session_id: _, ...state }: AgentState): object {
  return state;
}

describe("a session with a summary", () => {
  test("is exported as its summary and the messages after it, and imported as the same", async () => {
    const opened = await compressed();
    const { call, path } = opened;
    const first = await stateOf(path, call);
    const target = await another(opened);

    const brought = await write(target, call, first.json);
    const second = await stateOf(target, call);
    const again = await write(target, call, second.json);

    expect(first.json.summary).toBe(SUMMARY);
    expect(first.json.context).toHaveLength(2);
    expect(first.json.middle_context).toEqual({ untrusted_content: { results: [] } });
    expect(brought.status).toBe(200);
    expect(contentOf(second.json)).toEqual(contentOf(first.json));
    expect([again.status, contentOf(again.json)]).toEqual([200, contentOf(first.json)]);
    const shown = (await contextOf(target, call)).json;
    expect(shown.summary?.text).toBe(SUMMARY);
    expect(JSON.stringify(shown.messages[0]?.message.content)).toContain(SUMMARY);
    expect(shown.messages).toHaveLength(3);
    const events = await ask<{ data: { name: string }[] }>("GET", `${target}/events`, call);
    expect(events.json.data.map(({ name }) => name)).toEqual([
      "ability_state",
      "message_added",
      "message_added",
    ]);
  });

  test("is refused another summary, and takes its own again", async () => {
    const opened = await compressed();
    const { call, path } = opened;
    const target = await another(opened);
    const { json } = await stateOf(path, call);

    const alone = await write(target, call, { summary: "Only this." });
    const again = await write(target, call, { summary: "Only this." });
    const other = await write(target, call, { summary: "Something else." });
    const more = await write(target, call, json);

    expect([alone.status, alone.json.summary, again.status]).toEqual([200, "Only this.", 200]);
    for (const refused of [other, more]) {
      expect(refusalOf(refused as never)).toMatchObject({ status: 409, code: "conflict" });
    }
  });

  test("goes on after an import, and can be summarised again", async () => {
    const opened = await compressed();
    const { call, path } = opened;
    const target = await another(opened);
    await write(target, call, (await stateOf(path, call)).json);

    const json = { input: "/say five" };
    const reply = await ask<{ status: string }>("POST", `${target}/replies`, { ...call, json });
    const made = await ask<{ status: string }>("POST", `${target}/compress`, { ...call, json: {} });

    expect([reply.json.status, made.json.status]).toEqual(["completed", "completed"]);
    expect((await stateOf(target, call)).json.context).toHaveLength(2);
  });

  test("of blocks has its text as the summary, and its media as the first message", async () => {
    const opened = await openSession({ name: "Desk", ...SUMMARISED });
    const { call, path } = opened;
    const source = { type: "url", url: "https://shop.example/a.png", media_type: "image/png" };
    const summary = [
      { type: "text", text: "A lamp." },
      { type: "data", source },
      { type: "text", text: "Broken." },
    ];

    const { status, json } = await write(path, call, { summary, context: [] });
    const target = await another(opened as never);
    const again = await write(target, call, json);

    expect([status, json.summary]).toEqual([200, "A lamp.\n\nBroken."]);
    expect(json.context).toMatchObject([{ name: "summary", content: [{ type: "data", source }] }]);
    expect(contentOf(again.json)).toEqual(contentOf(json));
  });

  test("too long for one is the first message", async () => {
    const { call, path } = await openSession({ name: "Desk", ...SUMMARISED });

    const { json } = await write(path, call, { summary: "x".repeat(20_001) });

    expect([json.summary, json.context.length]).toEqual(["", 1]);
  });

  test("is forked with it, and without it before it was made", async () => {
    const opened = await compressed();
    const { call, path } = opened;
    const { json: page } = await ask<{ data: { id: string }[] }>("GET", `${path}/messages`, call);
    const at = page.data[3]?.id;

    const whole = await ask<Session>("POST", `${path}/fork`, { ...call, json: {} });
    const before = await ask<Session>("POST", `${path}/fork`, { ...call, json: { at } });

    const shown = await contextOf(`/v1/sessions/${whole.json.id}`, call);
    const earlier = await contextOf(`/v1/sessions/${before.json.id}`, call);
    expect([shown.json.summary?.text, shown.json.messages.length]).toEqual([SUMMARY, 3]);
    expect([earlier.json.summary, earlier.json.messages.length]).toEqual([null, 4]);
  });
});
