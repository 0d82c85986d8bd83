// Rows of the list of sessions as a test wants them: created when it says, under ids that tell another time.
import { env } from "cloudflare:workers";

import type { SessionStatus } from "../../../protocol/sessions/contract.ts";
import { formatId, TIMELESS_ID_MS } from "../../../protocol/ids.ts";
import { deliverOutbox, type OutboxEntry } from "../../../storage/outbox/deliver-outbox.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { makeTenant } from "../support/api.ts";
import { makeEntry } from "./outbox-entry.ts";

export interface Listed {
  readonly id: string;
  readonly agent_id: string;
  readonly end_user_id: string | null;
  readonly created_at: string;
  /** Null for a session that D1 knows no state of. */
  readonly status: SessionStatus | null;
  /** Further members of its outbox entry. */
  readonly told?: Partial<OutboxEntry>;
}

/** @param idMs The time in the id; undefined for one that a thread's name has. */
export function sessionId(idMs = TIMELESS_ID_MS): string {
  return formatId("ses", idMs, crypto.getRandomValues(new Uint8Array(16)));
}

export function momentAt(milliseconds: number): string {
  return new Date(Date.UTC(2026, 2, 1) + milliseconds).toISOString();
}

/** A tenant that has these sessions, written in this order. */
export async function listInDatabase(sessions: readonly Listed[]) {
  const { id: tenantId, call } = await makeTenant();
  for (const session of sessions) await addToDatabase(tenantId, session);
  return { tenantId, call };
}

export async function addToDatabase(tenantId: string, session: Listed): Promise<void> {
  const { status, told, ...rest } = session;
  const unused = { agent_version: 1, follows_latest: false, metadata: {}, title: null };
  await tenantStorage(env.DB, tenantId).sessions.insert({ ...rest, ...unused, forked_from: null });
  if (!status) return;
  const entry = makeEntry({ tenantId, ...rest }, { session_status: status, ...told });
  await deliverOutbox(env.DB, [entry]);
}
