import type { EventOf } from "../../events.ts";
import { stepLane } from "./lanes/lanes.ts";
import type { OpenLanes } from "./lanes/open-lanes.ts";
import type { AgUiEvent } from "./wire/events.ts";
import type { RunUsage } from "./runs/run-usage.ts";

/** The model calls of a reply, each of which is a step. */
export class ModelCalls {
  #count = 0;
  #model = "";

  begin({ model_name }: EventOf<"MODEL_CALL_START">, lanes: OpenLanes): readonly AgUiEvent[] {
    const closed = lanes.close("step", this.#step);
    this.#count += 1;
    this.#model = model_name;
    return [...closed, ...lanes.open("step", this.#step, stepLane(this.#step))];
  }

  /** Counts the tokens of a call that was completed. */
  end(event: EventOf<"MODEL_CALL_END">, lanes: OpenLanes, usage: RunUsage): readonly AgUiEvent[] {
    if (event.finished_reason === "completed") usage.add(this.#model, event);
    return lanes.close("step", this.#step);
  }

  get #step(): string {
    return `model_call:${this.#count}`;
  }
}
