// Response schemas for the OpenAPI document. Not used for validation at run time.
import { SkillSchema, SkillVersionSummarySchema } from "./contract.ts";
import { pageOf } from "../responses.ts";

export const SkillPageSchema = pageOf(SkillSchema);
export const SkillVersionPageSchema = pageOf(SkillVersionSummarySchema);
