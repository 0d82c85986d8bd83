// Response schema of what an MCP server asks a person for.
import { z } from "zod";

const InputRequestSchema = z.union([
  z.object({
    mode: z.literal("form"),
    message: z.string(),
    requested_schema: z.record(z.string(), z.unknown()),
  }),
  z.object({ mode: z.literal("url"), message: z.string(), url: z.string() }),
]);

export const ElicitationSchema = z.object({
  server: z.string(),
  round: z.number().int().positive(),
  requests: z.record(z.string(), InputRequestSchema),
});
