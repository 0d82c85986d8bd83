// Writes entries of the audit log.
import type { Once } from "../../durable-objects/api/session-api.ts";
import type { AuditAction } from "../../protocol/audit/contract.ts";
import { formatId, ID_RANDOM_BYTES } from "../../protocol/ids.ts";
import { MAX_AUDIT_ADDRESS_CHARACTERS } from "../../protocol/audit/limits.ts";
import type { NewAuditEntry, WriteAudit } from "../../storage/audit/audit-storage.ts";
import { takeBackAudit, writeAudit, writeAuditAlone } from "../../storage/audit/audit-storage.ts";
import type { AppContext } from "../app-env.ts";
import { auditChange } from "./audit-change.ts";
import { HttpError } from "../http-error.ts";
import type { Principal } from "../principal.ts";
import { tenantOf } from "../principal.ts";

export interface AuditedAct {
  readonly action: AuditAction;
  /** Id of the changed resource. */
  readonly target: string;
  /** As the API shows it; absent for a creation. */
  readonly before?: object | null;
  /** As the API will show it; absent for a deletion. */
  readonly after?: object | null;
  /** The tenant concerned, where the credential does not tell: for acts of the operator. `OPERATOR_ROWS` for none. */
  readonly tenantId?: string;
}

/** The audit write that a handler passes to the storage, to be written in the same transaction as the act. */
export function auditFor(context: AppContext, act: AuditedAct): WriteAudit {
  return writeAudit(entryFor(context, act));
}

/**
 * Performs an act of a session's object with an audit entry. The entry is written to D1 first and removed when the
 * object refuses the act or had done it before; if the outcome is unknown it stays, so that no act is without an entry.
 * @param isAct Whether the result is a change; always when left out.
 */
export async function audited<Value>(
  context: AppContext,
  act: AuditedAct,
  run: () => Promise<Once<Value>>,
  isAct: (value: Value) => boolean = () => true,
): Promise<Once<Value>> {
  const entry = entryFor(context, act);
  await writeAuditAlone(context.env.DB, entry);
  const result = await run();
  const isDone = result.ok && result.is_replayed !== true && isAct(result.value);
  if (!isDone) await takeBackAudit(context.env.DB, entry);
  return result;
}

/** Writes an entry before an act outside D1 whose outcome may stay unknown: no such act is without one. */
export async function auditAlone(context: AppContext, act: AuditedAct): Promise<void> {
  await writeAuditAlone(context.env.DB, entryFor(context, act));
}

function entryFor(context: AppContext, act: AuditedAct): NewAuditEntry {
  const nowMs = Date.now();
  const address = context.req.header("CF-Connecting-IP") ?? null;
  return {
    tenant_id: act.tenantId ?? tenantOf(context),
    // The same time as the entry: entries are found by the time in their ids.
    id: formatId("aud", nowMs, crypto.getRandomValues(new Uint8Array(ID_RANDOM_BYTES))),
    created_at: new Date(nowMs).toISOString(),
    actor: auditActor(context.get("principal")),
    action: act.action,
    target_id: act.target,
    ...auditChange(act.before ?? null, act.after ?? null),
    address: address && address.slice(0, MAX_AUDIT_ADDRESS_CHARACTERS),
    request_id: context.get("requestId"),
  };
}

function auditActor(principal: Principal): NewAuditEntry["actor"] {
  switch (principal.kind) {
    case "tenant":
      return { ...principal.bearer, ...consoleOf(principal) };
    case "operator":
      return { kind: "operator", ...personOf(principal), ...consoleOf(principal) };
    case "client_token":
    case "room_token":
    case "end_user":
    case "public":
      throw new HttpError(
        "insufficient_scope",
        "this route takes a tenant's API key or the operator's key",
      );
    default:
      return principal satisfies never;
  }
}

function personOf({ bearer }: Extract<Principal, { kind: "operator" }>) {
  return bearer.kind === "member" ? { id: bearer.id, name: bearer.name } : { id: null };
}

function consoleOf({ consoleSessionId }: { readonly consoleSessionId?: string }) {
  return consoleSessionId === undefined ? {} : { console_session_id: consoleSessionId };
}
