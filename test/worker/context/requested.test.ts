// A summary that a request or a reply waits for, and what happens meanwhile.
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import type { Compression } from "../../../protocol/api/compression.ts";
import type { Result } from "../../../protocol/errors.ts";
import { waitFor } from "../../support/wait-for.ts";
import { allEvents, readReply, reply, startReply, stubOf, valueOf } from "../session/session.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
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

describe("a summary that a request waits for", () => {
  it("is made by the next machine when the first one is lost, under the same id, once", async () => {
    const init = await compressingSession("/wait 1000", { keep_recent: 0 });
    await sayTwice(init, 100);
    const asked = compress(init, "k").catch(() => undefined);
    await waitFor(async () => expect(await dueOf(init)).toHaveLength(2));
    const due = (await dueOf(init)) as { what: string }[];
    await abortAllDurableObjects();
    await asked;

    expect(await summariesOf(init)).toEqual([]);
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
    const init = await compressingSession("/wait 300");
    await sayTwice(init, 100);

    const [one, two] = await Promise.all([compress(init), compress(init)]);

    expect(valueOf(one)).toEqual(valueOf(two));
    expect(await summariesOf(init)).toHaveLength(1);
  });

  it("is kept under the key of a request that has joined it", async () => {
    const init = await compressingSession("/wait 300", { keep_recent: 0 });
    await sayTwice(init, 100);

    const [one] = await Promise.all([compress(init, "one"), compress(init, "two")]);
    const again = await compress(init, "two");

    expect([again.is_replayed, valueOf(again)]).toEqual([true, valueOf(one)]);
    expect(await summariesOf(init)).toHaveLength(1);
  });

  it("waits for the one in the background, and is made of what that has left", async () => {
    const init = await compressingSession("/wait 700");
    await fill(init);
    await begunContext(init);

    const asked = valueOf(await compress(init));

    const made = await summariesOf(init);
    await settledContext(init);
    expect(made.map(({ value }) => value.trigger)).toEqual(
      asked.status === "completed" ? ["soft_threshold", "request"] : ["soft_threshold"],
    );
  });

  it("is made beside a reply that begins meanwhile, and leaves its input alone", async () => {
    const init = await compressingSession("/wait 600", { keep_recent: 0 });
    await sayTwice(init, 100);
    const asked = compress(init);
    await waitFor(async () => expect(await dueOf(init)).toHaveLength(2));
    const next = await reply(init, "/say meanwhile");
    const { compressed } = valueOf(await asked);

    expect(next.status).toBe("completed");
    expect(compressed?.last_message_id).not.toBe(next.id);
    const texts = await textsOfContext(init);
    expect(texts).toHaveLength(3);
    expect(texts[1]).toContain("/say meanwhile");
  });

  it("is queued behind a reply across a crash, and made when that has ended", async () => {
    const init = await compressingSession("", { keep_recent: 0 });
    await sayTwice(init, 100);
    const { id } = await startReply(init, "/say before\n/wait 800\n/say after");
    const queued = valueOf(await compress(init, undefined, { on_busy: "queue" }));
    await abortAllDurableObjects();
    await fireTimer(init);

    expect([queued.status, await summariesOf(init)]).toEqual(["queued", []]);
    expect((await readReply(init, id, 20_000)).status).toBe("completed");
    await settledContext(init);
    const [made, ...more] = await summariesOf(init);
    expect([made?.value.summary_id, more]).toEqual([queued.summary_id, []]);
    expect(made?.value.last_message_id).toBe(id);
  });
});

describe("a reply over its hard threshold", () => {
  it("waits for the summary in the background, and makes none of its own", async () => {
    const init = await compressingSession("/wait 900");
    await fill(init);
    await begunContext(init);
    const next = await reply(init, `/say ${wordsOf(60)}`);

    expect(next.status).toBe("completed");
    await settledContext(init);
    const [made, ...more] = await summariesOf(init);
    expect(more).toEqual([]);
    expect(made?.event).not.toHaveProperty("reply_id");
    expect(await truncationsOf(init)).toEqual([]);
    const log = await allEvents(init);
    const call = log.find(
      (event) => event.type === "MODEL_CALL_START" && event.reply_id === next.id,
    );
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
    const init = await compressingSession("/wait 2000");
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
