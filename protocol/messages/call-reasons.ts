// The reasons for which a call asks, and the sign-in that a call waits for, as answers show them.
import * as z from "zod";

import type { Frozen } from "./frozen.ts";
import { PermissionRuleSchema } from "./permission.ts";

const UntrustedSourceSchema = z.object({ tool_name: z.string(), tool_call_id: z.string() });

/** The reasons that a call asks. */
export const CallReasonsSchema = z.object({
  /** In words; null where nothing but the rule says it. */
  reason: z.string().nullable(),
  rule: PermissionRuleSchema.nullable(),
  /** Sources of the untrusted content that made it ask; empty where that is not the reason. */
  untrusted: z.array(UntrustedSourceSchema),
});
export interface CallReasons extends Frozen<z.infer<typeof CallReasonsSchema>> {}

/** A sign-in: in `REQUIRE_EXTERNAL_EXECUTION.metadata.authorizations`, by call id, and in `pending`. */
export const AuthorizationRequiredSchema = z.object({
  /** `POST /v1/connections/{id}/complete` takes the code that the sign-in ends with. */
  connection_id: z.string(),
  mcp_server_id: z.string(),
  /** The address at which the person signs in. */
  url: z.string(),
  expires_at: z.iso.datetime({ precision: 3 }),
});
export interface AuthorizationRequired extends Readonly<
  z.infer<typeof AuthorizationRequiredSchema>
> {}
