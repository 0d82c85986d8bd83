// Follows a run of AG-UI that its thread does not take: into a fork of it, which is made where the run branches off.
import { runPlaceOf, type RunPlace } from "../../durable-objects/api/run-place.ts";
import type { Refusal } from "../../protocol/errors.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { requireScope } from "../auth/require-scope.ts";
import { shareMedia } from "../sessions/share-media.ts";
import { HttpError, notFound, unwrap } from "../http-error.ts";
import { tenantOf } from "../principal.ts";
import { forkSession } from "../sessions/fork-session.ts";
import { sessionStub, type SessionStub } from "../objects/session-stub.ts";
import type { RunWish } from "./start-run.ts";
import { forkIdOf, type ThreadSession } from "./thread-session.ts";

interface FollowedRun {
  readonly thread: ThreadSession;
  readonly wish: RunWish;
}

/**
 * The place at which the run is to be asked for next; null for a refusal of another kind. Every step is found again by
 * a request that is repeated: a fork's id follows from the run, and the thread keeps the fork before the run begins in
 * it.
 * @throws HttpError 403 without the rights to fork the session, and as {@link forkSession}; 404 for a client token,
 * which is one session's, and for a fork that was deleted.
 */
export async function followRun(
  context: AppContext,
  thread: ThreadSession,
  wish: RunWish,
  refusal: Refusal,
): Promise<FollowedRun | null> {
  const place = runPlaceOf(refusal);
  if (!place) return null;
  const stub = sessionStub(context.env, tenantOf(context), thread.session_id);
  if (place.type === "unknown") return askForks(context, { stub, thread, wish, place });
  if (place.type === "session") {
    // A client token was given for this session alone.
    if (context.get("principal").kind !== "tenant") throw notFound("session");
    return onFork(context, { thread, wish }, place.session_id, place.is_branch);
  }
  const fork = await makeFork(context, stub, wish, place.at);
  return onFork(context, { thread, wish }, fork, true);
}

async function makeFork(
  context: AppContext,
  stub: SessionStub,
  { mark: { run_id } }: RunWish,
  at: string,
): Promise<string> {
  requireScope(context, "sessions:write", "a run that branches from an older one");
  const source = unwrap(await stub.act("readForkSource", at));
  const session_id = await forkIdOf(context, source.init, run_id);
  const { sessions } = tenantStorage(context.env.DB, tenantOf(context));
  if (await sessions.findRemoval(session_id)) {
    throw new HttpError("conflict", "the run's fork is being erased; branch with another run");
  }
  await forkSession(context, { source, session_id });
  return unwrap(await stub.act("keepForkedRun", { run_id, session_id }));
}

/** The parent may have run in a fork under the fork's own name. */
async function askForks(
  context: AppContext,
  {
    stub,
    thread,
    wish,
    place,
  }: FollowedRun & {
    readonly stub: SessionStub;
    readonly place: Extract<RunPlace, { type: "unknown" }>;
  },
): Promise<FollowedRun> {
  const { run_id, parent_run_id = "" } = wish.mark;
  const isTenant = context.get("principal").kind === "tenant";
  const answers = await Promise.all(
    (isTenant ? place.session_ids : []).map(async (session_id) => {
      const known = await sessionStub(context.env, tenantOf(context), session_id).act(
        "knowsRun",
        parent_run_id,
      );
      return known.ok && known.value ? [session_id] : [];
    }),
  );
  const [found] = answers.flat();
  if (found === undefined) return { thread, wish: { ...wish, is_parent_unknown: true } };
  const fork = unwrap(await stub.act("keepForkedRun", { run_id, session_id: found }));
  return onFork(context, { thread, wish }, fork, false);
}

/**
 * @param isBranch The state of its client is the thread's, not that of the place where the fork begins: it changes
 *   nothing, and the run begins with the fork's.
 */
async function onFork(
  context: AppContext,
  { thread, wish }: FollowedRun,
  session_id: string,
  isBranch: boolean,
): Promise<FollowedRun> {
  const { messages, results, resume } = wish.input;
  const places = { from: thread.session_id, to: session_id };
  await shareMedia(context, places, { messages, results, resume });
  const { run_id, parent_run_id } = wish.mark;
  const { is_parent_unknown: _, ...kept } = wish;
  return {
    thread: { session_id, is_named: false },
    wish: {
      ...kept,
      mark: { run_id, ...(parent_run_id !== undefined && { parent_run_id }) },
      input: isBranch ? { ...wish.input, state: null } : wish.input,
    },
  };
}
