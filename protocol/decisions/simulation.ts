// Decisions that an agent's permission would make: about a call that was not made, and about calls of the past.
import * as z from "zod";

import {
  DEFAULT_SIMULATED_SESSIONS,
  MAX_SIMULATED_SESSIONS,
  MAX_SIMULATION_TOKEN_CHARACTERS,
} from "../permission/limits.ts";
import { AgentCreateSchema } from "../agents/contract.ts";
import { DecisionSchema, RuleTestResultSchema, RuleTestSchema } from "../permission/contract.ts";
import type { Frozen } from "../messages/frozen.ts";
import { TimestampSchema } from "../schemas/common.ts";
import { WorkingDirectoriesSchema } from "../sessions/session-settings.ts";

const PermissionSchema = AgentCreateSchema.shape.permission.unwrap();
/** The version whose tools, and without a permission of the request whose rules count; the newest when left out. */
const version = z.number().int().positive().optional();

export const AgentRuleTestSchema = RuleTestSchema.extend({
  version,
  /** Instead of the version's own. */
  permission: PermissionSchema.optional(),
  /** The working directories of a session. */
  working_directories: WorkingDirectoriesSchema.default([]),
}).meta({ id: "AgentRuleTest" });

export const SimulationCreateSchema = z
  .strictObject({
    version,
    /** Mode and rules that are compared with those of the version. */
    permission: PermissionSchema,
    /** Calls that were decided at this moment or later. */
    since: TimestampSchema.optional(),
    /** Calls that were decided before this moment. */
    until: TimestampSchema.optional(),
    /** Sessions that one page asks. */
    limit: z.number().int().min(1).max(MAX_SIMULATED_SESSIONS).default(DEFAULT_SIMULATED_SESSIONS),
    /** The `next_page` of the page before; the other members are to be the same. */
    page: z.string().max(MAX_SIMULATION_TOKEN_CHARACTERS).optional(),
  })
  .meta({ id: "SimulationCreate" });
export type SimulationCreate = z.infer<typeof SimulationCreateSchema>;

const OutcomeSchema = RuleTestResultSchema.omit({ suggested_rules: true });

/** A call of the past about which the two permissions differ. @public */
export const SimulatedCallSchema = DecisionSchema.pick({
  reply_id: true,
  tool_call_id: true,
  tool_name: true,
  decided_at: true,
})
  .extend({
    session_id: z.string(),
    /** The recorded decision, by the rules of that time. */
    recorded: OutcomeSchema,
    /** The decision of the version's permission, with the session's own rules of that time. */
    before: OutcomeSchema,
    /** The decision of the request's permission, with the same rules of the session. */
    after: OutcomeSchema,
  })
  .meta({
    id: "SimulatedCall",
    description: "A call of the past about which two permissions differ.",
  });
export interface SimulatedCall extends Frozen<z.infer<typeof SimulatedCallSchema>> {}

const count = z.number().int().nonnegative();

export const SimulationSchema = z
  .object({
    /** Calls that would be decided otherwise, by session, newest first in each. */
    data: z.array(SimulatedCallSchema),
    /** Sessions of this page that answered. */
    sessions: count,
    /** Sessions of this page that did not answer in time, or cannot be read. */
    sessions_failed: count,
    /** Calls of this page that were compared. */
    calls: count,
    /** Calls that were not: the version lacks their tool, or their input cannot be read any more. */
    calls_skipped: count,
    has_more: z.boolean(),
    next_page: z.string().nullable(),
  })
  .meta({ id: "Simulation", description: "A page of a comparison of two permissions." });
export interface Simulation extends Frozen<z.infer<typeof SimulationSchema>> {}
