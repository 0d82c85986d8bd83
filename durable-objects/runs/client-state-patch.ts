// The shared state as a client of AG-UI sends it with each run: a change only where it knew what it changes.
import { applyPatch } from "../../agent/json/apply-patch.ts";
import { isSameJson } from "../../agent/json/is-same-json.ts";
import { toAgUiMessages } from "../../protocol/dialects/ag-ui/wire/messages.ts";
import type { RunInput } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { PatchOperation } from "../../protocol/shared-state.ts";
import { newestReply } from "../reading/newest-reply.ts";
import type { OpenSession } from "../session/open-session.ts";
import { schemaInUse } from "../conversation/shared-state.ts";

/**
 * The change that the run brings, which may be applied; null for none. A client that has not seen the newest reply, or a
 * change since, is not asked: the run shows it the state as it is.
 */
export function clientStatePatch(
  session: OpenSession,
  { state, message_ids }: Pick<RunInput, "state" | "message_ids">,
): Result<readonly PatchOperation[] | null> {
  const before = session.tables.sharedState.read().state;
  if (!state || isSameJson(state, before) || !isUpToDate(session, message_ids)) return accept(null);
  const patch: readonly PatchOperation[] = [{ op: "replace", path: "", value: state }];
  const outcome = applyPatch(before, patch, schemaInUse(session));
  if (outcome.ok) return accept(patch);
  const { detail } = outcome;
  return refuse("state_invalid", detail, { errors: [{ pointer: "#/state", detail }] });
}

function isUpToDate(session: OpenSession, messageIds: readonly string[]): boolean {
  const newest = newestReply(session);
  if (!newest) return true;
  if (newest.end_seq === null || session.tables.sharedState.changedAt > newest.end_seq)
    return false;
  const last = lastShown(newest.message);
  if (last.length > 0) return last.every((id) => messageIds.includes(id));
  // One that came to nothing is known by what it was asked.
  return inputOf(session, newest.id).some((id) => messageIds.includes(id));
}

/**
 * The reply's last text or calls, and the results behind them: a client that has these has seen the changes that its
 * tools made; one that was disconnected before has not.
 */
function lastShown(message: Msg): readonly string[] {
  const shown = toAgUiMessages(message).filter(
    ({ role }) => role === "assistant" || role === "tool",
  );
  const start = shown.findLastIndex(({ role }) => role === "assistant");
  return shown.slice(Math.max(start, 0)).map(({ id }) => id);
}

function inputOf({ tables }: OpenSession, replyId: string): readonly string[] {
  const own = tables.messages.find(replyId);
  const position = own?.position ?? Infinity;
  return tables.messages.idsOfReply(replyId, position);
}
