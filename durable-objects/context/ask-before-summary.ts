// The hooks before a model call, of a summary that is made between replies.
import type { ModelRequest } from "../../agent/ports.ts";
import type { Refusal } from "../../protocol/errors.ts";
import { registeredHooks } from "../settings/registered-hooks.ts";
import { askBeforeCall, type HookNetwork } from "./ask-before-call.ts";
import type { CompressionSession } from "./compression-session.ts";

/** As a reply is asked about that would begin now. Each answer is appended at once. @returns as {@link askBeforeCall}. */
export function askBeforeSummary(
  session: CompressionSession,
  request: ModelRequest,
  network: HookNetwork,
  stop: AbortSignal,
): Promise<Refusal | null> {
  const { init, log, newId } = session;
  const { session_id, end_user_id } = init;
  return askBeforeCall(registeredHooks(init), request, {
    makes: "summary",
    network,
    scope: { session_id, end_user_id, newId, stop },
    take: ({ events }) => {
      if (log.isClosed) return false;
      log.append(events, { isLast: !session.isActing });
      return true;
    },
  });
}
