// One attack on availability: what somebody sends, or answers, so that everybody else has to wait.
import type { Reprise } from "../peers/reprise.ts";
import type { AttackingTenant } from "./attacking-tenant.ts";

export interface AttackPlace {
  readonly reprise: Reprise;
  /** The tenant that attacks, or whose end user does. */
  readonly attacker: AttackingTenant;
  /** A tool server of the attacker's: it answers with metadata that is nested far too deep. */
  readonly deepToolUrl: string;
}

export interface Attack {
  readonly name: string;
  /** Makes what the attack needs. @returns the attack itself: it resolves when the platform is through with it. */
  readonly prepare: (place: AttackPlace) => Promise<() => Promise<void>>;
}
