// The plans of a session, read and written by clients.
import { mostSubtasks } from "../../agent/plans/most-subtasks.ts";
import { planEvent } from "../../agent/plans/plan-ability.ts";
import { planUpdate } from "../../agent/plans/change-plan.ts";
import { loosensAcceptance } from "../../agent/plans/loosens-acceptance.ts";
import { PLAN_FOLD } from "../../agent/plans/plan-fold.ts";
import { writtenPlan } from "../../agent/plans/write-plan.ts";
import type { PlanInput, SessionPlan } from "../../protocol/plans/contract.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import { accept, refuse, type Result } from "../../protocol/errors.ts";
import { admitBytes } from "../sessions/admit-bytes.ts";
import type { OpenSession } from "../sessions/open-session.ts";
import { eventPermissionContext } from "../settings/permission-context.ts";
import { act } from "./act.ts";

const GONE = refuse("not_found", "there is no such session");

export interface PlanPut {
  /** Null for none. */
  readonly plan: PlanInput | null;
  /** The version that it is written over; any when left out. */
  readonly if_version?: readonly number[] | undefined;
  /** Whether the credential may accept steps in place of a person who is asked. */
  readonly may_accept: boolean;
}

/** Resolves when what is returned is on disk. */
async function readPlan({
  log,
  tables,
}: Pick<OpenSession, "log" | "tables">): Promise<Result<SessionPlan>> {
  const { current, version, is_suspended, history } = tables.abilities.read(PLAN_FOLD);
  const shown = { plan: current, version, cursor: log.lastSeq, is_suspended, history };
  await log.settled();
  // A plan is JSON, which the answer's schema does not say is read-only.
  return log.isClosed ? GONE : accept(shown as SessionPlan);
}

/**
 * Writes the plan, also while a reply runs. There is no await between the read of the plan and the commit of its change,
 * so that of concurrent changes by a person and the model one is first and the other sees it.
 * @param share Binds an end user who sends it.
 */
async function writePlan(
  session: OpenSession,
  { plan, if_version, may_accept }: PlanPut,
  share?: EndUserShareChange,
): Promise<Result<SessionPlan>> {
  if (session.log.isClosed) return GONE;
  const admitted = plan === null ? accept(null) : await admitBytes(session, plan, share);
  if (!admitted.ok) return admitted;
  const { log, tables, settings, openReply } = session;
  if (log.isClosed) return GONE;
  const state = tables.abilities.read(PLAN_FOLD);
  const { version } = state;
  if (if_version && !if_version.includes(version)) {
    return refuse("version_mismatch", `the plan is at version ${version}`, {
      extensions: { version },
    });
  }
  const { agent } = openReply ? settings.replyInit : settings.init;
  if (!agent.plan) {
    return refuse("conflict", "the session's agent has no plans: give the agent a `plan`");
  }
  const now = new Date().toISOString();
  const written = writtenPlan(state, plan, { settings: agent.plan, now });
  if (!written.ok) return written;
  if (written.value) {
    if (!may_accept && loosensAcceptance(state, written.value.current)) {
      const detail =
        "this changes a step that a person has to accept; that needs the right to confirm";
      return refuse("insufficient_scope", detail, {
        extensions: { required_scope: "confirmations:write" },
      });
    }
    const made = planUpdate(state, written.value, { now, maxSubtasks: mostSubtasks(agent.plan) });
    if (!made.ok) {
      const errors = [{ pointer: "#/plan", detail: made.problem }];
      return refuse("validation_failed", made.problem, { errors });
    }
    const permission = eventPermissionContext({ ...settings.init, agent }, tables);
    log.append([planEvent(made.update, permission)], { isLast: !session.isActing });
  }
  return readPlan(session);
}

export const PLAN_ACTS = {
  readPlan: act<void, SessionPlan>({ run: readPlan }),

  /** The whole plan, also while a reply runs. Resolves when it is on disk. */
  writePlan: act<PlanPut, SessionPlan>({
    run: (session, put, { actor }) => writePlan(session, put, actor?.share),
  }),
} as const;
