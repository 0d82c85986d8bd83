// Acts on a session's whole conversation: observe messages, fork, export and import its state.
import { vouchedContent } from "../../agent/permission/vouched-content.ts";
import type { ActValue } from "../../durable-objects/acts/acts-api.ts";
import { ForkCreateSchema } from "../../protocol/sessions/fork.ts";
import { RestoreSchema, StateQuerySchema } from "../../protocol/sessions/restore.ts";
import { ObserveSchema } from "../../protocol/sessions/observe.ts";
import type { AgentStateInput } from "../../protocol/sessions/session-state.ts";
import { AgentStateInputSchema } from "../../protocol/sessions/session-state.ts";
import { StrictQuerySchema } from "../../protocol/schemas/write-query.ts";
import type { Result } from "../../protocol/errors.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { audited } from "../audit/audit.ts";
import { mediaPlace } from "../files/media-place.ts";
import { settleMedia } from "../files/settle-media.ts";
import { shownSession } from "./shown-reply.ts";
import { fieldError, unwrap } from "../http-error.ts";
import { actOnSession, tryActOnSession } from "./act-on-session.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId } from "../new-id.ts";
import { normalizeObserveBody, normalizeStateBody } from "../requests/normalize-input.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery } from "../requests/read-query.ts";
import { forkSession } from "./fork-session.ts";
import { readSession } from "./read-session.ts";
import { wantedVersions } from "../requests/wanted-versions.ts";
import { requireBypass } from "../auth/require-bypass.ts";
import { refuseInRoom } from "./refuse-in-room.ts";
import { requireScope } from "../auth/require-scope.ts";
import { pathSessionStub } from "../objects/path-session-stub.ts";
import { splitTold } from "./told-hints.ts";

type StateImport = ActValue<"importState">;
type RunImport = () => Promise<Result<StateImport>>;

const observe: RouteHandler = async (context) => {
  const { messages, events } = await readBody(context, ObserveSchema, normalizeObserveBody);
  const place = mediaPlace(context, pathId(context, "session_id"));
  const settled =
    messages === undefined ? undefined : await settleMedia(context, place, messages, "#/messages");
  const told = splitTold(settled, await settleMedia(context, place, events ?? [], "#/events"));
  const observed =
    told.events.length > 0 || told.messages === undefined
      ? await actOnSession(context, "tell", told)
      : await actOnSession(context, "observe", told.messages);
  return context.json(observed, 201);
};

const fork: RouteHandler = async (context) => {
  const { strict: is_strict } = readQuery(context, StrictQuerySchema);
  const { at, ...changes } = await readBody(context, ForkCreateSchema);
  await refuseInRoom(context, pathId(context, "session_id"));
  const source = await actOnSession(context, "readForkSource", at);
  const session_id = newId("ses");
  const forked = await forkSession(context, { source, session_id, changes, is_strict });
  const { warnings, ...session } = forked;
  const shown = {
    ...shownSession(context.get("principal"), session),
    ...(warnings && { warnings }),
  };
  return context.json(shown, 201, { Location: `/v1/sessions/${session.id}` });
};

const readState: RouteHandler = async (context) => {
  requireScope(context, "permission_rules:read", "a state shows the session's rules: reading it");
  return unwrap(await readSession(context, pathSessionStub(context), { what: "state" }));
};

const writeState: RouteHandler = async (context) => {
  const { replace } = readQuery(context, StateQuerySchema);
  const if_cursors = wantedVersions(context.req.header("If-Match"));
  if (if_cursors && !replace) {
    const detail = "`If-Match` is of a state that takes the place of another one: `?replace=true`";
    throw fieldError("validation_failed", "#/headers/if-match", detail);
  }
  // The answer shows what stays of a session that was used.
  if (replace) {
    requireScope(context, "sessions:read", "replacing a state shows the session's: it");
    requireScope(
      context,
      "permission_rules:read",
      "a state shows the session's rules: replacing it",
    );
  }
  const state = await readBody(context, AgentStateInputSchema, normalizeStateBody);
  const { permission_context, summary } = state;
  const place = mediaPlace(context, pathId(context, "session_id"));
  const settled = await settleMedia(context, place, { summary, context: state.context }, "#");
  const input = { ...state, ...settled };
  const run = importVouched(context, state, () =>
    replace
      ? tryActOnSession(context, "replaceState", { state: input, if_cursors })
      : tryActOnSession(context, "importState", input),
  );
  const permission = permission_context && { ...permission_context, ...(replace && { replace }) };
  unwrap(await (permission ? importPermission(context, permission, run) : run()));
  return unwrap(await readSession(context, pathSessionStub(context), { what: "state" }));
};

const restore: RouteHandler = async (context) => {
  const if_cursors = wantedVersions(context.req.header("If-Match"));
  const { cursor } = await readBody(context, RestoreSchema);
  return context.json(await actOnSession(context, "restore", { cursor, if_cursors }));
};

/** An import that vouches for what tools have said takes the question from calls of sinks. */
function importVouched(context: AppContext, state: AgentStateInput, run: RunImport): RunImport {
  const after = vouchedContent(state);
  if (after === null) return run;
  const target = pathId(context, "session_id");
  const act = { action: "session.content_vouched", target, after } as const;
  return () => audited(context, act, run, ({ is_imported }) => is_imported);
}

/** Values that are in force already are no change of the permission settings. */
async function importPermission(
  context: AppContext,
  {
    mode,
    working_directories,
    ...rules
  }: NonNullable<AgentStateInput["permission_context"]> & { readonly replace?: boolean },
  run: RunImport,
): Promise<Result<StateImport>> {
  const session = await actOnSession(context, "read");
  requireBypass(context, mode, session.permission.mode);
  const act = {
    action: "session.permission_changed",
    target: session.id,
    before: { mode: session.permission.mode, working_directories: session.working_directories },
    after: { mode, working_directories: Object.keys(working_directories), ...rules },
  } as const;
  return audited(context, act, run, ({ is_permission_changed }) => is_permission_changed);
}

export const conversationRoutes = {
  observe,
  forkSession: fork,
  readState,
  writeState,
  restoreSession: restore,
};
