// The tenancy suite's facts about one route.
import type { World } from "./world.ts";

export interface Place {
  /** Such as `body agent_id`. */
  readonly where: string;
  /** The value that stands there when the id is the owner's. */
  readonly id: (world: World) => string;
  readonly body?: (id: string) => object;
  readonly query?: (id: string) => string;
  /** The status that anybody else gets for that id, and for one that never was. */
  readonly refused: number;
  /** Statuses for a text that has not the form of such an id, where it is good for something else. */
  readonly unlike?: readonly number[];
}

export interface Row {
  /** The owner's status; the body of the answer then holds the owner's word or, with `isSilent`, need not. */
  readonly answers: number;
  readonly isSilent?: true;
  readonly body?: (world: World) => object;
  readonly query?: (world: World) => string;
  readonly places?: readonly Place[];
}
