import { VOICE_OPENED } from "../../protocol/voice/events.ts";
import { decidedBy } from "../acts/confirmations.ts";
import type { Actor } from "../api/session-api.ts";
import { admitBytes } from "../sessions/admit-bytes.ts";
import type { OpenSession } from "../sessions/open-session.ts";

/** Notes in the log of who speaks from there on, in the order in which the connections have started. */
export class OpenedNotes {
  #last: Promise<void> = Promise.resolve();

  /** Contract: never rejects. */
  add(session: OpenSession, actor: Actor): Promise<void> {
    this.#last = this.#last.then(() => noteOpened(session, actor));
    return this.#last;
  }
}

/** Without room for it nothing is written: no reply begins then, so that nobody is answered. */
async function noteOpened(session: OpenSession, actor: Actor): Promise<void> {
  const value = {};
  const metadata = { opened_by: decidedBy(actor) };
  try {
    const admitted = await admitBytes(session, metadata, actor.share);
    if (!admitted.ok || session.log.isClosed) return;
    session.log.append([{ type: "CUSTOM", name: VOICE_OPENED, value, metadata }], {
      isLast: !session.isActing,
    });
  } catch (error) {
    console.error("the log does not say who speaks", { error: String(error) });
  }
}
