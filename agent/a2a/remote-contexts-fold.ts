import { MAX_REMOTE_CONTEXTS } from "../../protocol/a2a/client-limits.ts";
import {
  REMOTE_CONTEXT,
  RemoteContextSchema,
  type RemoteContext,
} from "../../protocol/a2a/remote-context.ts";
import type { AbilityFold } from "../ability.ts";

/** One for each tool, the newest last. A fork and an import begin without: two sessions in one context would read each other. */
export const REMOTE_CONTEXTS_FOLD: AbilityFold<readonly RemoteContext[]> = {
  name: REMOTE_CONTEXT,
  initial: [],
  reads: ["CUSTOM"],
  advance(before, event) {
    if (event.type !== "CUSTOM" || event.name !== REMOTE_CONTEXT) return before;
    const read = RemoteContextSchema.safeParse(event.value);
    if (!read.success) return before;
    const others = before.filter(({ tool_name }) => tool_name !== read.data.tool_name);
    return [...others, read.data].slice(-MAX_REMOTE_CONTEXTS);
  },
  adopt: () => [],
  // The agents remember calls that a restored conversation may not have.
  restore: () => [],
};
