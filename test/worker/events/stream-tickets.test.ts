// The ticket in the address of a stream, for that one stream and nothing else.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";

import { VerbSchema } from "../../../protocol/client-tokens/contract.ts";
import { app } from "../../../worker/app.ts";
import { waitFor } from "../../support/wait-for.ts";
import { advanceClock } from "../support/advance-clock.ts";
import {
  ask,
  makeAgent,
  makeSession,
  makeTenant,
  openSession,
  refusalOf,
  send,
} from "../support/api.ts";
import { runInput } from "../support/run-input.ts";
import { mintCall, mintTicket, mintToken } from "../support/client-token.ts";

const STREAM = { Accept: "text/event-stream" };
const ENDLESS = "/rate 20\n/words 20000";
const UNAUTHENTICATED = { status: 401, code: "unauthenticated", pointers: undefined };
const NOT_THIS_STREAM = { status: 403, code: "insufficient_scope", pointers: undefined };
const NOT_FOUND = { status: 404, code: "not_found", pointers: undefined };

afterEach(() => vi.restoreAllMocks());

function fail(): never {
  throw new Error("the object is away");
}

/** The stream's text until it has this; then it is left. */
async function readUntil(response: Response, text: string): Promise<string> {
  let seen = "";
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    seen += piece;
    if (seen.includes(text)) break;
  }
  return seen;
}

/** A session that has answered once, and an app that may read it. */
async function openRead(wish: object = { verbs: ["read"] }) {
  const opened = await openSession();
  await ask("POST", `${opened.path}/replies`, { ...opened.call, json: { input: "Hi" } });
  const app = await mintCall(opened.path, opened.call, wish);
  return { ...opened, app, events: `${opened.path}/events` };
}

