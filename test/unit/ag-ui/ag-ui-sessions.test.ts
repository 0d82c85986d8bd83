// Whole sessions as the platform writes them, read by the protocol's own client: from the start, joined at any point,
// cut off at any point, and made shorter by the client's own means.
import { isDeepStrictEqual } from "node:util";

import { compactEvents } from "@ag-ui/client";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { AgUiEvent, AgUiFrame } from "../../../protocol/dialects/ag-ui/wire/events.ts";
import { toAgUiMessages } from "../../../protocol/dialects/ag-ui/wire/messages.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { runs } from "../../support/breadth.ts";
import { agUiBody, inCallOrder, playAgUi, type Played } from "../../support/ag-ui-client.ts";
import { sessionTranslator, messagesOf, sharedStateOf } from "../../support/ag-ui-history.ts";
import { agUiSessionArbitrary } from "../../support/ag-ui-sessions.ts";
import { verifyAgUi } from "../../support/verify-ag-ui.ts";

/** The frames of a client that joins after the first `cut` events; from the start when that is 0. */
function read(log: readonly LoggedEvent[], cut = 0, end = log.length, isRaw = false): AgUiFrame[] {
  const shown = log.slice(0, end);
  const translator = sessionTranslator(shown, { isRaw });
  for (const event of shown.slice(0, cut)) translator.push(event);
  const joined = translator.join().map((event) => ({ seq: cut, k: 0, event }));
  const frames = shown.slice(cut).flatMap((event) => translator.push(event));
  return [...joined, ...frames, ...translator.flush()];
}

function eventsOf(frames: readonly AgUiFrame[]): AgUiEvent[] {
  return frames.map(({ event }) => event);
}

/** Expects what a client should have after the last of `frames`. */
function expectHeld(log: readonly LoggedEvent[], frames: readonly AgUiFrame[], played: Played) {
  const seen = log.filter(({ seq }) => seq <= (frames.at(-1)?.seq ?? 0));
  const stored = messagesOf(log).flatMap(toAgUiMessages);
  // A thought that was taken back may stay behind without its text: no snapshot takes the last one away.
  const held = played.messages.filter(
    ({ role, content }) => role !== "reasoning" || content !== "",
  );
  expect(inCallOrder(held)).toEqual(inCallOrder(stored));
  expect(played.state).toEqual(sharedStateOf(seen));
  expect(played.warnings).toEqual([]);
}

describe("a session", () => {
  it("is held by a client that reads it from the start, as it is stored", async () => {
    await fc.assert(
      fc.asyncProperty(agUiSessionArbitrary, async (log) => {
        const frames = read(log);
        expectHeld(log, frames, await playAgUi(agUiBody(eventsOf(frames))));
      }),
      { numRuns: runs(500) },
    );
  });

  it("is held the same by a client that joins at any point", async () => {
    await fc.assert(
      fc.asyncProperty(agUiSessionArbitrary, async (log) => {
        for (let cut = 2; cut <= log.length; cut += 1) {
          const frames = read(log, cut);
          expectHeld(log, frames, await playAgUi(agUiBody(eventsOf(frames))));
        }
      }),
      { numRuns: runs(20) },
    );
  });

  it("is a stream in the protocol's order, wherever it is cut off", async () => {
    await fc.assert(
      fc.asyncProperty(agUiSessionArbitrary, fc.boolean(), async (log, isRaw) => {
        const whole = read(log, 0, log.length, isRaw);
        await verifyAgUi(eventsOf(whole));
        for (let end = 1; end < log.length; end += 1) {
          const shown = read(log, 0, end, isRaw);
          // The beginning of what was checked needs no second check; what is said at its end does.
          const isBeginning = shown.every((frame, index) => isDeepStrictEqual(frame, whole[index]));
          if (!isBeginning) await verifyAgUi(eventsOf(shown));
        }
      }),
      { numRuns: runs(1_000) },
    );
  });

  it("is a stream in the protocol's order, wherever it is joined", async () => {
    await fc.assert(
      fc.asyncProperty(agUiSessionArbitrary, fc.boolean(), async (log, isRaw) => {
        for (let cut = 2; cut <= log.length; cut += 1) {
          await verifyAgUi(eventsOf(read(log, cut, log.length, isRaw)));
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it("gives the same messages and state when the client makes it shorter", async () => {
    await fc.assert(
      fc.asyncProperty(agUiSessionArbitrary, async (log) => {
        const events = eventsOf(read(log));
        const whole = await playAgUi(agUiBody(events));
        const short = await playAgUi(agUiBody(compactEvents(structuredClone(events) as never)));
        expect(short).toEqual(whole);
      }),
      { numRuns: runs(200) },
    );
  });

  it("has the same frames for a reader that goes on anywhere", () => {
    fc.assert(
      fc.property(agUiSessionArbitrary, fc.boolean(), (log, isRaw) => {
        const uncut = sessionTranslator(log, { isRaw });
        const frames = log.map((event) => uncut.push(event));
        let start = 0;
        for (const [index, event] of log.entries()) {
          if (event.type === "REPLY_START") start = index;
          const { reply_id } = event;
          if (reply_id === undefined) continue;
          const resumed = sessionTranslator(log, { isRaw });
          for (const earlier of log.slice(start, index + 1)) resumed.push(earlier);
          expect(log.slice(index + 1).map((later) => resumed.push(later))).toEqual(
            frames.slice(index + 1),
          );
        }
      }),
      { numRuns: runs(100) },
    );
  });

  it("has frames whose places only grow, and each but the log's own once", () => {
    fc.assert(
      fc.property(agUiSessionArbitrary, fc.boolean(), (log, isRaw) => {
        const frames = read(log, 0, log.length, isRaw);
        const places = frames.map(({ seq, k }) => [seq, k] as const);
        expect(places.toSorted(([a, b], [c, d]) => a - c || b - d)).toEqual(places);
        const own = frames.filter(({ event }) => event.type !== "RAW");
        expect(new Set(own.map(({ seq, k }) => `${seq}.${k}`)).size).toBe(own.length);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
