// The answer of `/readyz`.
import * as z from "zod";

const CheckResultSchema = z.enum(["ok", "failed"]);

export const ReadinessSchema = z
  .object({
    status: z.enum(["ready", "not_ready"]),
    checks: z.object({
      secrets: CheckResultSchema,
      variables: CheckResultSchema,
      bindings: CheckResultSchema,
      rate_limits: CheckResultSchema,
      database: CheckResultSchema,
      objects: CheckResultSchema,
    }),
    missing: z.array(
      z.object({ name: z.string(), problem: z.string(), fix: z.string(), docs: z.string() }),
    ),
  })
  .meta({ id: "Readiness" });

export type Readiness = z.infer<typeof ReadinessSchema>;
export type ReadinessCheck = keyof Readiness["checks"];
export type CheckResult = z.infer<typeof CheckResultSchema>;
/** One part of the configuration that is missing or unusable: by name, never with its value. */
export type ConfigurationGap = Readiness["missing"][number];
