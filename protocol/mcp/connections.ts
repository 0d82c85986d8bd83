// Connections: the grants that the platform has at MCP servers, of the tenant or of one end user. Never their tokens.
import * as z from "zod";

import { PageQuerySchema, TimestampSchema, pageOf } from "../schemas/common.ts";

/** `waiting`: a sign-in has begun; `active`: calls use it; `failed`: it was revoked or refused, and is asked for again. @public */
export const ConnectionStatusSchema = z.enum(["waiting", "active", "failed"]);
export type ConnectionStatus = z.infer<typeof ConnectionStatusSchema>;

export const ConnectionSchema = z
  .object({
    id: z.string(),
    mcp_server_id: z.string(),
    /** Null for the tenant's own. */
    end_user_id: z.string().nullable(),
    status: ConnectionStatusSchema,
    /** The authorization server; null before it was found. */
    issuer: z.string().nullable(),
    /** The scopes that were granted, separated by spaces; null when the server does not say. */
    scope: z.string().nullable(),
    /** The reason that the sign-in failed, in the platform's words. */
    failure: z.string().nullable(),
    created_at: TimestampSchema,
    updated_at: TimestampSchema,
  })
  .meta({ id: "Connection", description: "A grant at an MCP server." });
export type Connection = z.infer<typeof ConnectionSchema>;

export const ConnectionListQuerySchema = PageQuerySchema.extend({
  mcp_server_id: z.string().max(64).optional(),
  end_user_id: z.string().max(200).optional(),
  status: ConnectionStatusSchema.optional(),
});
export type ConnectionListQuery = z.input<typeof ConnectionListQuerySchema>;

export const ConnectionCompleteSchema = z
  .strictObject({
    /** The code that the page at the end of the sign-in shows, and posts to the page that has opened it. */
    code: z.string().min(1).max(200),
  })
  .meta({ id: "ConnectionComplete", description: "What a sign-in ends with." });

export const ConnectionPageSchema = pageOf(ConnectionSchema).meta({ id: "ConnectionPage" });
