// End users as a whole: the removal of one, and the export.
import {
  EndUserExportQuerySchema,
  type EndUserRemoval,
} from "../../protocol/end-users/contract.ts";
import { beginEndUserRemoval } from "../../storage/end-users/end-user-removal-storage.ts";
import { decodeToken } from "../../storage/statements/page.ts";
import type { RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { requireScope } from "../auth/require-scope.ts";
import { pathId } from "../middleware/check-path.ts";
import { tenantOf } from "../principal.ts";
import { badPageToken, readQuery } from "../requests/read-query.ts";
import { streamText } from "../requests/stream-text.ts";
import { exportEndUser as exportLines, readPlace } from "./export-end-user.ts";

/**
 * The row is first, so that a removal whose job is lost is found by the sweep. Whether there is such an end user is not
 * looked up: the answer would tell.
 */
const deleteEndUser: RouteHandler = async (context) => {
  const { env } = context;
  const place = { tenant_id: tenantOf(context), end_user_id: pathId(context, "end_user_id") };
  const nowMs = Date.now();
  const chain = crypto.randomUUID();
  const audit = auditFor(context, { action: "end_user.deleted", target: place.end_user_id });
  await beginEndUserRemoval(env.DB, place, { chain, nowMs, audit });
  try {
    await env.REMOVAL_QUEUE.send({ kind: "end_user_removal", ...place, chain });
  } catch (error) {
    console.warn("end user removal: failed to enqueue the job; the sweep will", {
      tenant_id: place.tenant_id,
      error: String(error),
    });
  }
  const { end_user_id } = place;
  const requested_at = new Date(nowMs).toISOString();
  return context.json({ end_user_id, requested_at } satisfies EndUserRemoval, 202);
};

const exportEndUser: RouteHandler = async (context) => {
  requireScope(context, "files:read", "the export");
  requireScope(context, "memories:read", "the export");
  const { page } = readQuery(context, EndUserExportQuerySchema);
  const place = page === undefined ? {} : readPlace(decodeToken(page));
  if (place === null) throw badPageToken();
  const lines = exportLines(context, pathId(context, "end_user_id"), place);
  return new Response(streamText(await lines.next(), lines), {
    headers: { "Content-Type": "application/x-ndjson", "Cache-Control": "no-store" },
  });
};

export const endUserRoutes = { deleteEndUser, exportEndUser };
