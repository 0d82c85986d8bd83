// Which version of its agent a session runs.
import { z } from "zod";

/** A version's number, or whatever is the newest at the start of each reply. */
export const AgentVersionChoiceSchema = z.union([z.number().int().positive(), z.literal("latest")]);
export type AgentVersionChoice = z.infer<typeof AgentVersionChoiceSchema>;
