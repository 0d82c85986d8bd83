// The shared state of a session's app and its agent: reads and changes by clients.
import { applyPatch } from "../../agent/json/apply-patch.ts";
import { isSameJson } from "../../agent/json/is-same-json.ts";
import { stateChange } from "../../agent/shared-state/update-shared-state.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import type { SharedState } from "../../protocol/shared-state/contract.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { JsonSchema } from "../../protocol/schemas/structured-output.ts";
import { SHARED_STATE_UPDATED } from "../../protocol/shared-state/events.ts";
import { admitBytes } from "../sessions/admit-bytes.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import type { StatePatch } from "../api/session-api.ts";
import { act } from "./act.ts";

const GONE = refuse("not_found", "there is no such session");

/** Resolves when the returned state is on disk. */
async function readSharedState({
  log,
  tables,
}: Pick<OpenSession, "log" | "tables">): Promise<Result<SharedState>> {
  const shown = { ...tables.sharedState.read(), cursor: log.lastSeq };
  await log.settled();
  return log.isClosed ? GONE : accept(shown);
}

/**
 * Applies the patch, all or nothing, also while a reply runs. There is no await between the read of the state and the
 * commit of its change, so that of concurrent changes by a client and a tool one is first and the other sees it.
 * @param share Binds an end user who sends it.
 */
async function patchSharedState(
  session: OpenSession,
  patch: StatePatch,
  share?: EndUserShareChange,
): Promise<Result<SharedState>> {
  if (session.log.isClosed) return GONE;
  const admitted = await admitBytes(session, patch.patch, share);
  if (!admitted.ok) return admitted;
  if (session.log.isClosed) return GONE;
  const changed = changeSharedState(session, patch);
  return changed.ok ? readSharedState(session) : changed;
}

/** Appends the change; the caller waits until it is on disk. */
export function changeSharedState(
  session: OpenSession,
  { patch, if_version }: StatePatch,
): Result<null> {
  const { log, tables } = session;
  const { state, version } = tables.sharedState.read();
  if (if_version && !if_version.includes(version)) {
    const detail = `the state is at version ${version}`;
    return refuse("version_mismatch", detail, { extensions: { version } });
  }
  const outcome = applyPatch(state, patch, schemaInUse(session));
  if (!outcome.ok) {
    const { code, detail, operation } = outcome;
    const pointer = operation === null ? "#" : `#/${operation}`;
    return refuse(code, detail, { errors: [{ pointer, detail }], extensions: { version } });
  }
  if (!isSameJson(state, outcome.state)) {
    const value = stateChange(patch, version + 1);
    log.append([{ type: "CUSTOM", name: SHARED_STATE_UPDATED, value: { ...value } }], {
      isLast: !session.isActing,
    });
  }
  return accept(null);
}

/** The state's schema for the open reply, whose model may change the state, too, or for the next one. */
export function schemaInUse({ openReply, settings }: OpenSession): JsonSchema | null {
  const { agent } = openReply ? settings.replyInit : settings.init;
  return agent.shared_state?.schema ?? null;
}

export const SHARED_STATE_ACTS = {
  readSharedState: act<void, SharedState>({ run: readSharedState }),

  /** All or nothing, also while a reply runs. Resolves when it is on disk. */
  patchSharedState: act<StatePatch, SharedState>({
    run: (session, patch, { actor }) => patchSharedState(session, patch, actor?.share),
  }),
} as const;
