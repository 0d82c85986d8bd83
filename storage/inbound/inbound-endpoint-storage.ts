import { and, desc, eq, lt, sql } from "drizzle-orm";

import type { InboundEndpoint } from "../../protocol/inbound/contract.ts";
import { recordStatements } from "../audit/audit-storage.ts";
import type { Database } from "../statements/database.ts";
import { toPage } from "../statements/page.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import { inboundEndpoints, inboundMessages } from "../webhooks/table.ts";
import type { SignedEndpointStorage } from "../webhooks/signed-endpoint-storage.ts";

/** A tenant's inbound endpoints. */
export type InboundEndpointStorage = SignedEndpointStorage<InboundEndpoint>;

const SHOWN = {
  id: inboundEndpoints.id,
  name: inboundEndpoints.name,
  created_at: inboundEndpoints.created_at,
  old_secret_expires_at: inboundEndpoints.old_secret_expires_at,
};

/** A removed endpoint goes with the webhook ids that it has accepted. */
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
