// Readers of a session that was restored: lists, the search, AG-UI, the context, replays.
import { describe, expect, test } from "vitest";

import type { AgUiEvent } from "../../../protocol/dialects/ag-ui/wire/events.ts";
import type { Session, SessionPage } from "../../../protocol/sessions/contract.ts";
import { ask, openSession, type Call } from "../support/api.ts";
import { searchedTenant } from "../search/searched-tenant.ts";

type Opened = Awaited<ReturnType<typeof openSession>>;

interface AgUiText {
  readonly id: string;
  readonly role: string;
  readonly content: string;
}

const said = (id: string, content: string): AgUiText => ({ id, role: "user", content });

async function run(session: Opened, runId: string, messages: readonly object[]) {
  const { call, agent, session: opened } = session;
  const json = { threadId: opened.id, runId, messages, tools: [], context: [], forwardedProps: {} };
  const path = `/v1/agents/${agent.id}/ag-ui`;
  return eventsIn((await ask("POST", path, { ...call, json: { ...json, state: {} } })).text);
}

function eventsIn(text: string): readonly AgUiEvent[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => JSON.parse(line.slice("data:".length)) as AgUiEvent);
}

function snapshotOf(events: readonly AgUiEvent[]): readonly string[] | null {
  const shown = events.find(({ type }) => type === "MESSAGES_SNAPSHOT") as
    | { readonly messages: readonly AgUiText[] }
    | undefined;
  return shown ? shown.messages.map(({ content }) => content) : null;
}

async function cursorOf({ call, path }: { readonly call: Call; readonly path: string }) {
  return (await ask<Session>("GET", path, call)).json.cursor;
}

async function restore(
  { call, path }: { readonly call: Call; readonly path: string },
  cursor: number,
): Promise<void> {
  const { status } = await ask("POST", `${path}/restore`, { ...call, json: { cursor } });
  expect(status).toBe(200);
}

describe("a client of AG-UI", () => {
  test("is shown the restored conversation by its next run, whatever it still has", async () => {
    const session = await openSession();
    await run(session, "r1", [said("m1", "/say One")]);
    const at = await cursorOf(session);
    const first = [said("m1", "/say One"), { id: "x1", role: "assistant", content: "One" }];
    await run(session, "r2", [...first, said("m2", "/say Two")]);
    await restore(session, at);

    // A tab that has not read the restore.
    const old = [...first, said("m2", "/say Two"), { id: "x2", role: "assistant", content: "Two" }];
    const seen = await run(session, "r3", [...old, said("m3", "/say Three")]);

    expect(snapshotOf(seen)).toEqual(["/say One", "One", "/say Three"]);
    const { json } = await ask<{ data: { id: string }[] }>(
      "GET",
      `${session.path}/messages`,
      session.call,
    );
    expect(json.data.map(({ id }) => id.slice(0, 2))).toEqual(["m1", "re", "m3", "re"]);
  });

  test("asks its newest message again, after a restore to before it", async () => {
    const session = await openSession();
    const at = await cursorOf(session);
    await run(session, "r1", [said("m1", "/say One")]);
    await restore(session, at);

    const seen = await run(session, "r2", [said("m1", "/say One")]);

    expect(seen.map(({ type }) => type)).toContain("TEXT_MESSAGE_CONTENT");
    expect(seen.at(-1)?.type).toBe("RUN_FINISHED");
  });

  test("that joins is shown the conversation as it is, also behind a position of before", async () => {
    const session = await openSession();
    await run(session, "r1", [said("m1", "/say One")]);
    const at = await cursorOf(session);
    await run(session, "r2", [said("m2", "/say Two")]);
    await restore(session, at);
    const { call, path } = session;

    const headers = { Accept: "text/event-stream" };
    const joined = await ask("GET", `${path}/events?format=ag-ui`, { ...call, headers });

    expect(snapshotOf(eventsIn(joined.text))).toEqual(["/say One", "One"]);
  });
});

