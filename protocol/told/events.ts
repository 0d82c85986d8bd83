// Told events on the wire: the marks of who told them, and activities. No zod: translators are in clients.
import type { PatchOperation } from "../json-patch.ts";

/** The member of a told event's `metadata` that says who told it. Only the platform writes it. */
export const TOLD_BY = "told_by";

/** The one who has told an event. */
export interface Teller {
  readonly kind: "tenant" | "tool" | "hook";
  /** The tool's or the hook's name. */
  readonly name?: string;
}

/** The `name` of the `CUSTOM` event of an activity as a whole; its value is {@link ToldActivity}. */
export const ACTIVITY_SNAPSHOT = "activity_snapshot";

/** The `name` of the `CUSTOM` event that changes an activity; its value is {@link ToldActivityChange}. */
export const ACTIVITY_DELTA = "activity_delta";

interface OfActivity {
  readonly message_id: string;
  readonly activity_type: string;
}

export interface ToldActivity extends OfActivity {
  readonly content: Readonly<Record<string, unknown>>;
  /** False: it changes nothing where there is an activity with this id. */
  readonly replace: boolean;
}

export interface ToldActivityChange extends OfActivity {
  readonly patch: readonly PatchOperation[];
}
