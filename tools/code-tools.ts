// The functions that agents of this deployment may name as tools of type `code`. Whoever deploys the platform adds
// theirs here, made with `defineCodeTool`; docs/tools.md shows one.
import type { CodeTool } from "./code.ts";

export const CODE_TOOLS: readonly CodeTool[] = [];
