// What the tenancy suite knows of one route.
import type { World } from "./world.ts";

export interface Place {
  /** Such as `body agent_id`. */
  readonly where: string;
  /** What stands there when the id is the owner's. */
  readonly id: (world: World) => string;
  readonly body?: (id: string) => object;
  readonly query?: (id: string) => string;
  /** What anybody else gets for that id, and for one that never was. */
  readonly refused: number;
  /** What a text that has not the form of such an id gets, where it is good for something else. */
  readonly unlike?: readonly number[];
}

export interface Row {
  /** What the owner gets; the body of the answer then holds the owner's word or, with `isSilent`, need not. */
  readonly answers: number;
  readonly isSilent?: true;
  readonly body?: (world: World) => object;
  readonly query?: (world: World) => string;
  readonly places?: readonly Place[];
}