describe("lists", () => {
  test("and the search have the first words of the restored conversation", async () => {
    const { call, find, say } = await searchedTenant();
    const id = await say("zebra");
    expect(await find("zebra")).toEqual([id]);
    const path = `/v1/sessions/${id}`;

    await restore({ call, path }, 0);

    const titles = async () =>
      (await ask<SessionPage>("GET", "/v1/sessions", call)).json.data.map(({ title }) => title);
    await expect.poll(titles).toEqual([null]);
    await expect.poll(() => find("zebra")).toEqual([]);
    await ask("POST", `${path}/replies`, { ...call, json: { input: "giraffe" } });
    await expect.poll(titles).toEqual(["giraffe"]);
    await expect.poll(() => find("giraffe")).toEqual([id]);
  });
});

describe("the context", () => {
  test("has the summary that was there, and none of what was said behind it", async () => {
    const session = await openSession();
    const { call, path } = session;
    await ask("POST", `${path}/replies`, { ...call, json: { input: "/say One" } });
    const before = await cursorOf(session);
    await ask("POST", `${path}/compress`, { ...call, json: {} });
    const after = await cursorOf(session);
    await ask("POST", `${path}/replies`, { ...call, json: { input: "/say Two" } });
    const summaryOf = async () =>
      (await ask<{ summary: string; context: unknown[] }>("GET", `${path}/state`, call)).json;
    const whole = await summaryOf();

    await restore(session, before);
    const unsummarised = await summaryOf();
    await restore(session, after);
    const summarised = await summaryOf();

    expect(whole.summary).not.toBe("");
    expect([unsummarised.summary, unsummarised.context.length]).toEqual(["", 2]);
    expect([summarised.summary, summarised.context.length]).toEqual([whole.summary, 0]);
  });

  test("has no summary of what is not in the conversation that comes back", async () => {
    const session = await openSession();
    const { call, path } = session;
    const say = (input: string) => ask("POST", `${path}/replies`, { ...call, json: { input } });
    const stateNow = async () =>
      (await ask<{ summary: string; context: unknown[] }>("GET", `${path}/state`, call)).json;
    await say("/say One");
    const before = await cursorOf(session);
    for (const input of ["/say Two", "/say Three", "/say Four"]) await say(input);
    await ask("POST", `${path}/compress`, { ...call, json: {} });
    const compressed = await cursorOf(session);
    await restore(session, before);

    // The position of the restore itself, ahead of the states that follow in its commit.
    await restore(session, compressed + 1);

    const { summary, context } = await stateNow();
    expect([summary, context.length]).toEqual(["", 2]);
  });

  test("of a fork has the summary of its position, also where an id of then is another message's", async () => {
    const session = await openSession();
    const { call, path } = session;
    const say = (id: string, text: string) =>
      ask("POST", `${path}/replies`, {
        ...call,
        json: { input: { id, name: "user", role: "user", content: text } },
      });
    const summaryOf = async (of: string) =>
      (await ask<{ summary: string }>("GET", `${of}/state`, call)).json.summary;
    await say("m1", "/say One");
    await say("m2", "/say Two");
    await ask("POST", `${path}/compress`, { ...call, json: {} });
    const compressed = await cursorOf(session);
    const summary = await summaryOf(path);
    await restore(session, 0);
    await say("m1", "/say Other");

    const json = { at: compressed };
    const fork = await ask<Session>("POST", `${path}/fork`, { ...call, json });

    expect(summary).not.toBe("");
    expect(await summaryOf(`/v1/sessions/${fork.json.id}`)).toBe(summary);
  });

  test("keeps the summary of messages that come back", async () => {
    const session = await openSession();
    const { call, path } = session;
    const say = (id: string, text: string) =>
      ask("POST", `${path}/replies`, {
        ...call,
        json: { input: { id, name: "user", role: "user", content: text } },
      });
    const stateNow = async () =>
      (await ask<{ summary: string; context: unknown[] }>("GET", `${path}/state`, call)).json;
    await say("m1", "/say One");
    await ask("POST", `${path}/compress`, { ...call, json: {} });
    const compressed = await cursorOf(session);
    const whole = await stateNow();
    await restore(session, 0);
    await say("m1", "/say Other");

    await restore(session, compressed);

    expect((await stateNow()).summary).toBe(whole.summary);
    expect((await stateNow()).context).toEqual([]);
  });
});
