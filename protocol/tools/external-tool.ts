import * as z from "zod";

import { ToolNameSchema, toolFlags, WaitingSecondsSchema } from "./named-tool.ts";

/** A tool that an app or another system runs: the call waits until its result is posted. */
export const ExternalToolSchema = z
  .strictObject({
    type: z.literal("external"),
    name: ToolNameSchema,
    description: z.string().max(4_096).default(""),
    /** JSON Schema of the call's input: an object. */
    input_schema: z.record(z.string(), z.json()).default({ type: "object" }),
    /** Seconds after which a call without a result fails; no timeout when left out. */
    result_ttl: WaitingSecondsSchema.optional(),
    ...toolFlags,
  })
  .meta({
    id: "ExternalTool",
    description:
      "A tool that an app or an external system runs: the call waits until its result is posted.",
  });
export type ExternalTool = z.infer<typeof ExternalToolSchema>;
