import type {
  ConfirmationOutcome,
  ConfirmationsAnswer,
} from "../../protocol/confirmations/contract.ts";
import {
  ConfirmationListQuerySchema,
  ConfirmationsAnswerSchema,
} from "../../protocol/confirmations/contract.ts";
import type { EventReceipt } from "../../protocol/events/contract.ts";
import type { Refusal, Result } from "../../protocol/errors.ts";
import { refuse } from "../../protocol/errors.ts";
import { callInForm, formOf } from "../../protocol/dialects/message-forms.ts";
import { toProblem } from "../../protocol/problem.ts";
import { isId } from "../../protocol/ids.ts";
import {
  BULK_ANSWER_SESSIONS,
  MAX_BULK_MESSAGE_CHARACTERS,
} from "../../protocol/confirmations/limits.ts";
import { decodePendingPosition } from "../../storage/confirmations/pending-storage.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { actorOf } from "../auth/actor.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { authorizeEvent } from "../auth/authorize-event.ts";
import { mediaPlace } from "../files/media-place.ts";
import { settleMedia } from "../files/settle-media.ts";
import { refusalOfFailure } from "../handle-error.ts";
import { idempotencyOf } from "../sessions/idempotent-session.ts";
import { keepRepeatable } from "../requests/keep-answer.ts";
import { normalizeAnswersBody } from "../requests/normalize-input.ts";
import { tenantOf } from "../principal.ts";
import { readBody } from "../requests/read-body.ts";
import { badPageToken, readQuery } from "../requests/read-query.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { shownRefusal, shownReply } from "../sessions/shown-reply.ts";

type Answer = ConfirmationsAnswer["answers"][number];

const listConfirmations: RouteHandler = async (context) => {
  const { page, format, ...request } = readQuery(context, ConfirmationListQuerySchema);
  const after = page === undefined ? undefined : decodePendingPosition(page);
  if (after === null) throw badPageToken();
  const { pending } = tenantStorage(context.env.DB, tenantOf(context));
  const waiting = await pending.list({ ...request, after });
  const form = formOf(format);
  return context.json({ ...waiting, data: waiting.data.map((call) => callInForm(call, form)) });
};

/** All events are authorized before any is executed; then each answer succeeds or fails on its own. */
const answerConfirmations: RouteHandler = async (context) => {
  const { answers } = await readBody(context, ConfirmationsAnswerSchema, normalizeAnswersBody);
  const principal = context.get("principal");
  for (const { event } of answers) authorizeEvent(principal, event.type);
  const outcomes: ConfirmationOutcome[] = [];
  const shorten = shortener();
  const bySession = [...groupBySession(answers).values()];
  // Concurrent workers take one session after the other, so that a slow session blocks one worker only.
  const lanes = Array.from({ length: BULK_ANSWER_SESSIONS }, async () => {
    for (let places = bySession.shift(); places; places = bySession.shift()) {
      for (const [place, answer] of places) {
        // Sequential: answers for one session are executed in their order.
        outcomes[place] = shorten(await outcomeOf(context, answer, place));
      }
    }
  });
  await Promise.all(lanes);
  await keepRepeatable(context);
  return context.json({ data: outcomes });
};

function groupBySession(
  answers: readonly Answer[],
): ReadonlyMap<string, readonly (readonly [number, Answer])[]> {
  const groups = new Map<string, (readonly [number, Answer])[]>();
  for (const [place, answer] of answers.entries()) {
    const group = groups.get(answer.session_id) ?? [];
    groups.set(answer.session_id, [...group, [place, answer]]);
  }
  return groups;
}

/** Omits messages beyond the size limit of the response, which many replies at once may exceed. */
function shortener(): (outcome: ConfirmationOutcome) => ConfirmationOutcome {
  let room = MAX_BULK_MESSAGE_CHARACTERS;
  return (outcome) => {
    if (!outcome.ok || !outcome.reply?.message) return outcome;
    const { length } = JSON.stringify(outcome.reply.message);
    if (length > room) return { ...outcome, reply: { ...outcome.reply, message: null } };
    room -= length;
    return outcome;
  };
}

/** A failure is reported per answer: failing the whole request would hide the answers that were executed. */
async function outcomeOf(
  context: AppContext,
  answer: Answer,
  place: number,
): Promise<ConfirmationOutcome> {
  const { session_id } = answer;
  try {
    const result = await post(context, answer, place);
    if (result.ok) {
      const reply = shownReply(context.get("principal"), result.value.reply);
      return { session_id, ok: true, ...result.value, reply };
    }
    return refused(context, session_id, result.refusal);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return refused(context, session_id, refusalOfFailure(error, context));
  }
}

function refused(context: AppContext, session_id: string, refusal: Refusal): ConfirmationOutcome {
  const shown = shownRefusal(context.get("principal"), refusal);
  return { session_id, ok: false, problem: toProblem(shown, context.get("requestId")) };
}

async function post(
  context: AppContext,
  answer: Answer,
  place: number,
): Promise<Result<EventReceipt>> {
  const { session_id, event } = answer;
  if (!isId("ses", session_id)) return refuse("not_found", "there is no such session");
  const stub = sessionStub(context.env, tenantOf(context), session_id);
  const actor = actorOf(context.get("principal"));
  const idempotency = idempotencyOf(context, place);
  const at = `#/answers/${place}/event`;
  const settled = await settleMedia(context, mediaPlace(context, session_id), event, at);
  return stub.act("postEvent", settled, { actor, trace: context.get("trace"), idempotency });
}

export const confirmationRoutes = { listConfirmations, answerConfirmations };
