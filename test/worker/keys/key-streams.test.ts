// Streams that were opened with an API key, through the door: they end with the key, in whatever way they were opened.
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";

import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { LiveToken } from "../../../protocol/client-tokens/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import { HEARTBEAT_MS } from "../../../protocol/events/limits.ts";
import { sessionStub } from "../../../worker/objects/session-stub.ts";
import { waitFor } from "../../support/wait-for.ts";
import { advanceClock } from "../support/advance-clock.ts";
import type { Call } from "../support/api.ts";
import { ask, openSession, refusalOf, send } from "../support/api.ts";
import { mintToken } from "../support/client-token.ts";
import { holdTimers } from "../support/held-timers.ts";

const STREAM = { Accept: "text/event-stream" };
const ENDLESS = "/rate 20\n/words 20000";

afterEach(() => vi.restoreAllMocks());

async function makeKey(call: Call, json: object = {}): Promise<CreatedApiKey> {
  return (await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json })).json;
}

/** Resolves when the stream ends. @param seen Told of each piece. */
async function readToEnd(response: Response, seen: (text: string) => void = () => {}) {
  for await (const text of response.body!.pipeThrough(new TextDecoderStream())) seen(text);
  return response.status;
}

describe("a stream of an API key", () => {
  test("ends when its session hears that the key is over, however it was opened, and no other does", async () => {
    const { call, path, agent, session, tenantId } = await openSession();
    const key = await makeKey(call);
    const mine = { key: key.api_key };
    const json = { input: ENDLESS, stream: true };
    const reply = await send("POST", `${path}/replies`, { ...mine, json });
    const opened = [
      reply,
      await send("GET", `${path}/events?follow=session`, { ...mine, headers: STREAM }),
      await send("GET", `/v1/agents/${agent.id}/ag-ui?thread_id=${session.id}`, {
        ...mine,
        headers: STREAM,
      }),
    ];
    const other = await send("GET", `${path}/events?after=0`, { ...call, headers: STREAM });
    const ended = Promise.all(opened.map((stream) => readToEnd(stream)));
    await sessionStub(env, tenantId, session.id).notify({ cut_keys: [key.id], with_tokens: true });

    expect(await ended).toEqual([200, 200, 200]);
    let rest = "";
    const whole = readToEnd(other, (text) => (rest += text));
    await ask("POST", `${path}/interrupt`, call);
    await whole;
    expect(rest).toContain("REPLY_END");
  });

  test("ends when the key is revoked, with those of its tokens when it has leaked", async () => {
    const { call, path } = await openSession();
    const key = await makeKey(call);
    const { token } = await mintToken(path, { key: key.api_key }, { verbs: ["read"] });
    const open = (credential: string) =>
      send("GET", `${path}/events?follow=session`, { key: credential, headers: STREAM });
    const ended = Promise.all(
      [await open(key.api_key), await open(token)].map((stream) => readToEnd(stream)),
    );
    const json = { reason: "leaked" };
    const { status } = await ask("POST", `/v1/api-keys/${key.id}/revoke`, { ...call, json });

    expect([status, await ended]).toEqual([200, [200, 200]]);
    expect((await ask("GET", path, { key: token })).status).toBe(401);
  });

  test.each([
    ["of a key that was revoked", {}, "key"],
    ["of a token of a key that has leaked", { reason: "leaked" }, "token"],
  ] as const)(
    "%s ends too when a Worker opens it that still believes in it, in a session that nobody used",
    async (_, json, credential) => {
      const { call, path, session, tenantId } = await openSession();
      await ask("POST", `${path}/replies`, { ...call, json: { input: "/say hello" } });
      const key = await makeKey(call);
      const { id: tokenId } = await mintToken(path, { key: key.api_key }, { verbs: ["read"] });
      await ask("POST", `/v1/api-keys/${key.id}/revoke`, { ...call, json });
      const opened = { key: `key_id=${key.id}`, token: `token_id=${tokenId}` }[credential];

      const stub = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
      const stream = await stub.fetch(`http://session/?after=0&follow=session&${opened}`);

      expect(await readToEnd(stream)).toBe(200);
    },
  );

  test("ends when the key expires", async () => {
    const { call, path } = await openSession();
    await ask("POST", `${path}/replies`, { ...call, json: { input: "/say hello" } });
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const key = await makeKey(call, { expires_at });
    const expiries = holdTimers((delayMs) => delayMs > 2 * HEARTBEAT_MS && delayMs <= 60_000);
    const stream = await send("GET", `${path}/events?follow=session`, {
      key: key.api_key,
      headers: STREAM,
    });
    let seen = "";
    const reading = readToEnd(stream, (text) => (seen += text));
    await waitFor(() => expect(seen).toContain("REPLY_END"));
    advanceClock(60_000);
    expiries.fire();

    expect(await reading).toBe(200);
  });
});

describe("a client token", () => {
  test("says which key minted it, and is refused when that key is cut with its tokens", async () => {
    const { call, path, session, tenantId } = await openSession();
    const key = await makeKey(call);
    const mine = await mintToken(path, { key: key.api_key }, { verbs: ["read"] });
    const other = await mintToken(path, call);
    const { json: before } = await ask<Page<LiveToken>>("GET", `${path}/tokens`, call);
    await sessionStub(env, tenantId, session.id).notify({ cut_keys: [key.id], with_tokens: true });
    const { json: after } = await ask<Page<LiveToken>>("GET", `${path}/tokens`, call);

    const { token: _, ...shown } = mine;
    expect(before.data).toContainEqual({ ...shown, key_id: key.id });
    expect(before.data).toHaveLength(2);
    expect(after.data.map(({ id }) => id)).toEqual([other.id]);
    expect([
      refusalOf(await ask("GET", path, { key: mine.token })),
      (await ask("GET", path, { key: other.token })).status,
    ]).toMatchObject([{ status: 401, code: "unauthenticated" }, 200]);
  });

  test("lists no tokens, nor does a key that may not read sessions", async () => {
    const { call, path } = await openSession();
    const { token } = await mintToken(path, call, { verbs: ["read"] });
    const narrow = await makeKey(call, { scopes: ["replies:write"] });

    expect([
      refusalOf(await ask("GET", `${path}/tokens`, { key: token })),
      refusalOf(await ask("GET", `${path}/tokens`, { key: narrow.api_key })),
    ]).toMatchObject([
      { status: 403, code: "insufficient_scope" },
      { status: 403, code: "insufficient_scope" },
    ]);
  });
});
