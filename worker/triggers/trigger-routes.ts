// Routes on triggers. A change is a row first, which is the truth, and then told to the trigger's object.
import type * as z from "zod";

import {
  TriggerCreateSchema,
  TriggerListQuerySchema,
  TriggerSecretRotateSchema,
  TriggerUpdateSchema,
  type CreatedTrigger,
  type Trigger,
  type TriggerDefinition,
} from "../../protocol/triggers/contract.ts";
import { findTargetProblem, mentionsOf, targetOf } from "../../protocol/triggers/target.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { newTrigger, type StoredTrigger } from "../../storage/triggers/trigger-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { sealForTenant } from "../auth/seal-for-tenant.ts";
import { fieldError, HttpError, notFound } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { makerOf, tenantOf } from "../principal.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { publicOrigin } from "../requests/public-origin.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery, toListRequest } from "../requests/read-query.ts";
import { armTrigger } from "./arm-trigger.ts";
import { checkDefinition } from "./check-definition.ts";
import { eraseTrigger } from "./erase-triggers.ts";
import { secretOf } from "./sender-secret.ts";
import { auditedTrigger, shownTrigger } from "./shown-trigger.ts";

const createTrigger: RouteHandler = async (context) => {
  const { webhook, metadata, ...body } = await readBody(context, TriggerCreateSchema);
  const definition = definitionOf(body);
  requireFitting(definition, body);
  await checkDefinition(context, { definition, hasWebhook: webhook !== undefined });
  const id = newId("trg");
  const secret = webhook && secretOf(webhook.form, webhook.secret, "#/webhook/secret");
  const sealed = secret === undefined ? null : await sealForTenant(context, secret, id);
  const stored = newTrigger({
    id,
    tenant_id: tenantOf(context),
    agent_id: definition.agent_id,
    room_id: definition.room_id,
    definition,
    metadata,
    webhook_form: webhook?.form ?? null,
    origin: publicOrigin(context),
    created_by_key_id: makerOf(context.get("principal")),
    created_at: nowTimestamp(),
  });
  const shown = await shownTrigger(context, stored);
  const location = `/v1/triggers/${id}`;
  const isMade = await storageOf(context).insert(stored, sealed, {
    keep: answerStatement(context, { status: 201, location, body: shown }),
    audit: auditFor(context, {
      action: "trigger.created",
      target: id,
      after: auditedTrigger(stored),
    }),
  });
  if (!isMade)
    throw new HttpError("conflict", "the agent, the room or your credential is gone meanwhile");
  await armTrigger(context.env, stored);
  return context.json(withSecret(shown, secret), 201, { Location: location });
};

const listTriggers: RouteHandler = async (context) => {
  const { agent_id, room_id, status, ...query } = readQuery(context, TriggerListQuerySchema);
  const of = { agentId: agent_id, roomId: room_id, status };
  const request = { ...toListRequest("trg", query), ...of };
  const page = await storageOf(context).list(request);
  const data = await Promise.all(page.data.map((stored) => shownTrigger(context, stored)));
  return context.json({ ...page, data });
};

const readTrigger: RouteHandler = async (context) =>
  context.json(await shownTrigger(context, await findTrigger(context)));

const updateTrigger: RouteHandler = async (context) => {
  const { metadata, ...changes } = await readBody(context, TriggerUpdateSchema);
  const before = await findTrigger(context);
  const target = { ...targetOf(before.definition), mentions: mentionsOf(before.definition) };
  const definition = { ...before.definition, ...target, ...changes };
  requireFitting(definition, changes);
  const hasWebhook = before.webhook_form !== null;
  await checkDefinition(context, { definition, hasWebhook, before: before.definition });
  const isOther =
    JSON.stringify(definition.schedule) !== JSON.stringify(before.definition.schedule);
  const now = nowTimestamp();
  const change = {
    definition,
    ...(metadata && { metadata }),
    ...(isOther && { due_after: now }),
    // With another time to come it is not over any more.
    ...(isOther && before.status === "completed" && { status: "active" as const }),
  };
  const after = { ...before, ...change };
  const stored = await storageOf(context).update(before, change, now, {
    audit: auditFor(context, {
      action: "trigger.updated",
      target: before.id,
      before: auditedTrigger(before),
      after: auditedTrigger(after),
    }),
  });
  return answerChanged(context, stored);
};

