// The part of a store that bundlers split into a chunk; in a file of its own, so that apps without a store have no such chunk.
import { load } from "../events/load-parts.ts";
import type * as calledAgents from "./called-agents.ts";

/** Agents that a reply has called. @throws {ConnectionError} when the chunk cannot be loaded; a retry may succeed. */
export function loadCalledAgents(): Promise<typeof calledAgents> {
  return load(import("./called-agents.ts"));
}
