// Streams across a pause, and streams that end with the client token they were opened with.
import { describe, expect, it } from "vitest";

import { openStream as openSessionStream } from "../../../durable-objects/open-stream.ts";
import { REFUSAL_HEADER, STREAM_URL } from "../../../durable-objects/api/session-api.ts";
import { parseStreamRequest } from "../../../durable-objects/api/stream-request.ts";
import { HEARTBEAT_MS } from "../../../protocol/events/limits.ts";
import { waitFor } from "../../support/wait-for.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { holdTimers } from "../support/held-timers.ts";
import { withHeldSession } from "../sessions/held-session.ts";
import { confirmation, parkedSession, post, rowsOf, withTools } from "../confirmations/parked.ts";
import {
  allEvents,
  createdSession,
  openStream,
  readEvents,
  readReply,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";

const SLOW = "/rate 50\n/words 20000";

function inFuture(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}

describe("the stream of a reply that was answered", () => {
  it("shows all that followed, from the receipt's cursor and from where it had ended", () =>
    withTools(async () => {
      const { init, parked, call } = await parkedSession();
      const before = await readEvents(await openStream(init, `after=0&reply_id=${parked.id}`));
      const receipt = valueOf(await post(init, confirmation(parked.id, call)));
      const [fromReceipt, fromEnd] = await Promise.all(
        [receipt.cursor, before.at(-1)?.seq].map(async (after) =>
          readEvents(await openStream(init, `after=${after}&reply_id=${parked.id}`)),
        ),
      );
      const all = await allEvents(init);

      expect(before.at(-1)?.type).toBe("REQUIRE_USER_CONFIRM");
      expect(fromReceipt).toEqual(all.filter(({ seq }) => seq > receipt.cursor));
      expect(fromEnd).toEqual(fromReceipt);
      expect(fromEnd?.at(-1)?.type).toBe("REPLY_END");
    }));

  it("goes on for a subscriber of the session who stayed", () =>
    withTools(async () => {
      const { init, parked, call } = await parkedSession();
      const live = readEvents(
        await openStream(init, "after=0&follow=session"),
        ({ type }) => type === "REPLY_END",
      );
      await post(init, confirmation(parked.id, call));

      expect(await live).toEqual(await allEvents(init));
    }));
});

describe("a client token", () => {
  it("is admitted until it expires or is revoked", async () => {
    const init = await createdSession();
    const stub = stubOf(init);
    await stub.act("addToken", { id: "tok_1", expires_at: inFuture(60_000) });
    await stub.act("addToken", { id: "tok_old", expires_at: inFuture(-1) });

    expect(await stub.admitsToken("tok_1")).toBe(true);
    expect(await stub.admitsToken("tok_old")).toBe(false);
    expect(await stub.admitsToken("tok_unknown")).toBe(false);
    expect(await stub.act("revokeToken", "tok_1")).toEqual({ ok: true, value: null });
    expect(await stub.act("revokeToken", "tok_1")).toEqual({ ok: true, value: null });
    expect(await stub.admitsToken("tok_1")).toBe(false);
    expect(await stub.act("revokeToken", "tok_unknown")).toMatchObject({
      refusal: { code: "not_found" },
    });
  });

  it("that has expired is forgotten when the next one is minted", async () => {
    const init = await createdSession();
    await stubOf(init).act("addToken", { id: "tok_old", expires_at: inFuture(-1) });
    await stubOf(init).act("addToken", { id: "tok_new", expires_at: inFuture(60_000) });

    expect(await rowsOf(init, "SELECT id FROM client_tokens")).toEqual([{ id: "tok_new" }]);
  });

  it("opens no stream when it is not admitted", async () => {
    const init = await createdSession();
    await reply(init, "/say hi");
    const refused = await openStream(init, "after=0&token_id=tok_unknown");

    expect([refused.status, refused.headers.get(REFUSAL_HEADER)]).toEqual([401, "unauthenticated"]);
    await refused.body?.cancel();
  });

  it("ends its streams when it is revoked, cleanly, and no others", async () => {
    const init = await createdSession();
    const { id } = await startReply(init, SLOW);
    await stubOf(init).act("addToken", { id: "tok_1", expires_at: inFuture(60_000) });
    await stubOf(init).act("addToken", { id: "tok_2", expires_at: inFuture(60_000) });
    const [first, second, own] = await Promise.all(
      ["&token_id=tok_1", "&token_id=tok_2", ""].map((token) =>
        openStream(init, `after=0&follow=session${token}`),
      ),
    );
    if (!first || !second || !own) throw new Error("no stream");
    const cut = readEvents(first);
    const others = [second, own].map((response) =>
      readEvents(response, ({ type }) => type === "REPLY_END"),
    );
    await stubOf(init).act("revokeToken", "tok_1");
    const seen = await cut;
    await stubOf(init).act("interrupt", {});
    const all = await allEvents(init);

    expect(seen).toEqual(all.slice(0, seen.length));
    expect(await Promise.all(others)).toEqual([all, all]);
    expect((await readReply(init, id)).status).toBe("interrupted");
  });

  it("ends a stream that waits on an idle session when it expires", async () => {
    const init = await createdSession();
    await reply(init, "/say hi");
    await stubOf(init).act("addToken", { id: "tok_1", expires_at: inFuture(60_000) });
    const expiries = holdTimers((delayMs) => delayMs > 2 * HEARTBEAT_MS);
    const stream = await openStream(init, "after=0&follow=session&token_id=tok_1");
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

  it("that is over gives the places of its streams back", () =>
    withHeldSession({}, async ({ session }) => {
      session.tables.tokens.add({ id: "tok_1", expires_at: inFuture(60_000) }, Date.now());
      const url = `${STREAM_URL}?after=0&follow=session&token_id=tok_1`;
      const opened = valueOf(openSessionStream(session, parseStreamRequest(url)));
      const reading = readEvents(new Response(opened));
      const whileOpen = session.subscribers.count;
      session.subscribers.cut("tok_1");

      expect(await reading).toEqual([]);
      expect([whileOpen, session.subscribers.count]).toEqual([1, 0]);
    }));
});
