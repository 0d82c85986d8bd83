// Checks of tools whose calls may be let go.
import type * as z from "zod";

import { TOOL_STOP } from "../background/events.ts";
import { MAX_TOOL_TIMEOUT_MS } from "./limits.ts";

interface TimedTool {
  readonly type: string;
  readonly name?: string | undefined;
  readonly timeout_ms?: number | undefined;
  readonly background_after_ms?: number | undefined;
}

/** Adds issues for times that do not fit, and for a tool that has the name of the one by which tasks are stopped. */
export function refineBackground(tools: readonly TimedTool[], context: z.RefinementCtx): void {
  const hasBackground = tools.some((tool) => tool.background_after_ms !== undefined);
  for (const [index, { name, timeout_ms = 0, background_after_ms: after }] of tools.entries()) {
    const refuse = (member: string, message: string): void =>
      context.addIssue({ code: "custom", path: [index, member], message });
    if (after === undefined && timeout_ms > MAX_TOOL_TIMEOUT_MS) {
      refuse("timeout_ms", `at most ${MAX_TOOL_TIMEOUT_MS}, or more with background_after_ms`);
    }
    if (after !== undefined && after >= timeout_ms) {
      refuse("background_after_ms", "has to be less than the tool's timeout_ms");
    }
    if (hasBackground && name === TOOL_STOP) {
      refuse("name", `${TOOL_STOP} is the tool with which the agent stops its background tasks`);
    }
  }
}
