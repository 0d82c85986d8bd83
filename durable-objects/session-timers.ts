import type { TimerHandlers } from "./due-timers.ts";
import type { OpenSession } from "./open-session.ts";
import { expireDueCalls } from "./post-event.ts";
import { putOffListing } from "./session-listing.ts";

export interface TimerWork {
  /** Keeps the object awake for what takes longer than an alarm should. */
  readonly inBackground: (work: Promise<void>) => void;
  /** Finds out whether D1 lists the session. */
  readonly settleListing: () => Promise<void>;
}

/** What is done in a session that exists when a timer of it is due. */
export function sessionTimers(
  session: OpenSession,
  { inBackground, settleListing }: TimerWork,
): TimerHandlers {
  return {
    watch: () => inBackground(session.watch()),
    expiry: () => expireDueCalls(session),
    listing: () => {
      putOffListing(session.tables.timers, session.init);
      inBackground(settleListing());
    },
  };
}
