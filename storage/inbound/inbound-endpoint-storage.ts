import { and, desc, eq, lt, sql } from "drizzle-orm";

import type { Page } from "../../protocol/schemas/common.ts";
import type { InboundEndpoint } from "../../protocol/inbound/contract.ts";
import type { SealedSecret } from "../secrets/credential-cipher.ts";
import { recordStatements, type WriteAudit } from "../audit/audit-storage.ts";
import type { Database } from "../statements/database.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import type { ListRequest } from "../statements/page.ts";
import { toPage } from "../statements/page.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import { inboundEndpoints, inboundMessages } from "../webhooks/table.ts";
import type { SecretRotation } from "../webhooks/webhook-endpoint-storage.ts";

/** A tenant's inbound endpoints. Nothing here decrypts a secret. */
export interface InboundEndpointStorage {
  insert(
    endpoint: InboundEndpoint,
    sealed: SealedSecret,
    keep?: KeepAnswer,
    audit?: WriteAudit,
  ): Promise<void>;
  list(request: ListRequest): Promise<Page<InboundEndpoint>>;
  read(endpointId: string): Promise<InboundEndpoint | null>;
  /** Null when there is no such endpoint. */
  rotate(
    endpointId: string,
    rotation: SecretRotation,
    keep?: KeepAnswer,
    audit?: WriteAudit,
  ): Promise<InboundEndpoint | null>;
  /** Returns whether it existed. Deletes the webhook ids that it has accepted too. */
  remove(endpointId: string, audit?: WriteAudit): Promise<boolean>;
}

const SHOWN = {
  id: inboundEndpoints.id,
  name: inboundEndpoints.name,
  created_at: inboundEndpoints.created_at,
  old_secret_expires_at: inboundEndpoints.old_secret_expires_at,
};

export function inboundEndpointStorage(
  database: Database,
  tenantId: string,
): InboundEndpointStorage {
  const isTenants = eq(inboundEndpoints.tenant_id, tenantId);
  function isOurs(endpointId: string) {
    return and(isTenants, eq(inboundEndpoints.id, endpointId));
  }

  return {
    async insert(endpoint, sealed, keep, audit) {
      const row = { ...endpoint, tenant_id: tenantId, sealed };
      await runInBatch(database, database.insert(inboundEndpoints).values(row), keep, audit);
    },

    async list({ before, limit }) {
      const rows = await database
        .select(SHOWN)
        .from(inboundEndpoints)
        .where(and(isTenants, before ? lt(inboundEndpoints.id, before) : undefined))
        .orderBy(desc(inboundEndpoints.id))
        .limit(limit + 1);
      return toPage(rows, limit);
    },

    async read(endpointId) {
      const [row] = await database.select(SHOWN).from(inboundEndpoints).where(isOurs(endpointId));
      return row ?? null;
    },

    async rotate(endpointId, { sealed, oldSecretExpiresAt }, keep, audit) {
      const rotated = database
        .update(inboundEndpoints)
        .set({
          // The right side of a SET refers to the row before the update.
          old_sealed: sql`${inboundEndpoints.sealed}`,
          sealed,
          old_secret_expires_at: oldSecretExpiresAt,
        })
        .where(isOurs(endpointId))
        .returning(SHOWN);
      const [row] = await runInBatch(database, rotated, keep, audit);
      return row ?? null;
    },

    async remove(endpointId, audit) {
      const [rows] = await database.batch([
        database
          .delete(inboundEndpoints)
          .where(isOurs(endpointId))
          .returning({ id: inboundEndpoints.id }),
        ...recordStatements(database, audit),
        database
          .delete(inboundMessages)
          .where(
            and(
              eq(inboundMessages.tenant_id, tenantId),
              eq(inboundMessages.endpoint_id, endpointId),
            ),
          ),
      ]);
      return rows.length > 0;
    },
  };
}
