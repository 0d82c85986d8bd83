// Two tabs and somebody who interrupts, all at the same moment, in many orders.
import { describe, expect, it } from "vitest";

import type { ReplyStart, SessionInit } from "../../../durable-objects/api/session-api.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { pauseMs } from "../sessions/held-session.ts";
import { repliesIn } from "./queued.ts";
import { allEvents, createdSession, readReply, stubOf, valueOf } from "../sessions/session.ts";

type OnBusy = ReplyStart["on_busy"];

interface Post {
  readonly messageId: string;
  readonly on_busy: OnBusy;
  /** The reply that it got, or the code of the refusal. */
  readonly outcome: string;
}

const ROUNDS = 10;
const POSTS = 5;

async function postFrom(
  init: SessionInit,
  messageId: string,
  on_busy: OnBusy,
  pause: string,
): Promise<Post> {
  const content = `${pause}\n/say ${messageId}`;
  const input = { id: messageId, name: "user", role: "user", content, metadata: {} } as const;
  const result = await stubOf(init).act("startReply", { input, on_busy });
  return { messageId, on_busy, outcome: result.ok ? result.value.id : result.refusal.code };
}

/** The user's message right before each REPLY_START, by reply. */
function inputsIn(events: readonly LoggedEvent[]): Map<string, string> {
  const inputs = new Map<string, string>();
  for (const [index, event] of events.entries()) {
    if (event.type !== "REPLY_START") continue;
    const before = events[index - 1];
    if (before?.type !== "CUSTOM" || before.name !== "message_added") continue;
    inputs.set(event.reply_id, (before.value as { message: Msg }).message.id);
  }
  return inputs;
}

function isReply({ outcome }: Post): boolean {
  return outcome.startsWith("rep_");
}

async function round(seed: number, modes: readonly OnBusy[], canInterrupt: boolean) {
  const init = await createdSession();
  const posts: Post[] = [];
  const tab = async (name: string, random: () => number) => {
    for (let n = 0; n < POSTS; n += 1) {
      const mode = modes[Math.floor(random() * modes.length)]!;
      const pause = `/wait ${Math.floor(random() * 12)}`;
      const messageId = `${name}-${n}`;
      const taps = random() < 0.3 ? 2 : 1;
      const tapped = Array.from({ length: taps }, () => postFrom(init, messageId, mode, pause));
      if (random() < 0.5) await Promise.all(tapped);
      else await pauseMs(random() * 10);
      posts.push(...(await Promise.all(tapped)));
    }
  };
  const interrupter = async (random: () => number) => {
    for (let n = 0; canInterrupt && n < 3; n += 1) {
      await pauseMs(random() * 30);
      await stubOf(init).act("interrupt", {});
    }
  };
  await Promise.all([
    tab("one", seededRandom(3 * seed)),
    tab("two", seededRandom(3 * seed + 1)),
    interrupter(seededRandom(3 * seed + 2)),
  ]);
  for (const { outcome } of posts.filter(isReply)) await readReply(init, outcome, 60_000);
  return { init, posts };
}

describe("two tabs that post at the same moment", BROAD, () => {
  const MODES: readonly [string, readonly OnBusy[], readonly string[]][] = [
    ["reject, queue and interrupt", ["reject", "queue", "interrupt"], ["reply_running"]],
    ["reject", ["reject"], ["reply_running"]],
    ["queue", ["queue"], []],
    ["interrupt", ["interrupt"], []],
  ];
  for (const [rows, breadth] of sampled(MODES))
    it.each(rows)(
      "with on_busy: %s get one outcome each, and one reply runs at a time",
      breadth,
      async (_, modes, refusals) => {
        for (let seed = 0; seed < ROUNDS; seed += 1) {
          const { init, posts } = await round(seed, modes, seed % 2 === 0);
          const events = await allEvents(init);
          // Throws where two are open at once, or one ends twice.
          const ended = repliesIn(events);
          const got = new Map(posts.filter(isReply).map((post) => [post.outcome, post.messageId]));

          expect(
            posts.filter((post) => !isReply(post) && !refusals.includes(post.outcome)),
          ).toEqual([]);
          expect(ended.map(([id]) => id).toSorted()).toEqual([...got.keys()].toSorted());
          expect(inputsIn(events)).toEqual(new Map(ended.map(([id]) => [id, got.get(id)])));
          const queued = new Set(
            posts.filter(({ on_busy }) => on_busy === "queue").map(({ outcome }) => outcome),
          );
          const queuedInLog = ended.map(([id]) => id).filter((id) => queued.has(id));
          expect(queuedInLog).toEqual(queuedInLog.toSorted());
          expect(valueOf(await stubOf(init).act("read"))).toMatchObject({
            status: "idle",
            queued_reply_ids: [],
          });
        }
      },
    );

  for (const [rows, breadth] of sampled(["reject", "queue", "interrupt"] as const, 1))
    it.each(rows)(
      "get the same reply for a message that both send with the same id, with on_busy: %s",
      breadth,
      async (on_busy) => {
        const gates = holdGates();
        const init = await createdSession();
        await postFrom(init, "before", "reject", GATE);
        const posts = await Promise.all(
          Array.from({ length: 6 }, () => postFrom(init, "same", on_busy, "/wait 5")),
        );
        gates.release();
        const outcomes = new Set(posts.map(({ outcome }) => outcome));

        expect(outcomes.size).toBe(1);
        const [outcome] = outcomes;
        if (on_busy === "reject") expect(outcome).toBe("reply_running");
        else expect((await readReply(init, outcome!, 60_000)).status).toBe("completed");
      },
    );
});
