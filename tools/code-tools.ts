// The functions that agents of this deployment may name as tools of type `code`. The operator of a deployment adds them
// here, made with `defineCodeTool`; docs/tools.md has an example.
import type { CodeTool } from "./code.ts";

export const CODE_TOOLS: readonly CodeTool[] = [];
