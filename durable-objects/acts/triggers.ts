// Acts of a trigger's object on a session that it has opened, which no request can ask for.
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { StartedRun, StartTriggered } from "../api/triggered-session-api.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { act } from "./act.ts";

async function readTriggered(session: OpenSession, messageId: string): Promise<Result<StartedRun>> {
  const replyId = session.findMessage(messageId)?.reply_id ?? null;
  if (replyId === null) return refuse("not_found", "no reply has begun with this message");
  const found = await session.queue.read(replyId, 0);
  if (!found.ok) return found;
  const { status, error } = found.value;
  return accept({ reply_id: replyId, status, error });
}

export const TRIGGER_ACTS = {
  /** Resolves when the reply has begun, or waits for its turn. The same message again is the same reply. */
  startTriggered: act<StartTriggered, StartedRun>({
    run: async (session, { message, mode }) => {
      const { id = "" } = message;
      const known = session.findMessage(id);
      // Another one has this session's open reply, which keeps the mode that it has.
      const isOther = session.init.permission?.mode !== mode;
      if (!known && isOther && !session.openReply) {
        session.settings.update({ permission: { mode } });
      }
      const started = await session.queue.start({ input: [message], on_busy: "queue" });
      return started.ok ? readTriggered(session, id) : started;
    },
  }),

  readTriggered: act<{ readonly message_id: string }, StartedRun>({
    run: (session, { message_id }) => readTriggered(session, message_id),
  }),
} as const;
