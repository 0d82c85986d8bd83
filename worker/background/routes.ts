// Tasks of a session, and the signed address to which a tool's server posts the result of one.
import { TaskResultSchema, type TaskResult } from "../../protocol/background/contract.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import { keyPepperOf } from "../../storage/secrets/deployment-secrets.ts";
import { openToken, type TaskCallbackClaims } from "../../storage/secrets/signed-token.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { hasMediaToSettle, settleMedia } from "../files/settle-media.ts";
import { unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { fingerprintOf } from "../requests/fingerprint-of.ts";
import { limitApp, limitUnauthenticated } from "../requests/rate-limit.ts";
import { readBody, readText } from "../requests/read-body.ts";
import { actOnSession } from "../sessions/act-on-session.ts";

const listTasks: RouteHandler = async (context) =>
  context.json(await actOnSession(context, "listTasks"));

const cancelTask: RouteHandler = async (context) => {
  const task_id = pathId(context, "task_id");
  return context.json(await actOnSession(context, "cancelTask", { task_id }));
};

const endTask: RouteHandler = async (context) => {
  const { tenant_id, session_id, task_id } = await openAddress(context);
  const fingerprint = await fingerprintOf(context, `task ${task_id}`);
  const bytes = utf8Bytes(await readText(context));
  const posted = { task_id, fingerprint, bytes };
  const stub = sessionStub(context.env, tenant_id, session_id);
  let result: TaskResult = await readBody(context, TaskResultSchema);
  if (hasMediaToSettle(context, result)) {
    // Nothing is stored for a task that takes no result.
    const known = unwrap(await stub.act("checkPostedTask", posted));
    if (known) return context.json(known);
    const place = { tenant_id, session_id, takes_tenant_files: false };
    result = await settleMedia(context, place, result, "#");
  }
  return context.json(unwrap(await stub.act("endTask", { ...posted, result })));
};

/** @throws HttpError 401 for an invalid or expired address; 429 for too many requests with it. */
async function openAddress(context: AppContext): Promise<TaskCallbackClaims> {
  const token = pathId(context, "task_token");
  const opened = await openToken("task_callback", token, keyPepperOf(context.env), Date.now());
  if (opened.ok) {
    const { tenant_id, task_id } = opened.claims;
    const handedOut = { kind: "callback address", id: `${tenant_id} ${task_id}` } as const;
    await limitApp(context, tenant_id, handedOut);
    return opened.claims;
  }
  await limitUnauthenticated(context);
  throw unauthenticated(
    opened.reason === "expired"
      ? "the callback address has expired: a result can be posted for a day"
      : "the callback address is mistyped, cut off or was changed: its signature does not fit",
  );
}

export const backgroundRoutes = { listTasks, cancelTask, endTask };
