// The session's state in a reply's events, beside its messages: the shared state and the plan.
import type { EventOf } from "../../events.ts";
import type { AgUiEvent } from "./wire/events.ts";
import type { AgUiHistory } from "./history.ts";
import { ReplyPlan } from "./reply-plan.ts";
import { ReplySharedState } from "./reply-shared-state.ts";

export class ReplyStates {
  readonly #shared: ReplySharedState;
  readonly #plan = new ReplyPlan();

  constructor(start: EventOf<"REPLY_START">, history: AgUiHistory) {
    this.#shared = new ReplySharedState(start, history);
  }

  /** The events of a change; a `CUSTOM` for everything else. */
  push(event: EventOf<"CUSTOM">): readonly AgUiEvent[] {
    const changed = this.#shared.push(event);
    if (changed) return [changed];
    const { name, value } = event;
    return this.#plan.push(event) ?? [{ type: "CUSTOM", name, value }];
  }

  /** `STATE_SNAPSHOT`; empty while there is no state. */
  snapshot(): readonly AgUiEvent[] {
    return this.#shared.snapshot();
  }

  /** `ACTIVITY_SNAPSHOT`; empty while there is no plan. After the messages, of which an activity is one. */
  activities(): readonly AgUiEvent[] {
    return this.#plan.snapshot();
  }
}
