/** @module-tag broad */
// Everything at once: replies that queue, interrupt and are refused, answers, interrupts, alarms and lost objects. A seed
// decides what each of two hands does; which is first where they meet is left to chance.
import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import type { PendingCall } from "../../../protocol/replies/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { seeds } from "../../support/breadth.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { pauseMs } from "./held-session.ts";
import {
  confirmation,
  externalResult,
  interruption,
  KEY,
  LABEL,
  LOOK,
  makeDue,
  REFUND,
  rowsOf,
  withTools,
} from "../confirmations/parked.ts";
import { repliesIn } from "../replies/queued.ts";
import { allEvents, createdSession, objectOf, readReply, stubOf, valueOf } from "./session.ts";

const SAFE = { ...LOOK, name: "safe", idempotent: true };
const TOOLS = [{ ...REFUND, concurrency_safe: true }, LOOK, SAFE, LABEL];
const INPUTS = [
  "/say hello",
  "/rate 300\n/words 15",
  "/call refund {}\n/say done",
  "/call safe {}\n/call look {}\n/say done",
  "/call refund {}\n/call safe {}\n/call label {}\n/say done",
  "/rate 300\n/think Let me see.\n/call look {}\n/words 10",
];
const STEPS = 40;

class Chaos {
  readonly init: SessionInit;
  readonly accepted = new Set<string>();
  readonly byKey = new Map<string, Set<string>>();
  readonly #random: () => number;

  constructor(init: SessionInit, random: () => number) {
    this.init = init;
    this.#random = random;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return items[Math.floor(this.#random() * items.length)]!;
  }

  /** One that its object did not survive is no failure: nobody knows what became of it. */
  async step(): Promise<void> {
    const what = this.#random();
    try {
      if (what < 0.35) await this.#start();
      else if (what < 0.6) await this.#answer();
      else if (what < 0.66)
        await stubOf(this.init).act("interrupt", { queued: this.#pick(["keep", "drop"] as const) });
      else if (what < 0.72) await this.#interruptOne();
      else if (what < 0.8) await this.wake();
      else if (what < 0.88) await abortAllDurableObjects();
      else await pauseMs(this.#random() * 30);
    } catch (error) {
      if (!/abort|reset|broken|lost/i.test(String(error))) throw error;
    }
  }

  async #start(): Promise<void> {
    const number = Math.floor(this.#random() * 6);
    const start = {
      input: INPUTS[number]!,
      on_busy: this.#pick(["reject", "queue", "queue", "interrupt"] as const),
    };
    const key = `startReply ${number} ${start.on_busy}`;
    const isKeyed = this.#random() < 0.5;
    const keyed = isKeyed ? { key, fingerprint: key } : undefined;
    const started = await stubOf(this.init).act("startReply", start, { idempotency: keyed });
    if (!started.ok) return;
    this.accepted.add(started.value.id);
    if (!isKeyed) return;
    const ids = this.byKey.get(key) ?? new Set();
    this.byKey.set(key, ids.add(started.value.id));
  }

  async #answer(): Promise<void> {
    const { reply_id, pending } = valueOf(await stubOf(this.init).act("read"));
    if (reply_id === null || pending.length === 0) return;
    await this.#answerCall(reply_id, this.#pick(pending));
  }

  #answerCall(replyId: string, call: PendingCall): Promise<unknown> {
    const event =
      call.kind === "permission"
        ? confirmation(replyId, call, { confirmed: this.#random() < 0.7 })
        : externalResult(replyId, call, "printed");
    return stubOf(this.init).act("postEvent", event, { actor: KEY });
  }

  async #interruptOne(): Promise<void> {
    if (this.accepted.size === 0) return;
    await stubOf(this.init).act("postEvent", interruption(this.#pick([...this.accepted])), {
      actor: KEY,
    });
  }

  async wake(): Promise<void> {
    await makeDue(this.init, "watch");
    await runDurableObjectAlarm(objectOf(this.init));
  }

  /** Lets everything come to its end: calls are answered, back-offs are over. */
  async settle(): Promise<void> {
    await expect
      .poll(async () => {
        const { status, reply_id, pending } = valueOf(await stubOf(this.init).act("read"));
        if (reply_id !== null) for (const call of pending) await this.#answerCall(reply_id, call);
        await rowsOf(this.init, "UPDATE replies SET not_before = 1 WHERE not_before IS NOT NULL");
        if (status === "running") await this.wake();
        return status;
      })
      .toBe("idle");
  }
}

function seqsOf(events: readonly LoggedEvent[]): readonly number[] {
  return events.map(({ seq }) => seq);
}

describe("whatever happens to a session, in whatever order", () => {
  it.each(seeds(10))(
    "every reply that was accepted comes to one end, and nothing is left over (seed %i)",
    (seed) =>
      withTools(
        async (calls) => {
          const init = await createdSession({ tools: TOOLS });
          const chaos = new Chaos(init, seededRandom(seed));
          // Two hands at once, so that requests meet.
          const hand = async () => {
            for (let step = 0; step < STEPS / 2; step += 1) await chaos.step();
          };
          await Promise.all([hand(), hand()]);
          await chaos.settle();

          const events = await allEvents(init);
          expect(seqsOf(events)).toEqual([...new Set(seqsOf(events))].sort((a, b) => a - b));
          const ended = new Map(repliesIn(events));
          for (const id of chaos.accepted) {
            const reply = await readReply(init, id, 1_000);
            expect([id, reply.status]).toEqual([id, ended.get(id)]);
            const own = events.filter((event) => "reply_id" in event && event.reply_id === id);
            expect(JSON.stringify(foldEvents(own))).toBe(JSON.stringify(reply.message));
          }
          for (const ids of chaos.byKey.values()) expect([...ids]).toHaveLength(1);
          const made = calls
            .filter(({ body }) => JSON.parse(body).name !== "safe")
            .map(({ headers }) => headers["idempotency-key"]);
          expect(new Set(made).size).toBe(made.length);
          await expect
            .poll(async () => {
              // A report to D1 that was under way when its object was lost is sent again.
              await chaos.wake();
              return rowsOf(
                init,
                `SELECT (SELECT count(*) FROM timers) AS timers, (SELECT count(*) FROM outbox) AS untold,
                 (SELECT count(*) FROM queued_replies) AS queued`,
              );
            })
            .toEqual([{ timers: 0, untold: 0, queued: 0 }]);
        },
        async () => {
          await pauseMs(5);
          return new Response("made");
        },
      ),
  );
});
