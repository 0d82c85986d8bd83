import { openDatabase } from "../statements/database.ts";
import { stableId } from "../statements/stable-id.ts";
import { publishWebhooks, type WebhookBindings } from "../webhooks/webhook-publisher.ts";
import { connectionStorage } from "./connection-storage.ts";

/** Publishes `connection.failed`; once for each failure, however often it is called. @throws when D1 or the queue fails. */
export async function announceFailedConnection(
  env: WebhookBindings,
  tenantId: string,
  connectionId: string,
): Promise<void> {
  const connection = await connectionStorage(openDatabase(env.DB), tenantId).read(connectionId);
  if (connection?.status !== "failed") return;
  const { mcp_server_id, end_user_id, failure, updated_at } = connection;
  const id = await stableId("whm", Date.parse(updated_at), `${connectionId}:failed:${updated_at}`);
  const data = { connection_id: connectionId, mcp_server_id, end_user_id, failure };
  const event = { type: "connection.failed", timestamp: updated_at, data } as const;
  await publishWebhooks(env, tenantId, [{ id, event }]);
}
