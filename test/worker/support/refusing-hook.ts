import type { CodeHook } from "../../../tools/hooks/code-hook.ts";

/** A hook that blocks; to be deployed by the test. */
export const REFUSING_HOOK: CodeHook = {
  name: "refusing",
  pre_observe: () => ({ action: "block", reason: "No spam." }),
  pre_model_call: () => ({ action: "block", reason: "No spam." }),
};
