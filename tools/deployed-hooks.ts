// The hooks that agents of this deployment may name with type `code`. The operator of a deployment adds them here;
// docs/hooks.md has an example.
import type { CodeHook } from "./hooks/code-hook.ts";

export const DEPLOYED_HOOKS: readonly CodeHook[] = [];
