// A room's object that dies before and after each of its transactions, and machines that are all lost at once: what is asked
// again comes to the same conversation, each word of it once.
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, test } from "vitest";

import type { ContentBlock } from "../../../protocol/messages/blocks.ts";
import { foldEvents } from "../../../protocol/fold/append-event.ts";
import { BROAD, sampled, walk } from "../../support/breadth.ts";
import { waitFor } from "../../support/wait-for.ts";
import { pauseMs } from "../sessions/held-session.ts";
import { mockModel, type MockModel } from "./mock-model.ts";
import {
  CALL,
  eventsOf,
  messagesOf,
  objectOf,
  openRoom,
  readRoom,
  saidIn,
  sessionMessages,
  type RoomDesk,
} from "./room-desk.ts";

interface Death {
  /** Counts from 1. */
  readonly transaction: number;
  readonly side: "before" | "after";
}

/** Both sides of each transaction, in their order. */
function deathsOf(transactions: number): readonly Death[] {
  return Array.from({ length: transactions }, (_, index) => index + 1).flatMap((transaction) => [
    { transaction, side: "before" },
    { transaction, side: "after" },
  ]);
}

/** Odd, so that a walk has both sides: `npm test` dies at so few. */
const FEW = 9;
/** Until an abort has been carried out. */
const ABORT_MS = 20;

let model: MockModel | null = null;
afterEach(() => model?.restore());

/** Watches the transactions of the room's object, which dies at one of them; null for none. */
async function watch({ init }: RoomDesk, death: Death | null) {
  const state = { begun: 0, isDead: false };
  const takeOut = await runInDurableObject(objectOf(init), (_, { storage }) => {
    const proto = Object.getPrototypeOf(storage) as DurableObjectStorage;
    const { transactionSync, sync } = proto;
    const guard = (side: Death["side"]): void => {
      if (death?.transaction === state.begun && death.side === side) state.isDead = true;
      if (state.isDead && side === "before") throw new Error("the machine has stopped");
    };
    proto.transactionSync = function guarded<Value>(this: DurableObjectStorage, run: () => Value) {
      const made = () => transactionSync.call(this, run) as Value;
      if (this !== storage) return made();
      if (state.isDead) throw new Error("the machine has stopped");
      state.begun += 1;
      guard("before");
      const value = made();
      guard("after");
      return value;
    };
    proto.sync = function guarded(this: DurableObjectStorage) {
      const isOver = this === storage && state.isDead;
      return isOver ? new Promise<void>(() => undefined) : sync.call(this);
    };
    return () => Object.assign(proto, { transactionSync, sync });
  });
  return { state, takeOut };
}

async function dead(state: { readonly isDead: boolean }): Promise<void> {
  while (!state.isDead) await pauseMs(5);
}

async function kill({ init }: RoomDesk): Promise<void> {
  await runInDurableObject(objectOf(init), (_, object) => {
    setTimeout(() => object.abort("the machine is gone"), 0);
  }).catch(() => undefined);
  await pauseMs(ABORT_MS);
}

/** Says the same again until somebody takes it, as a client does. */
async function sayAgain(desk: RoomDesk): Promise<void> {
  await waitFor(async () => {
    const said = await desk.room.postMessage(
      { id: "m1", participant: "Mia", content: "Begin." },
      CALL,
    );
    expect(said.ok).toBe(true);
  });
}

async function ended(desk: RoomDesk): Promise<void> {
  await waitFor(async () => {
    const { status, last_end } = await readRoom(desk);
    expect([status, last_end?.reason]).toEqual(["idle", "completed"]);
    // The last words are told, too.
    const last = (await messagesOf(desk)).map(({ id }) => id).toSorted();
    for (const id of await sessionsOf(desk)) {
      const told = (await sessionMessages(desk.call, id)).map((message) => message.id);
      expect(told.toSorted()).toEqual(last);
    }
  });
}

async function sessionsOf(desk: RoomDesk): Promise<readonly string[]> {
  const { participants } = await readRoom(desk);
  return participants.flatMap(({ session_id }) => session_id ?? []);
}

