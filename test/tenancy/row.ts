// The tenancy suite's facts about one route: how its owner calls it, what it shows, and what it stores.
import type { Scope } from "../../protocol/keys/contract.ts";
import type { QuotaName } from "../../protocol/quotas/contract.ts";
import type { ROUTES } from "../../protocol/routes.ts";
import type { StoreChange } from "./stores.ts";
import type { Kind, World } from "./world.ts";

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

interface Shown {
  /** Scopes that the request needs beside that of the route. */
  readonly besides?: readonly Scope[];
  /** Kinds of texts of the tenant in the answer to a key without other scopes, but for those that were sent. */
  readonly shows: readonly Kind[];
  /** Kinds that are left out for such a key, and shown to one with every scope. */
  readonly hides?: readonly Kind[];
}

interface Stored {
  /** Places whose rows come (+), go (-) or are changed (~). */
  readonly stores: readonly StoreChange[];
  /** Quotas that refuse the request when they are used up, the first one that is met first. */
  readonly refusedBy?: readonly QuotaName[];
  /** Bounds of what grows beside the quotas, by its place: how many rows there can be. */
  readonly bounds?: Readonly<Record<string, number | string>>;
}

export interface Row extends Shown, Partial<Stored> {
  /** The owner's status; the body of the answer then holds the owner's word or, with `isSilent`, need not. */
  readonly answers: number;
  readonly isSilent?: true;
  readonly body?: (world: World) => object;
  readonly query?: (world: World) => string;
  readonly places?: readonly Place[];
}

/** Rows of some routes by their names. A route that writes says what it stores; one that reads stores nothing. */
export type ConceptRows = {
  readonly [One in (typeof ROUTES)[number] as One["name"]]?: One extends { readonly method: "GET" }
    ? Row
    : Row & Stored;
};
