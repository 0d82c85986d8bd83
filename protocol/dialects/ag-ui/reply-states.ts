// Events of a reply that change the session beside its messages: the shared state, and what abilities show.
import type { EventOf } from "../../events.ts";
import type { ActivityView } from "./activity-view.ts";
import type { AgUiEvent } from "./wire/events.ts";
import { TOLD_ACTIVITIES } from "./told-activities.ts";
import type { AgUiHistory } from "./history.ts";
import { ReplySharedState } from "./reply-shared-state.ts";

export class ReplyStates {
  readonly #shared: ReplySharedState;
  readonly #activities: readonly ReplyActivity[];

  constructor(start: EventOf<"REPLY_START">, history: AgUiHistory) {
    this.#shared = new ReplySharedState(start, history);
    this.#activities = [...history.activities, TOLD_ACTIVITIES].map((view) => ({
      view,
      shown: view.initial,
    }));
  }

  /** The events of a change; a `CUSTOM` for everything else. */
  push(event: EventOf<"CUSTOM">): readonly AgUiEvent[] {
    const changed = this.#shared.push(event);
    if (changed) return [changed];
    for (const activity of this.#activities) {
      const change = activity.view.change(activity.shown, event);
      if (!change) continue;
      activity.shown = change.shown;
      return change.events;
    }
    const { name, value } = event;
    return [{ type: "CUSTOM", name, value }];
  }

  /** `STATE_SNAPSHOT`; empty while there is no state. */
  snapshot(): readonly AgUiEvent[] {
    return this.#shared.snapshot();
  }

  /** After the messages, of which an activity is one. */
  activities(): readonly AgUiEvent[] {
    return this.#activities.flatMap(({ view, shown }) => view.show(shown));
  }
}

interface ReplyActivity {
  readonly view: ActivityView<unknown>;
  shown: unknown;
}
