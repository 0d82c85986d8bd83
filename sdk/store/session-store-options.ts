import type { SessionSignals } from "./session-signals.ts";
import type { UnsentStorage } from "./unsent-storage.ts";

export interface SessionStoreOptions {
  /** Messages of the first page and of each older one; default 20, at most 100. */
  readonly pageSize?: number;
  /** Storage in which unsent messages survive a reload; default the tab's `sessionStorage`, null for none. */
  readonly storage?: UnsentStorage | null;
  /** Default: those of a web page. */
  readonly signals?: SessionSignals;
  /** Called with the function that tells the subscribers of a change; default: with the next frame of the screen. */
  readonly schedule?: (tell: () => void) => void;
}
