import type { AuditFilter } from "../../protocol/audit/contract.ts";
import { AuditQuerySchema } from "../../protocol/audit/contract.ts";
import { AUDIT_EXPORT_ROWS } from "../../protocol/audit/limits.ts";
import type { AuditStorage } from "../../storage/audit/audit-storage.ts";
import { auditStorage } from "../../storage/audit/audit-storage.ts";
import { encodePageToken } from "../../storage/statements/page.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { fieldError } from "../http-error.ts";
import { accepts } from "../requests/accepts.ts";
import { readQuery, toListRequest } from "../requests/read-query.ts";
import { streamText } from "../requests/stream-text.ts";

const JSON_LINES = "application/x-ndjson";

const listAudit: RouteHandler = async (context) => {
  const { tenant_id, format, page, limit, ...filter } = readQuery(context, AuditQuerySchema);
  const storage = auditStorage(context.env.DB, auditedTenant(context, tenant_id));
  const isExport = format ? format === "jsonl" : accepts(context, JSON_LINES);
  if (!isExport) {
    const { before } = toListRequest("aud", { page, limit });
    const request = { ...filter, behind: before, limit, order: "newest_first" } as const;
    const { entries, next } = await storage.read(request);
    const next_page = next === null ? null : encodePageToken(next);
    return context.json({ data: entries, has_more: next !== null, next_page });
  }
  const lines = exportLines(storage, filter);
  const first = await lines.next();
  return new Response(streamText(first, lines), {
    headers: { "Content-Type": JSON_LINES, "Cache-Control": "no-store" },
  });
};

/** The tenant's existence is not checked, because the operator may read the audit of a closed tenant. */
function auditedTenant(context: AppContext, named: string | undefined): string {
  const pointer = "#/query/tenant_id";
  const principal = context.get("principal");
  if (principal.kind === "tenant") {
    if (named === undefined || named === principal.tenantId) return principal.tenantId;
    throw fieldError("not_found", pointer, "there is no such tenant");
  }
  if (named !== undefined) return named;
  throw fieldError("validation_failed", pointer, "the operator names the tenant here");
}

/** Reads the rows part by part, as the client reads (backpressure). Entries written meanwhile may be missing. */
async function* exportLines(
  storage: AuditStorage,
  filter: AuditFilter,
): AsyncGenerator<string, void> {
  const created_before = filter.created_before ?? new Date(Date.now() + 1).toISOString();
  let behind: string | undefined;
  do {
    const request = { ...filter, created_before, behind, limit: AUDIT_EXPORT_ROWS };
    const { entries, next } = await storage.read({ ...request, order: "oldest_first" });
    if (entries.length > 0) yield entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
    behind = next ?? undefined;
  } while (behind !== undefined);
}

export const auditRoutes = { listAudit };