describe("a stream ticket", () => {
  test("opens its stream, and opens it again from the event that its reader has", async () => {
    const { call, path, app, events } = await openRead();
    const ticket = await mintTicket(path, app, `${events}?follow=session&after=0`);
    const page = await ask("GET", `${events}?limit=100`, call);
    const whole = await mintTicket(path, app, `${events}?limit=100`);
    const again = await send("GET", ticket.path, { headers: { ...STREAM, "Last-Event-ID": "3" } });
    const seen = await readUntil(again, "\nid: ");

    expect([(await ask("GET", whole.path)).text === page.text, again.status, seen]).toEqual([
      true,
      200,
      expect.stringContaining("\nid: 4\n"),
    ]);
  });

  test("opens it in whatever order its query stands, and wherever its reader is", async () => {
    const { path, app, events } = await openRead();
    const { ticket } = await mintTicket(path, app, `${events}?limit=1&format=agentscope&after=0`);
    const query = `token=${ticket}&after=2&format=agentscope&limit=1`;

    expect((await ask("GET", `${events}?${query}`)).status).toBe(200);
  });

  test("opens no other stream, session or route", async () => {
    const { call, path, app, events, agent } = await openRead({ verbs: VerbSchema.options });
    const other = await makeSession(call, { agent_id: agent.id });
    const stranger = await openSession();
    const { ticket } = await mintTicket(path, app, `${events}?follow=session`);
    const asked = (method: string, address: string, json?: object) =>
      ask(method, `${address}${address.includes("?") ? "&" : "?"}token=${ticket}`, { json });
    const post = { type: "USER_INTERRUPT", reply_id: "rep_1" };
    const answers = [
      await asked("GET", events),
      await asked("GET", `${events}?follow=session&format=ag-ui`),
      await asked("GET", `/v1/agents/${agent.id}/ag-ui?thread_id=${other.id}`),
      await asked("GET", `/v1/sessions/${other.id}/events?follow=session`),
      await asked("GET", `${stranger.path}/events?follow=session`),
      await asked("GET", path),
      await asked("GET", `${path}/messages`),
      await asked("POST", `${path}/interrupt`),
      await asked("POST", events, post),
      await ask("GET", events, { key: ticket }),
      await ask("POST", `${path}/stream-tickets`, { key: ticket, json: { path: events } }),
    ];

    expect(answers.map(refusalOf)).toEqual([
      NOT_THIS_STREAM,
      NOT_THIS_STREAM,
      NOT_THIS_STREAM,
      NOT_FOUND,
      NOT_FOUND,
      ...Array.from({ length: 6 }, () => UNAUTHENTICATED),
    ]);
  });

  test("opens a thread of AG-UI", async () => {
    const { call, agent, session, path, app } = await openRead();
    const address = `/v1/agents/${agent.id}/ag-ui?thread_id=${session.id}`;
    await ask("POST", `/v1/agents/${agent.id}/ag-ui`, {
      ...call,
      json: runInput(session.id, "Hello"),
    });
    const joined = await ask("GET", (await mintTicket(path, app, address)).path);

    expect([joined.status, joined.text.includes('"MESSAGES_SNAPSHOT"')]).toEqual([200, true]);
  });

  test("ends when its token does, and says so", async () => {
    const { call, path, events } = await openRead();
    const { token, id, expires_at } = await mintToken(path, call, { ttl_seconds: 60 });
    const ticket = await mintTicket(path, { key: token }, events);
    advanceClock(60_000);
    const late = await ask("GET", ticket.path);

    expect([ticket.token_id, ticket.expires_at, refusalOf(late)]).toEqual([
      id,
      expires_at,
      UNAUTHENTICATED,
    ]);
    expect(late.json.detail).toContain("has expired");
  });

  test("ends with its token when that is revoked, and with it the stream", async () => {
    const { call, path, events } = await openRead();
    const { token, id } = await mintToken(path, call);
    await ask("POST", `${path}/replies`, { ...call, json: { input: ENDLESS, background: true } });
    const ticket = await mintTicket(path, { key: token }, `${events}?follow=session`);
    const stream = await send("GET", ticket.path, { headers: STREAM });
    const reading = stream.text();
    await ask("DELETE", `${path}/tokens/${id}`, call);
    const text = await reading;
    await ask("POST", `${path}/interrupt`, call);

    expect([text.includes("event: REPLY_START"), refusalOf(await ask("GET", ticket.path))]).toEqual(
      [true, UNAUTHENTICATED],
    );
  });

  test("is for the pages that its token is for", async () => {
    const allowed_origins = ["https://shop.example"];
    const { path, events, call } = await openRead();
    const headers = { Origin: "https://shop.example" };
    const app = { ...(await mintCall(path, call, { allowed_origins })), headers };
    const ticket = await mintTicket(path, app, events);
    const from = (Origin?: string) =>
      ask("GET", ticket.path, { headers: Origin === undefined ? {} : { Origin } });

    expect([
      (await from("https://shop.example")).status,
      (await from("https://evil.example")).json.code,
      (await from()).json.code,
    ]).toEqual([200, "origin_forbidden", "origin_forbidden"]);
  });

  test("is minted by an API key too, with a token of its own that can be revoked", async () => {
    const { call, path, events } = await openRead();
    const ticket = await mintTicket(path, call, events);
    const before = (await ask("GET", ticket.path)).status;
    const revoked = await ask("DELETE", `${path}/tokens/${ticket.token_id}`, call);

    expect([before, revoked.status, refusalOf(await ask("GET", ticket.path))]).toEqual([
      200,
      204,
      UNAUTHENTICATED,
    ]);
  });

  test("of an API key is in the list of what opens the session, with what it can do", async () => {
    const { call, path, events } = await openRead();
    const { token_id, expires_at } = await mintTicket(path, call, events);

    const { json } = await ask<{ data: { id: string }[] }>("GET", `${path}/tokens`, call);
    expect(json.data.find(({ id }) => id === token_id)).toEqual({
      id: token_id,
      session_id: path.slice("/v1/sessions/".length),
      verbs: ["read"],
      allowed_origins: null,
      created_at: expect.any(String),
      expires_at,
      key_id: expect.any(String),
    });
  });

  test("of an API key lives no longer than the key", async () => {
    const { call, path, events } = await openRead();
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const made = await ask<{ api_key: string }>("POST", "/v1/api-keys", {
      ...call,
      json: { scopes: ["sessions:read"], expires_at },
    });
    const ticket = await mintTicket(path, { key: made.json.api_key }, events);

    expect(ticket.expires_at).toBe(expires_at);
  });

  test("is for a stream of the session that its minter names, and for nothing else", async () => {
    const { path, app, agent, call } = await openRead();
    const other = await makeSession(call, { agent_id: agent.id });
    const stranger = await makeTenant();
    const foreign = await makeSession(stranger.call, {
      agent_id: (await makeAgent(stranger.call)).id,
    });
    const paths = [
      path,
      `${path}/messages`,
      `/v1/sessions/${other.id}/events`,
      `/v1/sessions/${foreign.id}/events`,
      `/v1/agents/${agent.id}/ag-ui`,
      `/v1/agents/agt_1/ag-ui?thread_id=${path.slice(13)}`,
      `https://evil.example${path}/events`,
      `//evil.example${path}/events`,
      `/v1/../evil`,
      "/v1/\\evil",
      "",
    ];
    const answers = [];
    for (const stream of paths) {
      const json = { path: stream };
      answers.push(refusalOf(await ask("POST", `${path}/stream-tickets`, { ...app, json })));
    }

    const refusal = { status: 400, code: "validation_failed", pointers: ["#/path"] };
    expect(answers).toEqual(paths.map(() => refusal));
  });

  test("is not minted for a thread that is another session's", async () => {
    const { path, app, agent, call } = await openRead();
    const other = await makeSession(call, { agent_id: agent.id });
    const asked = async (thread: string, caller: object) =>
      (
        await ask("POST", `${path}/stream-tickets`, {
          ...caller,
          json: { path: `/v1/agents/${agent.id}/ag-ui?thread_id=${thread}` },
        })
      ).json.code;

    expect([
      await asked(other.id, app),
      await asked("a-name", app),
      await asked(other.id, call),
      await asked("a-name", call),
    ]).toEqual(["not_found", "not_found", "validation_failed", "validation_failed"]);
  });
});

