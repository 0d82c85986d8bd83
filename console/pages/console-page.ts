import type { LucideIcon } from "lucide-react";
import type { ComponentType, FunctionComponent } from "react";

import type { Right } from "../access/access-context.ts";

/** A page of the console, as the list of them has it. */
export interface ConsolePage {
  /** Path below `/console` or `/operator`; parameters begin with `$`. */
  readonly path: `/${string}`;
  /** Entry in the navigation; left out for pages that others lead to. */
  readonly entry?: {
    readonly label: string;
    readonly icon: LucideIcon;
    readonly group: string;
    /** A number beside the label. */
    readonly Count?: ComponentType;
  };
  /**
   * Scope, in the operator's console its right, without which the page shows nothing: its entry is left out then, and its
   * address says so.
   */
  readonly scope?: Right;
  /** Code of the page, loaded when it is opened. */
  readonly load: () => Promise<FunctionComponent>;
}
