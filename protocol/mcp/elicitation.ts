// Questions of an MCP server to a person while a call is under way, as answers show them.
import * as z from "zod";

import type { Frozen } from "../messages/frozen.ts";

const InputRequestSchema = z.union([
  z.object({
    mode: z.literal("form"),
    message: z.string(),
    /** A flat object of primitive values, as JSON Schema. */
    requested_schema: z.record(z.string(), z.unknown()),
  }),
  /** A page that the person opens by themselves. The platform never does. */
  z.object({ mode: z.literal("url"), message: z.string(), url: z.string() }),
]);

export const ElicitationSchema = z.object({
  /** The name of the server that asks. */
  server: z.string(),
  /** The number of the question of the call, from 1. */
  round: z.number().int().positive(),
  /** By a key of the server. */
  requests: z.record(z.string(), InputRequestSchema),
});
export interface ShownElicitation extends Frozen<z.infer<typeof ElicitationSchema>> {}
export type InputRequest = ShownElicitation["requests"][string];
