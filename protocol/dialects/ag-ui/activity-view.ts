import type { EventOf } from "../../events.ts";
import type { AgUiEvent } from "./wire/events.ts";

/** An activity of AG-UI, or a change of one. */
export type ShownActivity = Extract<
  AgUiEvent,
  { readonly type: "ACTIVITY_SNAPSHOT" | "ACTIVITY_DELTA" }
>;

/**
 * The activities by which AG-UI's readers are shown the state of an ability: a fold of the `CUSTOM` events of a reply, and
 * of those that come beside it. Pure, so that every reader has the same frames.
 */
export interface ActivityView<Shown> {
  /** Before the reply's first event. An ability whose state is older tells it in an event of its `begin`. */
  readonly initial: Shown;
  /** Null for an event of something else. */
  change(
    shown: Shown,
    event: EventOf<"CUSTOM">,
  ): { readonly shown: Shown; readonly events: readonly ShownActivity[] } | null;
  /** The whole, for a run that begins and for a reader that joins; empty while there is nothing to show. */
  show(shown: Shown): readonly ShownActivity[];
}
