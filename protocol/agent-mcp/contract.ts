// Messages and answers of an agent's MCP endpoint, and its metadata, for the OpenAPI document. The messages themselves
// are read by the other files of this room.
import * as z from "zod";

export const McpMessageSchema = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number()]).optional(),
    method: z.string(),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: "McpMessage", description: "A request or a notification of JSON-RPC 2.0." });

/** A batch of 2025-03-26 is a list of them. */
export const McpAnswerSchema = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    id: z.union([z.string(), z.number()]).nullable(),
    result: z.record(z.string(), z.unknown()).optional(),
    error: z
      .object({ code: z.number().int(), message: z.string(), data: z.unknown().optional() })
      .optional(),
  })
  .meta({ id: "McpAnswer", description: "An answer of JSON-RPC 2.0: a result or an error." });

/** RFC 9728. */
export const ResourceMetadataSchema = z
  .object({
    resource: z.string(),
    authorization_servers: z.array(z.string()),
    bearer_methods_supported: z.array(z.string()),
  })
  .meta({ id: "ResourceMetadata", description: "RFC 9728, of one agent's MCP endpoint." });
