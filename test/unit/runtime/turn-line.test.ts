// The order in which replies of one tenant get their turns, with a clock and rounds of the test's own.
import { describe, expect, it } from "vitest";

import { TURN_ABANDONED_MS } from "../../../protocol/replies/limits.ts";
import { TurnLine, type TurnTicket } from "../../../runtime/turn-line.ts";

interface Waiting {
  readonly name: string;
  readonly ticket: TurnTicket;
  atMs: number;
}

/** Looks of all whose time has come, round by round, a millisecond each. @returns who took a turn in which round. */
function play(line: TurnLine, waiting: Waiting[], { fromMs = 0, rounds = 1_000 } = {}) {
  const taken: (readonly [name: string, atMs: number])[] = [];
  for (let nowMs = fromMs; nowMs < fromMs + rounds && waiting.length > 0; nowMs += 1) {
    for (const one of waiting.filter(({ atMs }) => atMs <= nowMs)) {
      const waitMs = line.look(one.ticket, nowMs);
      if (waitMs !== null) one.atMs = nowMs + waitMs;
      else {
        taken.push([one.name, nowMs]);
        waiting.splice(waiting.indexOf(one), 1);
      }
    }
  }
  return taken;
}

/** So many replies that come in the same millisecond; the first of them goes at once. */
function queueUp(line: TurnLine, count: number, nowMs = 0): Waiting[] {
  expect(line.join(nowMs)).toBeNull();
  return Array.from({ length: count }, (_, index) => {
    const ticket = line.join(nowMs);
    if (!ticket) throw new Error("a second turn in the same millisecond");
    return { name: String(index), ticket, atMs: nowMs + 1 };
  });
}

describe("a line of turns", () => {
  it("lets a reply that comes alone go at once, each time the clock has gone on", () => {
    const line = new TurnLine();

    expect([line.join(5), line.join(6), line.join(9)]).toEqual([null, null, null]);
    expect(line.join(9)).not.toBeNull();
  });

  it("gives one turn a round, in the order in which replies came, and each within as many rounds", () => {
    const line = new TurnLine();
    const taken = play(line, queueUp(line, 30));

    expect(taken.map(([name]) => name)).toEqual(
      Array.from({ length: 30 }, (_, one) => String(one)),
    );
    expect(new Set(taken.map(([, atMs]) => atMs)).size).toBe(30);
    expect(taken.at(-1)?.[1]).toBeLessThanOrEqual(90);
  });

  it("gives the next turn when one that is held is given back, or its time is over", () => {
    const line = new TurnLine();
    const [first, second] = queueUp(line, 2);
    const held = line.hold(0, 25);

    expect([line.look(first!.ticket, 1), line.look(first!.ticket, 24)]).toEqual([1, 1]);
    held.release();
    expect(line.look(first!.ticket, 24)).toBeNull();
    line.hold(24, 25);
    // Of the turn before: it gives nothing back.
    held.release();
    expect([line.look(second!.ticket, 48), line.look(second!.ticket, 49)]).toEqual([1, null]);
  });

  it("is not held by a time that is still to come, as when the clock was set back", () => {
    const line = new TurnLine();
    line.join(1_000);
    line.hold(1_000, 25);

    expect(line.join(500)).toBeNull();
  });

  it("lets nobody who comes later go before those who wait", () => {
    const line = new TurnLine();
    const waiting = queueUp(line, 3);
    const late = line.join(500);
    if (late) waiting.push({ name: "late", ticket: late, atMs: 501 });

    expect(play(line, waiting, { fromMs: 501 }).map(([name]) => name)).toEqual([
      "0",
      "1",
      "2",
      "late",
    ]);
  });

  it("goes on behind replies that are gone with their objects, wherever they stood", () => {
    const line = new TurnLine();
    const waiting = queueUp(line, 6);
    const alive = waiting.filter(({ name }) => name !== "0" && name !== "1" && name !== "4");

    const taken = play(line, alive, { rounds: 3 * TURN_ABANDONED_MS });

    expect(taken.map(([name]) => name)).toEqual(["2", "3", "5"]);
  });

  it("goes on when the clock is set back behind one that is gone", () => {
    const line = new TurnLine();
    const [gone, ...alive] = queueUp(line, 2, 1_000_000);
    for (const one of alive) one.atMs = 0;

    const taken = play(line, alive, { rounds: 2 * TURN_ABANDONED_MS });

    expect([gone?.name, taken.map(([name]) => name)]).toEqual(["0", ["1"]]);
  });

  it("lets one that was taken for gone go at once, and one that leaves holds up nobody", () => {
    const line = new TurnLine();
    const [slow, leaving, last] = queueUp(line, 3);
    if (!slow || !leaving || !last) throw new Error("three wait");
    line.leave(leaving.ticket);
    const taken = play(line, [last], { rounds: 3 * TURN_ABANDONED_MS });

    expect(taken.map(([name]) => name)).toEqual(["2"]);
    expect(line.look(slow.ticket, 5_000)).toBeNull();
    expect(line.join(6_000)).toBeNull();
  });
});
