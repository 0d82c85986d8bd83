// Routes on the runs of a trigger, which its object has.
import { readSubject } from "../../agent/triggers/run-subject.ts";
import { TriggerRunCreateSchema, TriggerRunQuerySchema } from "../../protocol/triggers/contract.ts";
import { decodePageToken } from "../../storage/statements/page.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { audited } from "../audit/audit.ts";
import { fieldError, unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { triggerStub } from "../objects/trigger-stub.ts";
import { keepOutcome } from "../requests/keep-answer.ts";
import { readBody } from "../requests/read-body.ts";
import { badPageToken, readQuery } from "../requests/read-query.ts";
import { armedOf } from "./arm-trigger.ts";
import { findTrigger } from "./trigger-routes.ts";

const createTriggerRun: RouteHandler = async (context) => {
  const { payload } = await readBody(context, TriggerRunCreateSchema);
  const stored = await findTrigger(context);
  const { id, tenant_id, definition, webhook_form } = stored;
  const read = readSubject(definition, { hasWebhook: webhook_form !== null, payload });
  if (!read.ok) throw fieldError("validation_failed", "#/payload", read.problem);
  // Of the sender, and kept as long as the key: a repeated request finds the run that it has made.
  const request_id = context.get("claim")?.key ?? null;
  const act = { action: "trigger.run", target: id } as const;
  const stub = triggerStub(context.env, tenant_id, id);
  const run = unwrap(
    await audited(context, act, () =>
      stub.runByHand({ ...read.subject, trigger: armedOf(stored), request_id }),
    ),
  );
  const location = `/v1/triggers/${id}/runs/${run.id}`;
  await keepOutcome(context, { status: 202, location, body: run });
  return context.json(run, 202, { Location: location });
};

const listTriggerRuns: RouteHandler = async (context) => {
  const { page, limit, status } = readQuery(context, TriggerRunQuerySchema);
  const before = page === undefined ? undefined : decodePageToken("trun", page);
  if (before === null) throw badPageToken();
  const stub = await stubOf(context);
  return context.json(await stub.listRuns({ limit, before, status }));
};

const readTriggerRun: RouteHandler = async (context) => {
  const stub = await stubOf(context);
  return context.json(unwrap(await stub.readRun(pathId(context, "trigger_run_id"))));
};

async function stubOf(context: AppContext) {
  const { tenant_id, id } = await findTrigger(context);
  return triggerStub(context.env, tenant_id, id);
}

export const triggerRunRoutes = { createTriggerRun, listTriggerRuns, readTriggerRun };
