import type { TimerHandlers } from "./run-due-timers.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { expireDueCalls } from "../acts/events.ts";
import { interruptLeftReplies } from "../sessions/left-replies.ts";
import { condenseDueReplies } from "./condense-due-replies.ts";
import { sendDuePushes } from "../sessions/a2a-pushes.ts";
import { putOffListing } from "../sessions/session-listing.ts";
import { VOICE_TIMER } from "../tables/timers.ts";

export interface TimerWork {
  readonly env: Pick<Env, "WEBHOOK_QUEUE">;
  /** Keeps the object awake for work that is too long for an alarm. */
  readonly inBackground: (work: Promise<void>) => void;
  /** Checks whether D1 lists the session. */
  readonly settleListing: () => Promise<void>;
  /** Closes WebSockets whose credential has expired; sets its timer before it waits for anything. */
  readonly settleSockets: () => Promise<void>;
}

/** The handlers of an open session's timers. */
export function sessionTimers(
  session: OpenSession,
  { env, inBackground, settleListing, settleSockets }: TimerWork,
): TimerHandlers {
  return {
    watch: () => inBackground(session.queue.runWatchdog()),
    expiry: (isSpent) => (isSpent ? giveUpDueCalls(session) : expireDueCalls(session)),
    listing: () => {
      putOffListing(session.tables.timers, session.init);
      inBackground(settleListing());
    },
    observed: () => session.observeHooks.retry(),
    task: () => inBackground(session.runner.tasks.lookAtDue()),
    children: () => inBackground(session.runner.children.lookAtDue()),
    compress: (isSpent) => session.compression.onTimer(isSpent),
    left: (isSpent) => interruptLeftReplies(session, isSpent, inBackground),
    background: () => session.background.onTimer(),
    remember: (isSpent) => session.recording.onTimer(isSpent),
    push: () => sendDuePushes(session, { env, inBackground }),
    socket: () => inBackground(settleSockets()),
    voice: () => {
      session.tables.timers.clear(VOICE_TIMER);
      session.spoken.onTimer();
    },
    condense: () => inBackground(condenseDueReplies(session)),
  };
}

/** Ends the reply when expiring its calls fails each time. */
function giveUpDueCalls(session: OpenSession): void {
  session.runner.giveUp();
  const { timers } = session.tables;
  for (const timer of timers.due(Date.now())) if (timer.kind === "expiry") timers.clear(timer);
}
