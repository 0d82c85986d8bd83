// The agent version that a session uses.
import * as z from "zod";

/** A fixed version number, or `latest` for the newest at the start of each reply. */
export const AgentVersionChoiceSchema = z.union([z.number().int().positive(), z.literal("latest")]);
export type AgentVersionChoice = z.infer<typeof AgentVersionChoiceSchema>;
