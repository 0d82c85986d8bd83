// The activities that services tell, for readers of AG-UI.
import type { EventOf } from "../../events.ts";
import type { PatchOperation } from "../../json-patch.ts";
import {
  ACTIVITY_DELTA,
  ACTIVITY_SNAPSHOT,
  TOLD_BY,
  type ToldActivity,
  type ToldActivityChange,
} from "../../told/events.ts";
import {
  MAX_TOLD_ACTIVITIES,
  MAX_TOLD_ACTIVITY_CHANGE_CHARACTERS,
  MAX_TOLD_ACTIVITY_CHANGES,
} from "../../told/limits.ts";
import type { ActivityView, ShownActivity } from "./activity-view.ts";

/** An activity, and the patches since: readers apply them, so nothing here has to. */
interface KnownActivity {
  readonly snapshot: ToldActivity;
  readonly patches: readonly (readonly PatchOperation[])[];
  /** UTF-16 units of the patches as JSON. */
  readonly characters: number;
}

type Known = ReadonlyMap<string, KnownActivity>;

const NOTHING = { events: [] } as const;

/** Activities by their ids, the one told about last at the end. */
export const TOLD_ACTIVITIES: ActivityView<Known> = {
  initial: new Map(),
  change(shown, event) {
    // The platform writes this mark alone: the value has the form that was checked before.
    if (event.metadata[TOLD_BY] === undefined) return null;
    if (event.name === ACTIVITY_SNAPSHOT) return begin(shown, event);
    if (event.name === ACTIVITY_DELTA) return changeOne(shown, event);
    return null;
  },
  show: (shown) => [...shown.values()].flatMap(framesOf),
};

function begin(shown: Known, { value }: EventOf<"CUSTOM">) {
  const snapshot = value as unknown as ToldActivity;
  const { message_id } = snapshot;
  if (!snapshot.replace && shown.has(message_id)) return { shown, ...NOTHING };
  const next = new Map(shown);
  next.delete(message_id);
  const activity = { snapshot, patches: [], characters: 0 };
  next.set(message_id, activity);
  for (const id of next.keys()) {
    if (next.size <= MAX_TOLD_ACTIVITIES) break;
    next.delete(id);
  }
  return { shown: next, events: framesOf(activity) };
}

/** A change of what readers do not have, or have with another type, is nothing to them. */
function changeOne(shown: Known, { value }: EventOf<"CUSTOM">) {
  const { message_id, activity_type, patch } = value as unknown as ToldActivityChange;
  const known = shown.get(message_id);
  const isOf = known?.snapshot.activity_type === activity_type;
  if (!known || !isOf || known.patches.length >= MAX_TOLD_ACTIVITY_CHANGES) {
    return { shown, ...NOTHING };
  }
  const added = JSON.stringify(patch).length;
  const kept = [...shown.values()].reduce((sum, { characters }) => sum + characters, added);
  if (kept > MAX_TOLD_ACTIVITY_CHANGE_CHARACTERS) return { shown, ...NOTHING };
  const next = new Map(shown);
  const characters = known.characters + added;
  next.set(message_id, { ...known, patches: [...known.patches, patch], characters });
  return { shown: next, events: [deltaOf(known.snapshot, patch)] };
}

function framesOf({ snapshot, patches }: KnownActivity): readonly ShownActivity[] {
  const { content } = snapshot;
  const begun: ShownActivity = { type: "ACTIVITY_SNAPSHOT", ...headOf(snapshot), content };
  return [begun, ...patches.map((patch) => deltaOf(snapshot, patch))];
}

function deltaOf(snapshot: ToldActivity, patch: readonly PatchOperation[]): ShownActivity {
  return { type: "ACTIVITY_DELTA", ...headOf(snapshot), patch };
}

/** Ids of their own, so that none of them takes the place of a message, a block or another activity. */
function headOf({ message_id, activity_type }: ToldActivity) {
  return { messageId: `told:${message_id}`, activityType: activity_type };
}
