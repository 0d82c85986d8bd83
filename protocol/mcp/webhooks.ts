// Webhook events of connections to MCP servers.
import * as z from "zod";

import { webhookEvent } from "../schemas/webhook-event.ts";

export const CONNECTION_WEBHOOKS = [
  webhookEvent(
    "connection.failed",
    {
      when: "a grant at an [MCP server](mcp/sign-in.md) was revoked, or cannot be renewed",
      data: "`connection_id`, `mcp_server_id`, `end_user_id` (null for the tenant's own), `failure`; of no session",
    },
    {
      connection_id: z.string(),
      mcp_server_id: z.string(),
      /** Null for the tenant's own. */
      end_user_id: z.string().nullable(),
      failure: z.string().nullable(),
    },
  ),
] as const;
