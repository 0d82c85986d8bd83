import { accept } from "../../protocol/errors.ts";
import { act } from "./act.ts";
import type { ToolDefinition } from "../../protocol/tools/contract.ts";

export const TOOL_ACTS = {
  /** The session's own tools, as the next reply has them. */
  readTools: act<void, readonly ToolDefinition[]>({
    run: ({ init }) => accept(init.tools ?? []),
  }),
} as const;