/** The trigger is gone from the first step on; the sweep does what this request does not finish. */
const deleteTrigger: RouteHandler = async (context) => {
  const stored = await findTrigger(context);
  const { id, tenant_id } = stored;
  const before = auditedTrigger(stored);
  const audit = auditFor(context, { action: "trigger.deleted", target: id, before });
  if (!(await storageOf(context).beginRemoval(id, nowTimestamp(), audit)))
    throw notFound("trigger");
  await eraseTrigger(context.env, { id, tenant_id }).catch((error: unknown) =>
    console.warn("a trigger was not erased; the sweep will", { error: String(error) }),
  );
  return context.body(null, 204);
};

const rotateTriggerSecret: RouteHandler = async (context) => {
  const { overlap_ms, secret: given } = await readBody(context, TriggerSecretRotateSchema);
  const before = await findTrigger(context);
  const { id, webhook_form } = before;
  if (webhook_form === null) throw new HttpError("conflict", "the trigger has no webhook");
  const secret = secretOf(webhook_form, given, "#/secret");
  const sealed = await sealForTenant(context, secret, id);
  const old_secret_expires_at = new Date(Date.now() + overlap_ms).toISOString();
  const shown = await shownTrigger(context, { ...before, old_secret_expires_at });
  const rotated = await storageOf(context).rotate(
    id,
    { sealed, oldSecretExpiresAt: old_secret_expires_at },
    {
      keep: answerStatement(context, { status: 200, body: shown }),
      audit: auditFor(context, {
        action: "trigger.secret_rotated",
        target: id,
        after: { old_secret_expires_at },
      }),
    },
  );
  if (!rotated) throw notFound("trigger");
  return context.json(withSecret(await shownTrigger(context, rotated), secret));
};

/** The trigger in the path. @throws HttpError `not_found`. */
export async function findTrigger(context: AppContext): Promise<StoredTrigger> {
  const stored = await storageOf(context).read(pathId(context, "trigger_id"));
  if (!stored) throw notFound("trigger");
  return stored;
}

/** @param stored Null where it was changed, or deleted, since it was read. */
export async function answerChanged(
  context: AppContext,
  stored: StoredTrigger | null,
): Promise<Response> {
  if (!stored) throw changedMeanwhile();
  await armTrigger(context.env, stored);
  return context.json(await shownTrigger(context, stored));
}

export function storageOf(context: AppContext) {
  return tenantStorage(context.env.DB, tenantOf(context)).triggers;
}

function changedMeanwhile(): HttpError {
  return new HttpError("conflict", "the trigger was changed meanwhile; read it and try again");
}

function withSecret(shown: Trigger, secret: string | undefined): CreatedTrigger {
  const { webhook } = shown;
  return { ...shown, webhook: webhook && secret !== undefined ? { ...webhook, secret } : null };
}

type CreateBody = Omit<z.infer<typeof TriggerCreateSchema>, "webhook" | "metadata">;

/** Members that the participants of a room have of their own are null there. */
function definitionOf(body: CreateBody): TriggerDefinition {
  const { agent_id = null, room_id = null, mentions = [] } = body;
  const { schedule = null, budget = null, end_user_id = null } = body;
  const rest = { ...body, agent_id, room_id, schedule, budget, end_user_id, mentions };
  if (agent_id === null) return { ...rest, agent_version: null, session: null, permission: null };
  const { agent_version = "latest", session, permission } = body;
  return {
    ...rest,
    agent_version,
    session: session ?? { mode: "new" },
    permission: permission ?? { mode: "dont_ask" },
  };
}

/** @throws HttpError for a member that a trigger of an agent, or of a room, cannot have. */
function requireFitting(
  definition: TriggerDefinition,
  members: Parameters<typeof findTargetProblem>[1],
): void {
  const problem = findTargetProblem(definition, members);
  if (!problem) return;
  throw fieldError("validation_failed", problem.pointer, `it ${problem.detail}`);
}

export const triggerRoutes = {
  createTrigger,
  listTriggers,
  readTrigger,
  updateTrigger,
  deleteTrigger,
  rotateTriggerSecret,
};
