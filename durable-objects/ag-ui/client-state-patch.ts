// The shared state that an AG-UI client sends with each run. It changes the session's state only if the client had its
// newest version.
import { applyPatch } from "../../agent/json/apply-patch.ts";
import { isSameJson } from "../../agent/json/is-same-json.ts";
import { toAgUiMessages } from "../../protocol/dialects/ag-ui/wire/messages.ts";
import type { RunInput } from "../../protocol/dialects/ag-ui/input/run-input.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { PatchOperation } from "../../protocol/json-patch.ts";
import { newestReply } from "../sessions/newest-reply.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { schemaInUse } from "../acts/shared-state.ts";

/**
 * The valid change that the run makes; null for none. The state of a client that has not seen the newest reply, or a
 * change since, is ignored: the run sends it the current state.
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
  // A reply without content is recognised by its input.
  return inputOf(session, newest.id).some((id) => messageIds.includes(id));
}

/**
 * The ids of the reply's last text or calls and of the results after them: a client that has these has seen the changes
 * that the reply's tools made; one that was disconnected before has not.
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