/** Each event of a session is in the log once, and folds to what the session has. */
async function checkLog(desk: RoomDesk): Promise<void> {
  const events = await eventsOf(desk);
  const seqs = events.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
  expect(new Set(seqs).size).toBe(seqs.length);
  const started = events.flatMap((event) => (event.type === "REPLY_START" ? event.reply_id : []));
  expect(new Set(started).size).toBe(started.length);
  const stored = await messagesOf(desk);
  for (const { session_id } of (await readRoom(desk)).participants) {
    if (session_id === null) continue;
    const own = (await sessionMessages(desk.call, session_id)).filter(
      ({ role }) => role === "assistant",
    );
    for (const message of own) {
      const folded = foldEvents(
        events.filter((event) => "reply_id" in event && event.reply_id === message.id),
      );
      // The room's entries say whose they are, and so do their blocks.
      expect(folded?.content.map(withoutMetadata)).toEqual(message.content.map(withoutMetadata));
      expect(stored.find(({ id }) => id === message.id)).toEqual(folded);
    }
  }
}

function withoutMetadata(block: ContentBlock): object {
  return { ...block, metadata: undefined };
}

const ORDERS = [
  { order: "sequential", rounds: 1 },
  { order: "parallel", rounds: 1 },
];

for (const [orders, breadth] of sampled(ORDERS, 1, "each"))
  describe.each(orders)("a discussion that is $order", breadth, (turns) => {
    const settings = { agents: ["alpha", "beta"], turns, announcement: "Be brief." };

    async function dieAtSome(choose: (deaths: readonly Death[]) => readonly Death[]) {
      model = mockModel(({ model: name }) => `${name} speaks`);
      const whole = await openRoom(settings);
      await pauseMs(100);
      const counted = await watch(whole, null);
      await sayAgain(whole);
      await ended(whole);
      counted.takeOut();
      const transactions = counted.state.begun;
      const expected = (await saidIn(whole)).toSorted();
      expect(expected).toEqual([
        "Mia: Begin.",
        "alpha: alpha speaks",
        "beta: beta speaks",
        "room: Be brief.",
      ]);

      const found: unknown[] = [];
      for (const { transaction, side } of choose(deathsOf(transactions))) {
        const desk = await openRoom(settings);
        await pauseMs(20);
        const before = model.requests.length;
        const { state, takeOut } = await watch(desk, { transaction, side });
        const saying = sayAgain(desk).catch(() => undefined);
        // Fewer batches than before may be copied: then it does not die.
        const over = saying.then(() => ended(desk)).catch(() => undefined);
        await Promise.race([over, dead(state)]);
        if (state.isDead) await kill(desk);
        takeOut();
        await sayAgain(desk);
        await ended(desk);
        await checkLog(desk);
        found.push([transaction, side, await saidIn(desk), model.requests.length - before]);
      }

      expect(transactions).toBeGreaterThan(5);
      expect(
        found.map((one) => {
          const [transaction, side, said, calls] = one as [number, string, string[], number];
          return [transaction, side, said.toSorted(), calls];
        }),
      ).toEqual(
        found.map((one) => {
          const [transaction, side] = one as [number, string];
          return [transaction, side, expected, 2];
        }),
      );
    }

    test("comes to the same whichever of some transactions its object dies at", async () => {
      await dieAtSome((deaths) => walk(deaths, FEW));
    });

    test("comes to the same whichever transaction its object dies at", BROAD, async () => {
      await dieAtSome((deaths) => deaths);
    });
  });

describe("machines that are all lost at once", () => {
  test("leave a discussion that goes on to its end", BROAD, async () => {
    model = mockModel(({ model: name }) => ({ text: `${name} speaks`, waitMs: 30 }));
    for (let round = 0; round < 8; round += 1) {
      const turns = ORDERS[round % 2]!;
      const desk = await openRoom({ agents: ["alpha", "beta"], turns });
      await sayAgain(desk);
      await pauseMs(round * 25);
      await abortAllDurableObjects();
      await sayAgain(desk);
      await ended(desk);
      await checkLog(desk);
      expect((await saidIn(desk)).toSorted()).toEqual([
        "Mia: Begin.",
        "alpha: alpha speaks",
        "beta: beta speaks",
      ]);
    }
  });
});
