// A summary that is made when a reply has ended, while nobody waits for it.
import { abortAllDurableObjects } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { hearLog, JOB_FAILED } from "../../support/hear-log.ts";
import { waitFor } from "../../support/wait-for.ts";
import { pauseMs } from "../sessions/held-session.ts";
import {
  createdSession,
  listMessages,
  readReply,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { failingSummary, SUMMARY } from "../support/summarised-agent.ts";
import {
  begunContext,
  compressingSession,
  dueOf,
  fill,
  fireTimer,
  rowsOf,
  sayTwice,
  settledContext,
  summariesOf,
  textsOfContext,
  viewContext,
} from "./compressing.ts";
import { BROAD } from "../../support/breadth.ts";

const NO_SUMMARY = "a summary could not be made";

describe("a context above its soft threshold", () => {
  it("is summarised when the reply has ended, under no reply, and the messages stay", async () => {
    const init = await compressingSession();
    await fill(init);
    await settledContext(init);

    const [made, ...more] = await summariesOf(init);
    const { data: messages } = valueOf(await listMessages(init, { limit: 100 }));
    expect(more).toEqual([]);
    expect(made?.event).not.toHaveProperty("reply_id");
    expect(made?.value).toMatchObject({
      summary: SUMMARY,
      first_message_id: messages[0]?.id,
      last_block_id: null,
      model: "writer",
      trigger: "soft_threshold",
    });
    expect(made?.value.tokens_after).toBeLessThan(400);
    expect(messages).toHaveLength(6);
    const [first, ...rest] = await textsOfContext(init);
    expect(first).toContain(SUMMARY);
    expect(rest.length).toBeLessThan(6);
  });

  it("costs a small conversation no row of its own", async () => {
    const init = await compressingSession();
    await sayTwice(init, 100);

    expect(await dueOf(init)).toEqual([]);
    expect(await rowsOf(init, "SELECT id FROM compression")).toEqual([]);
    expect(await rowsOf(init, "SELECT name FROM ability_states")).toEqual([]);
    expect(await summariesOf(init)).toEqual([]);
  });

  it("is not made where the agent wants none", async () => {
    const init = await compressingSession("", { compression_enabled: false });
    await fill(init);

    expect(await dueOf(init)).toEqual([]);
    expect(await summariesOf(init)).toEqual([]);
  });

  it("does not hold up a reply that begins meanwhile, whose next model call uses it", async () => {
    const gates = holdGates();
    const init = await compressingSession(GATE);
    await fill(init);
    const next = await reply(init, "/say at once");

    expect(next.status).toBe("completed");
    expect(await summariesOf(init)).toEqual([]);
    expect((await viewContext(init)).compressing).toBe(true);
    gates.release();
    await settledContext(init);
    expect(await summariesOf(init)).toHaveLength(1);
    const [first, ...rest] = await textsOfContext(init);
    expect(first).toContain(SUMMARY);
    // A message from meanwhile is not in the summary, so it is in the context.
    expect(rest.at(-1)).toContain("at once");
  });

  it("is made once, and again only when it has grown", async () => {
    const init = await compressingSession();
    await fill(init);
    await settledContext(init);
    await sayTwice(init, 100);

    expect(await dueOf(init)).toEqual([]);
    await sayTwice(init, 300);
    await sayTwice(init, 300);
    await settledContext(init);
    const made = await summariesOf(init);
    expect(made).toHaveLength(2);
    const ids = valueOf(await listMessages(init, { limit: 100 })).data.map(({ id }) => id);
    // The second begins where the first one ended.
    expect(ids.indexOf(made[1]?.value.first_message_id ?? "")).toBe(
      ids.indexOf(made[0]?.value.last_message_id ?? "") + 1,
    );
  });
});

describe("a summary whose machine is lost while it is made", () => {
  it("is made by the next one, once", BROAD, async () => {
    const gates = holdGates();
    const init = await compressingSession(GATE);
    await fill(init);
    await begunContext(init);
    await waitFor(() => expect(gates.waiting).toBe(1));
    await abortAllDurableObjects();

    expect(await summariesOf(init)).toEqual([]);
    gates.release();
    await fireTimer(init);
    await settledContext(init);
    expect(await summariesOf(init)).toHaveLength(1);
  });

  it("is given up after three crashes, until the next reply has ended", async () => {
    const log = hearLog([JOB_FAILED]);
    const gates = holdGates();
    const init = await compressingSession(GATE);
    await fill(init);
    for (let crash = 0; crash < 3; crash += 1) {
      await waitFor(async () => {
        const [timer] = await rowsOf<{ begun: number }>(
          init,
          "SELECT begun FROM timers WHERE kind = 'compress'",
        );
        expect(timer?.begun).toBe(crash + 1);
      });
      await abortAllDurableObjects();
      await fireTimer(init);
    }

    await settledContext(init);
    expect(await summariesOf(init)).toEqual([]);
    expect((await viewContext(init)).failure?.error.type).toBe("internal");
    expect(log).toEqual([NO_SUMMARY]);
    gates.release();
    await sayTwice(init, 20);
    await settledContext(init);
    expect(await summariesOf(init)).toHaveLength(1);
    expect((await viewContext(init)).failure).toBeNull();
  });
});

describe("a summary that cannot be made", () => {
  it("leaves the context as it is, says so, and is tried after the next reply", async () => {
    const log = hearLog();
    const init = await createdSession(
      failingSummary("authentication", { context_size: 1_000, token_counter: "estimate" }),
    );
    await fill(init);
    await settledContext(init);

    expect(await summariesOf(init)).toEqual([]);
    const { failure, messages } = await viewContext(init);
    expect(failure?.error).toEqual({
      type: "authentication",
      message: "The model provider did not accept the credential of this agent.",
    });
    expect(messages).toHaveLength(6);
    expect(log).toEqual([NO_SUMMARY]);
    expect((await reply(init, "/say on")).status).toBe("completed");
    await waitFor(() => expect(log).toEqual([NO_SUMMARY, NO_SUMMARY]));
  });
});

describe("a summary that something overtakes", () => {
  it("is forgotten with its session", async () => {
    const gates = holdGates();
    const init = await compressingSession(GATE);
    await fill(init);
    await begunContext(init);
    expect(await stubOf(init).remove()).toEqual({ ok: true, value: null });

    gates.release();
    await pauseMs(200);
    expect(await stubOf(init).act("read")).toMatchObject({ refusal: { code: "not_found" } });
  });

  it("is made all the same when the next reply is interrupted", async () => {
    const gates = holdGates();
    const init = await compressingSession(GATE);
    await fill(init);
    const { id } = await startReply(init, GATE);
    valueOf(await stubOf(init).act("interrupt", {}));

    expect((await readReply(init, id)).status).toBe("interrupted");
    gates.release();
    await settledContext(init);
    expect(await summariesOf(init)).toHaveLength(1);
    expect((await textsOfContext(init))[0]).toContain(SUMMARY);
  });

  it("is not in a fork of before, which has its messages whole", async () => {
    const gates = holdGates();
    const init = await compressingSession(GATE);
    await fill(init);
    const source = valueOf(await stubOf(init).act("readForkSource", undefined));
    gates.release();
    await settledContext(init);
    const later = valueOf(await stubOf(init).act("readForkSource", undefined));

    expect(source.ability_states).toEqual([]);
    expect(later.ability_states).toMatchObject([
      { ability: "context", state: { summary: { text: SUMMARY } } },
    ]);
  });
});