describe("?token=", () => {
  test("takes no client token, and says what to do instead", async () => {
    const { path, app, events } = await openRead();
    const refused = await ask("GET", `${events}?token=${app.key}`);

    expect(refusalOf(refused)).toEqual(UNAUTHENTICATED);
    expect(refused.json.detail).toContain("POST /v1/sessions/{session_id}/stream-tickets");
    expect((await ask("GET", (await mintTicket(path, app, events)).path)).status).toBe(200);
  });

  test("takes no API key, and no second credential beside it", async () => {
    const { call, path, app, events } = await openRead();
    const { path: address } = await mintTicket(path, app, events);
    const twice = { status: 400, code: "validation_failed", pointers: ["#/query/token"] };

    expect([
      refusalOf(await ask("GET", `${events}?token=${call.key}`)),
      refusalOf(await ask("GET", `${events}?token=`)),
      refusalOf(await ask("GET", `${address}x`)),
      refusalOf(await ask("GET", address, call)),
      refusalOf(await ask("GET", address, app)),
    ]).toEqual([UNAUTHENTICATED, UNAUTHENTICATED, UNAUTHENTICATED, twice, twice]);
  });

  test("stands in no log and in no answer", async () => {
    const { call, path, app: reader, events } = await openRead();
    const { ticket, path: address } = await mintTicket(path, reader, events);
    const lines: unknown[] = [];
    for (const method of ["log", "info", "warn", "error", "debug"] as const) {
      vi.spyOn(console, method).mockImplementation((...words) => void lines.push(words));
    }
    const answers = [
      await ask("GET", address),
      await ask("GET", `${address}&after=99999999`),
      await ask("GET", `${address}&no_such_thing=1`),
      await ask("GET", `${address}x`),
      await ask("GET", address, call),
    ];
    const broken = { ...env, SESSION: { getByName: fail } };
    const failed = await app.fetch(new Request(`https://api.test${address}`), broken);
    const seen = [
      ...answers.map(({ text, headers }) => text + JSON.stringify([...headers])),
      (await failed.text()) + JSON.stringify([...failed.headers]),
      JSON.stringify(lines),
      (await ask("GET", `${events}?limit=100`, call)).text,
    ];

    await waitFor(() => expect(lines.length).toBe(1));
    expect(seen.filter((text) => text.includes(ticket.slice(3)))).toEqual([]);
  });
});
