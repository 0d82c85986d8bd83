// States of abilities as they were at an earlier position of the log, which is folded in time slices.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, onTestFinished, test, vi } from "vitest";

import type { AbilityFold } from "../../../agent/ability.ts";
import { abilityStatesAt } from "../../../durable-objects/sessions/ability-snapshots.ts";
import type { SessionLog } from "../../../durable-objects/log/session-log.ts";
import { AbilityStates } from "../../../durable-objects/tables/ability-states.ts";
import { migrate } from "../../../durable-objects/tables/schema.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import { FOLDED_EVENTS_A_SLICE } from "../../../protocol/shared-state/limits.ts";

function counts(name: string): AbilityFold<number> {
  return {
    name,
    initial: 0,
    reads: ["CUSTOM"],
    advance: (count, event) => (event.type === "CUSTOM" && event.name === name ? count + 1 : count),
  };
}

const FOLDS = [counts("one"), counts("two")] as const;

function event(name: string, seq: number): LoggedEvent {
  const stamp = { id: `evt_${seq}`, created_at: "2026-01-01T00:00:00", metadata: {} };
  return { ...stamp, type: "CUSTOM", name, value: {}, visibility: "user", seq };
}

/** @param seqs Of the log's events of the first fold; what is between them are deltas. */
function withStates(
  seqs: readonly number[],
  check: (source: { log: SessionLog; tables: { abilities: AbilityStates } }) => Promise<void>,
): Promise<void> {
  return runInDurableObject(env.SESSION.getByName(crypto.randomUUID()), async (_, { storage }) => {
    migrate(storage);
    const abilities = new AbilityStates(storage.sql, FOLDS as readonly AbilityFold<unknown>[]);
    const events = seqs.map((seq) => event("one", seq));
    abilities.record(events);
    const log = { isClosed: false, marks: () => events } as unknown as SessionLog;
    await check({ log, tables: { abilities } });
  });
}

test("what deltas cost to pass over counts too: others have their turn", async () => {
  const wait = vi.spyOn(scheduler, "wait");
  onTestFinished(() => wait.mockRestore());
  const seqs = Array.from({ length: 10 }, (_, index) => (index + 1) * FOLDED_EVENTS_A_SLICE);
  await withStates([...seqs, 1_000_000], async (source) => {
    expect(await abilityStatesAt(source, 999_999)).toEqual([{ ability: "one", state: 10 }]);
    expect(wait.mock.calls.length).toBeGreaterThanOrEqual(10);
  });
});

test("a state that changes while another one is folded is taken as it was", async () => {
  const seqs = Array.from({ length: 3 * FOLDED_EVENTS_A_SLICE }, (_, index) => index + 1);
  await withStates(seqs, async (source) => {
    const position = 2 * FOLDED_EVENTS_A_SLICE;
    const read = abilityStatesAt(source, position);
    source.tables.abilities.record([event("two", 3 * FOLDED_EVENTS_A_SLICE + 1)]);

    expect(await read).toEqual([{ ability: "one", state: position }]);
  });
});
