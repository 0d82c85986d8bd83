// A summary that a request or a reply waits for, and what happens meanwhile.
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { SessionCompression } from "../../../durable-objects/context/session-compression.ts";
import type { Compression } from "../../../protocol/context/compression.ts";
import type { Result } from "../../../protocol/errors.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { waitFor } from "../../support/wait-for.ts";
import { pauseMs } from "../sessions/held-session.ts";
import {
  allEvents,
  listEvents,
  readReply,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { SUMMARY } from "../support/summarised-agent.ts";
import {
  begunContext,
  compressingSession,
  dueOf,
  fill,
  fireTimer,
  sayTwice,
  settledContext,
  summariesOf,
  textsOfContext,
  truncationsOf,
  viewContext,
  wordsOf,
} from "./compressing.ts";

function compress(
  init: SessionInit,
  key?: string,
  more: { readonly on_busy?: "queue"; readonly instructions?: string } = {},
): Promise<Result<Compression> & { readonly is_replayed?: true }> {
  const idempotency = key === undefined ? undefined : { key, fingerprint: "f" };
  return stubOf(init).act("compress", { on_busy: "reject", ...more }, { idempotency });
}

/** @returns what lets the summary be made as soon as so many requests wait for it. */
function joinedRuns(): (count: number) => Promise<void> {
  const gates = holdGates();
  const run = vi.spyOn(SessionCompression.prototype, "run");
  onTestFinished(() => run.mockRestore());
  return async (count) => {
    const asked = () => run.mock.calls.filter(([{ isRequested }]) => isRequested);
    await waitFor(() => expect(asked()).toHaveLength(count));
    gates.release();
  };
}

/** The reply's first model call in the log as it is now, while something is still held. */
async function firstCallOf(init: SessionInit, replyId: string): Promise<LoggedEvent | undefined> {
  const { data } = valueOf(await listEvents(init, { after: 0, limit: 1_000 }));
  return data.find((event) => event.type === "MODEL_CALL_START" && event.reply_id === replyId);
}

describe("a summary that a request waits for", () => {
  it("is made by the next machine when the first one is lost, under the same id, once", async () => {
    const gates = holdGates();
    const init = await compressingSession(GATE, { keep_recent: 0 });
    await sayTwice(init, 100);
    const asked = compress(init, "k").catch(() => undefined);
    await waitFor(async () => expect(await dueOf(init)).toHaveLength(2));
    const due = (await dueOf(init)) as { what: string }[];
    await abortAllDurableObjects();
    await asked;

    expect(await summariesOf(init)).toEqual([]);
    gates.release();
    // The client, which got no answer, asks again, and joins it.
    const again = valueOf(await compress(init, "k"));
    const kept = await compress(init, "k");
    await settledContext(init);

    const made = await summariesOf(init);
    expect(made.map(({ value }) => value.summary_id)).toEqual([due[1]?.what]);
    expect([again.status, again.compressed?.summary]).toEqual(["completed", SUMMARY]);
    expect([kept.is_replayed, valueOf(kept)]).toEqual([true, again]);
  });

  it("is joined by a second request, and made once", async () => {
    const joined = joinedRuns();
    const init = await compressingSession(GATE);
    await sayTwice(init, 100);

    const asked = Promise.all([compress(init), compress(init)]);
    await joined(2);
    const [one, two] = await asked;

    expect(valueOf(one)).toEqual(valueOf(two));
    expect(await summariesOf(init)).toHaveLength(1);
  });

  it("is kept under the key of a request that has joined it", async () => {
    const joined = joinedRuns();
    const init = await compressingSession(GATE, { keep_recent: 0 });
    await sayTwice(init, 100);

    const asked = Promise.all([compress(init, "one"), compress(init, "two")]);
    await joined(2);
    const [one] = await asked;
    const again = await compress(init, "two");

    expect([again.is_replayed, valueOf(again)]).toEqual([true, valueOf(one)]);
    expect(await summariesOf(init)).toHaveLength(1);
  });

  it("waits for the one in the background, and is made of what that has left", async () => {
    const gates = holdGates();
    const init = await compressingSession(GATE);
    await fill(init);
    await begunContext(init);

    const answer = compress(init);
    await pauseMs(50);
    gates.release();
    const asked = valueOf(await answer);

    const made = await summariesOf(init);
    await settledContext(init);
    expect(made.map(({ value }) => value.trigger)).toEqual(
      asked.status === "completed" ? ["soft_threshold", "request"] : ["soft_threshold"],
    );
  });

  it("is made beside a reply that begins meanwhile, and leaves its input alone", async () => {
    const gates = holdGates();
    const init = await compressingSession(GATE, { keep_recent: 0 });
    await sayTwice(init, 100);
    const asked = compress(init);
    await waitFor(async () => expect(await dueOf(init)).toHaveLength(2));
    const next = await reply(init, "/say meanwhile");
    gates.release();
    const { compressed } = valueOf(await asked);

    expect(next.status).toBe("completed");
    expect(compressed?.last_message_id).not.toBe(next.id);
    const texts = await textsOfContext(init);
    expect(texts).toHaveLength(3);
    expect(texts[1]).toContain("/say meanwhile");
  });

  it("is queued behind a reply across a crash, and made when that has ended", async () => {
    const gates = holdGates();
    const init = await compressingSession("", { keep_recent: 0 });
    await sayTwice(init, 100);
    const { id } = await startReply(init, `/say before\n${GATE}\n/say after`);
    const queued = valueOf(await compress(init, undefined, { on_busy: "queue" }));
    await abortAllDurableObjects();
    await fireTimer(init);

    expect([queued.status, await dueOf(init)]).toMatchObject([
      "queued",
      [{ what: "compress" }, { what: queued.summary_id }],
    ]);
    gates.release();
    expect((await readReply(init, id, 20_000)).status).toBe("completed");
    await settledContext(init);
    const [made, ...more] = await summariesOf(init);
    expect([made?.value.summary_id, more]).toEqual([queued.summary_id, []]);
    expect(made?.value.last_message_id).toBe(id);
  });
});

describe("a reply over its hard threshold", () => {
  it("waits for the summary in the background, and makes none of its own", async () => {
    const gates = holdGates();
    const init = await compressingSession(GATE);
    await fill(init);
    await begunContext(init);
    const next = await startReply(init, `/say ${wordsOf(60)}`);
    await pauseMs(50);
    expect(await firstCallOf(init, next.id)).toBeUndefined();
    gates.release();

    expect((await readReply(init, next.id)).status).toBe("completed");
    await settledContext(init);
    const [made, ...more] = await summariesOf(init);
    expect(more).toEqual([]);
    expect(made?.event).not.toHaveProperty("reply_id");
    expect(await truncationsOf(init)).toEqual([]);
    const call = await firstCallOf(init, next.id);
    expect(call?.seq).toBeGreaterThan(made?.event.seq ?? Infinity);
  });

  it("has its own summary in its usage, and in none of D1's but that", async () => {
    const init = await compressingSession("", { compression_enabled: true });
    await sayTwice(init, 350);
    await sayTwice(init, 350);
    const next = await reply(init, `/say ${wordsOf(240)}`);

    const [made, ...more] = await summariesOf(init);
    expect(more).toEqual([]);
    expect(made?.event).toMatchObject({ reply_id: next.id });
    expect(made?.value).toMatchObject({ trigger: "hard_threshold", reply_id: next.id });
    const calls = (await allEvents(init)).flatMap((event) =>
      event.type === "MODEL_CALL_END" && event.reply_id === next.id ? event.output_tokens : [],
    );
    const spent = calls.reduce((sum, tokens) => sum + tokens, 0);
    expect(next.usage?.output_tokens).toBe(spent + (made?.value.usage.output_tokens ?? 0));
  });

  it("is interrupted while it waits, and nothing is stored after that", async () => {
    holdGates();
    const init = await compressingSession(GATE);
    await sayTwice(init, 350);
    await sayTwice(init, 350);
    const { id } = await startReply(init, `/say ${wordsOf(240)}`);
    await waitFor(async () => expect((await viewContext(init)).compressing).toBe(true));
    valueOf(await stubOf(init).act("interrupt", {}));

    expect((await readReply(init, id)).status).toBe("interrupted");
    expect(await summariesOf(init)).toEqual([]);
    const log = await allEvents(init);
    expect(log.at(-1)).toMatchObject({ type: "REPLY_END", reply_id: id });
  });
});
