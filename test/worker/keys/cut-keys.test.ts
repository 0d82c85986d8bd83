// Streams that were opened with an API key end with it, and so do those that its client tokens have opened.
import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { REFUSAL_HEADER } from "../../../durable-objects/api/session-api.ts";
import { HEARTBEAT_MS } from "../../../protocol/events/limits.ts";
import { waitFor } from "../../support/wait-for.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { holdTimers } from "../support/held-timers.ts";
import { sessionInit } from "../sessions/session-init.ts";
import {
  allEvents,
  createdSession,
  objectOf,
  openStream,
  readEvents,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";

const SLOW = "/rate 50\n/words 20000";

function inFuture(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

function mint(init: Parameters<typeof stubOf>[0], id: string, key_id: string | null) {
  return stubOf(init).act("addToken", {
    id,
    expires_at: inFuture(60_000),
    verbs: ["read"],
    allowed_origins: null,
    created_at: inFuture(0),
    key_id,
  });
}

async function statusOf(init: Parameters<typeof stubOf>[0], query: string) {
  const response = await openStream(init, query);
  await response.body?.cancel();
  return [response.status, response.headers.get(REFUSAL_HEADER)];
}

describe("cutting keys", () => {
  it("ends the streams of the keys and of their tokens, cleanly, and no others", async () => {
    const init = await createdSession();
    await startReply(init, SLOW);
    await mint(init, "tok_1", "key_leaked");
    await mint(init, "tok_2", "key_other");
    await mint(init, "tok_3", null);
    const query = "after=0&follow=session";
    const openWith = async (credential: string) =>
      readEvents(
        await openStream(init, `${query}${credential}`),
        ({ type }) => type === "REPLY_END",
      );
    const cut = ["&key_id=key_leaked", "&key_id=key_child", "&token_id=tok_1"].map(openWith);
    const kept = ["&key_id=key_other", "&token_id=tok_2", "&token_id=tok_3", ""].map(openWith);
    await stubOf(init).notify({ cut_keys: ["key_leaked", "key_child"], with_tokens: true });
    const seen = await Promise.all(cut);
    await stubOf(init).act("interrupt", {});
    const all = await allEvents(init);

    for (const events of seen) expect(events).toEqual(all.slice(0, events.length));
    expect(await Promise.all(kept)).toEqual(kept.map(() => all));
  });

  it("refuses the tokens afterwards, also when the object was let go of", async () => {
    const init = await createdSession();
    await mint(init, "tok_1", "key_leaked");
    await mint(init, "tok_2", "key_other");
    await stubOf(init).notify({ cut_keys: ["key_leaked"], with_tokens: true });
    await evictDurableObject(objectOf(init));

    expect(await stubOf(init).admitsToken("tok_1")).toBe(false);
    expect(await stubOf(init).admitsToken("tok_2")).toBe(true);
    expect(await statusOf(init, "after=0&follow=session&token_id=tok_1")).toEqual([
      401,
      "unauthenticated",
    ]);
  });

  it("leaves the tokens alone when only the keys are over", async () => {
    const init = await createdSession();
    await mint(init, "tok_1", "key_1");
    await stubOf(init).notify({ cut_keys: ["key_1"] });

    expect(await stubOf(init).admitsToken("tok_1")).toBe(true);
  });

  it("opens no stream with a key that was cut, though a Worker still believes it", async () => {
    const init = await createdSession();
    await reply(init, "/say hi");
    await stubOf(init).notify({ cut_keys: ["key_1"] });

    expect([
      await statusOf(init, "after=0&key_id=key_1"),
      await statusOf(init, "after=0&key_id=key_2"),
    ]).toEqual([
      [401, "unauthenticated"],
      [200, null],
    ]);
  });

  it("takes no token that such a key has minted since", async () => {
    const init = await createdSession();
    await stubOf(init).notify({ cut_keys: ["key_1"], with_tokens: true });

    expect(await mint(init, "tok_1", "key_1")).toMatchObject({
      refusal: { code: "unauthenticated" },
    });
    expect(await mint(init, "tok_2", "key_2")).toMatchObject({ ok: true });
  });

  it("does nothing to a session that there is not", async () => {
    expect(
      await stubOf(sessionInit({})).notify({ cut_keys: ["key_1"], with_tokens: true }),
    ).toBeUndefined();
  });
});

describe("a stream that was opened with an API key", () => {
  it("ends when the key expires, while the session is idle", async () => {
    const init = await createdSession();
    await reply(init, "/say hi");
    const expiries = holdTimers((delayMs) => delayMs > 2 * HEARTBEAT_MS);
    const query = `after=0&follow=session&key_id=key_1&key_expires_at=${inFuture(60_000)}`;
    const stream = await openStream(init, query);
    const all = await allEvents(init);
    let count = 0;
    const reading = readEvents(stream, () => {
      count += 1;
      return false;
    });
    await waitFor(() => expect(count).toBe(all.length));
    advanceClock(60_000);
    expiries.fire();

    expect([expiries.waiting, await reading]).toEqual([1, all]);
  });

  it.each(["", "&key_expires_at=2999-01-01T00:00:00.000Z"])(
    "goes on when the key lasts longer than any timer%s",
    async (expiry) => {
      const init = await createdSession();
      await startReply(init, SLOW);
      const query = `after=0&follow=session&key_id=key_1${expiry}`;
      const live = readEvents(await openStream(init, query), ({ type }) => type === "REPLY_END");
      await stubOf(init).act("interrupt", {});

      expect(await live).toEqual(await allEvents(init));
    },
  );
});

describe("the list of a session's tokens", () => {
  it("has those that open it now, newest first, in pages", async () => {
    const init = await createdSession();
    const ids = ["a", "b", "c", "d"].map((letter) => `tok_${letter.repeat(26)}`);
    for (const id of ids) await mint(init, id, "key_1");
    await stubOf(init).act("revokeToken", ids[1]!);
    await stubOf(init).act("addToken", { id: `tok_${"e".repeat(26)}`, expires_at: inFuture(-1) });
    const first = valueOf(await stubOf(init).act("listTokens", { limit: 2 }));
    const second = valueOf(
      await stubOf(init).act("listTokens", { limit: 2, page: first.next_page! }),
    );

    expect(first.data.map(({ id }) => id)).toEqual([ids[3], ids[2]]);
    expect(second).toEqual({
      data: [
        {
          id: ids[0],
          session_id: init.session_id,
          verbs: ["read"],
          allowed_origins: null,
          created_at: expect.any(String),
          expires_at: expect.any(String),
          key_id: "key_1",
        },
      ],
      has_more: false,
      next_page: null,
    });
  });

  it("shows of a token from before that was kept when it ends", async () => {
    const init = await createdSession();
    await stubOf(init).act("addToken", { id: "tok_1", expires_at: "2999-01-01T00:00:00.000Z" });

    expect(valueOf(await stubOf(init).act("listTokens", { limit: 2 })).data).toEqual([
      {
        id: "tok_1",
        session_id: init.session_id,
        verbs: null,
        allowed_origins: null,
        created_at: null,
        expires_at: "2999-01-01T00:00:00.000Z",
        key_id: null,
      },
    ]);
  });

  it("refuses a page that is none of its own", async () => {
    const init = await createdSession();

    expect(await stubOf(init).act("listTokens", { limit: 2, page: "x" })).toMatchObject({
      refusal: { code: "validation_failed" },
    });
  });
});
