import type { ActOptions, ActPayload } from "../../durable-objects/acts/acts-api.ts";
import type { Actor, RunStart } from "../../durable-objects/api/session-api.ts";
import type { RefusedStart } from "../../durable-objects/api/start-request.ts";
import { VERB_SCOPES, type Verb, VerbSchema } from "../../protocol/client-tokens/contract.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { actorOf } from "../auth/actor.ts";
import type { AppContext } from "../app-env.ts";
import { createSession } from "../sessions/create-session.ts";
import { fieldError, HttpError, notFound } from "../http-error.ts";
import { verbMissing } from "../auth/verb-missing.ts";
import { type Principal, scopesOf, tenantOf } from "../principal.ts";
import { requireScope } from "../auth/require-scope.ts";
import { sessionStub } from "../objects/session-stub.ts";
import type { ThreadSession } from "./thread-session.ts";

export type RunWish = Pick<
  RunStart,
  "agent_id" | "mark" | "input" | "profile" | "is_parent_unknown"
>;

/** The call that asks the session's object to start the run. */
type StartCall<Answer> = (
  payload: ActPayload<"startRun">,
  options: ActOptions & { readonly actor: Actor },
) => Promise<Answer>;

/**
 * Starts the run in the thread's session, which is created if a named thread has none yet. The object is asked first,
 * so that a continued conversation needs no query of D1.
 * @throws HttpError when the session cannot be created, or the credential lacks rights.
 */
export async function startRun<Answer extends { readonly ok: true } | RefusedStart | null>(
  context: AppContext,
  thread: ThreadSession,
  request: RunWish,
  call: StartCall<Answer>,
): Promise<Answer> {
  const principal = context.get("principal");
  const isLarge = context.get("isLarge");
  const options = { actor: actorOf(principal), trace: context.get("trace"), isLarge };
  const start = { ...request, rights: rightsOf(principal) };
  // A client token belongs to an existing session and cannot create one.
  const is_listed = principal.kind === "client_token";
  // A large request is sent once: a thread without a session is opened before.
  if (isLarge) {
    await ensureThread(context, thread, request);
    await timeSlice();
  }
  let started = await call({ ...start, is_listed }, options);
  if (isMissing(started) && thread.is_named && principal.kind !== "client_token") {
    await openThread(context, thread, request);
    started = await call({ ...start, is_listed: true }, options);
  }
  if (!started || started.ok) return started;
  const { code, extensions } = started.refusal;
  if (code === "agent_mismatch") throw await agentMismatch(context, request.agent_id);
  const verb = VerbSchema.options.find(
    (one) => VERB_SCOPES[one] === extensions?.["required_scope"],
  );
  if (code === "insufficient_scope" && principal.kind === "client_token" && verb) {
    throw verbMissing([verb]);
  }
  return started;
}

/** The thread belongs to another agent than that in the path; `not_found` if the tenant has no agent with that id. */
export async function agentMismatch(context: AppContext, agentId: string): Promise<HttpError> {
  const agent = await tenantStorage(context.env.DB, tenantOf(context)).agents.read(agentId);
  if (!agent) return notFound("agent");
  return new HttpError("agent_mismatch", "the thread is a conversation with another agent");
}

function isMissing(started: { readonly ok: true } | RefusedStart | null): boolean {
  return started !== null && !started.ok && started.refusal.code === "not_found";
}

/** Opens the session of a named thread that has none yet. @throws HttpError as {@link startRun}. */
export async function ensureThread(
  context: AppContext,
  thread: ThreadSession,
  wish: Pick<RunWish, "agent_id" | "mark">,
): Promise<void> {
  if (!thread.is_named || context.get("principal").kind === "client_token") return;
  const stub = sessionStub(context.env, tenantOf(context), thread.session_id);
  const session = await stub.act("read");
  if (!session.ok && session.refusal.code === "not_found") await openThread(context, thread, wish);
}

/**
 * Gives a named thread that has no session yet its end user, and sees that one that is there has this one.
 * @throws HttpError 403 for other credentials than a key, 409 for a thread of another end user or of none.
 */
export async function claimThread(
  context: AppContext,
  thread: ThreadSession,
  wish: Pick<RunWish, "agent_id" | "mark"> & { readonly end_user_id: string },
): Promise<void> {
  if (await checkThreadOwner(context, thread, wish.end_user_id)) return;
  if (!thread.is_named) return;
  await openThread(context, thread, wish);
  await checkThreadOwner(context, thread, wish.end_user_id);
}

/**
 * Sees that a thread is this end user's. @returns whether it has a session.
 * @throws HttpError as {@link claimThread}
 */
export async function checkThreadOwner(
  context: AppContext,
  { session_id }: ThreadSession,
  endUserId: string,
): Promise<boolean> {
  if (context.get("principal").kind !== "tenant") {
    throw new HttpError("insufficient_scope", "only an API key says who a thread's end user is");
  }
  const session = await sessionStub(context.env, tenantOf(context), session_id).act("read");
  // Another refusal is that of the run itself.
  if (!session.ok) return session.refusal.code !== "not_found";
  if (session.value.end_user_id === endUserId) return true;
  const detail = "the thread has another end user, or none: its first run decides";
  throw fieldError("conflict", "#/query/end_user_id", detail);
}

async function openThread(
  context: AppContext,
  { session_id }: ThreadSession,
  {
    agent_id,
    mark,
    end_user_id,
  }: Pick<RunWish, "agent_id" | "mark"> & { readonly end_user_id?: string },
): Promise<void> {
  requireScope(context, "sessions:write", "a thread that has no session yet");
  const { agents, sessions } = tenantStorage(context.env.DB, tenantOf(context));
  const [agent, removal] = await Promise.all([
    agents.read(agent_id),
    sessions.findRemoval(session_id),
  ]);
  if (!agent) throw notFound("agent");
  if (removal) {
    throw new HttpError("conflict", "the thread's session is being erased; try again when it is");
  }
  await createSession(context, agent, {
    session_id,
    thread_id: mark.thread_id,
    ...(end_user_id !== undefined && { end_user_id }),
  });
}

function rightsOf(principal: Principal): RunStart["rights"] {
  return {
    may_confirm: may(principal, "confirm"),
    may_give_results: may(principal, "tool_result"),
  };
}

function may(principal: Principal, verb: Verb): boolean {
  return principal.kind === "client_token"
    ? principal.verbs.includes(verb)
    : scopesOf(principal).includes(VERB_SCOPES[verb]);
}
