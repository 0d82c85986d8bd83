// Snapshots of abilities' states: read for a fork or an export, and appended as the first events of a fork or an
// import.
import { FOLDED_EVENTS_A_SLICE } from "../../protocol/shared-state/limits.ts";
import type { AbilityFold } from "../../agent/ability.ts";
import { advanceFold, readsType } from "../../agent/advance-fold.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { isSameJson } from "../../agent/json/is-same-json.ts";
import { ABILITY_STATE, type AbilityStateValue } from "../../protocol/ability-state.ts";
import type { EventDraft, LoggedEvent } from "../../protocol/events.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import type { SessionLog } from "../log/session-log.ts";
import type { SessionTables } from "../tables/session-tables.ts";

interface StatesSource {
  readonly log: SessionLog;
  readonly tables: Pick<SessionTables, "abilities">;
}

/**
 * All states that are not initial. @param position A seq on disk: the states as they were there; without it, the
 * current ones. Cost: for states that have changed since, one pass over the log up to the position, in time slices.
 */
export async function abilityStatesAt(
  { log, tables }: StatesSource,
  position = Infinity,
): Promise<readonly AbilityStateValue[]> {
  const { abilities } = tables;
  // Before anything is waited for: those that are as they were there may change meanwhile.
  const states = new Map(
    abilities.folds.map((fold) => [fold, unchangedSince(abilities, fold, position)]),
  );
  const past = await foldUpTo(
    log,
    abilities.folds.filter((fold) => states.get(fold) === null),
    position,
  );
  return [...states].flatMap(([fold, kept]) => {
    const state = kept ? kept.state : past.get(fold);
    return state === fold.initial ? [] : [{ ability: fold.name, state }];
  });
}

/** Null for a state that has changed since, and for one that cannot be read: the log has both. */
function unchangedSince(
  abilities: SessionTables["abilities"],
  fold: AbilityFold<unknown>,
  position: number,
): { readonly state: unknown } | null {
  try {
    return abilities.changedAt(fold) > position ? null : { state: abilities.read(fold) };
  } catch (error) {
    console.error("an ability's state cannot be read", { ability: fold.name, error });
    return null;
  }
}

async function foldUpTo(
  log: SessionLog,
  folds: readonly AbilityFold<unknown>[],
  position: number,
): Promise<ReadonlyMap<AbilityFold<unknown>, unknown>> {
  const states = new Map(folds.map((fold) => [fold, fold.initial]));
  if (folds.length === 0) return states;
  let sliceStart = 0;
  for (const event of log.marks(0)) {
    if (event.seq > position || log.isClosed) break;
    for (const [fold, state] of states) states.set(fold, foldedOrSame(fold, state, event));
    // Counted in seqs: deltas are read to be passed over, and are nearly all of a log.
    if (event.seq - sliceStart < FOLDED_EVENTS_A_SLICE) continue;
    sliceStart = event.seq;
    await timeSlice();
  }
  return states;
}

/**
 * Ignores an event of a damaged log that cannot be folded, so that the rest of the conversation can still be copied.
 */
function foldedOrSame(fold: AbilityFold<unknown>, state: unknown, event: LoggedEvent): unknown {
  if (!readsType(fold, event.type)) return state;
  try {
    return advanceFold(fold, state, event);
  } catch (error) {
    console.error("an event does not fit an ability's state", { ability: fold.name, error });
    return state;
  }
}

/** The snapshot events of a fork. @param states The states of its source. */
export function forkedSnapshots(
  { folds }: SessionTables["abilities"],
  states: readonly AbilityStateValue[],
): readonly EventDraft[] {
  return folds.flatMap((fold) => {
    const found = states.find(({ ability }) => ability === fold.name);
    if (!found) return [];
    return snapshotOf(fold, fold.adopt ? fold.adopt(found.state) : found.state);
  });
}

/**
 * The snapshot events of an imported state, for abilities that can validate it (`adopt`) and whose state is still
 * initial.
 * @param given Any JSON: states by the ability's name. @param agent Of the session.
 */
export function importedSnapshots(
  abilities: SessionTables["abilities"],
  given: unknown,
  agent: AgentDefinition,
): readonly EventDraft[] {
  if (typeof given !== "object" || given === null) return [];
  const states = new Map(Object.entries(given));
  return abilities.folds.flatMap((fold) => {
    if (!fold.adopt || abilities.changedAt(fold) > 0 || !states.has(fold.name)) return [];
    return snapshotOf(fold, fold.adopt(states.get(fold.name), agent));
  });
}

function snapshotOf(fold: AbilityFold<unknown>, state: unknown): readonly EventDraft[] {
  if (state === null || isSameJson(state, fold.initial)) return [];
  const value = { ability: fold.name, state };
  return [{ type: "CUSTOM", name: ABILITY_STATE, value }];
}
