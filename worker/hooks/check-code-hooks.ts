import type { AgentUpdate } from "../../protocol/agents/contract.ts";
import { isHookDeployed } from "../../tools/hook-runner.ts";
import { HttpError } from "../http-error.ts";

/** Refuses hooks of type `code` that this deployment lacks, or has at other points. */
export function checkCodeHooks({ hooks = [] }: Pick<AgentUpdate, "hooks">): void {
  const errors = hooks.flatMap(({ type, name, point }, index) => {
    if (type !== "code" || isHookDeployed({ name, point })) return [];
    const detail = `this platform was deployed without a hook named ${name} at ${point}`;
    return [{ pointer: `#/hooks/${index}/name`, detail }];
  });
  if (errors.length === 0) return;
  const detail = "code hooks are named that are not deployed; see `errors`";
  throw new HttpError("validation_failed", detail, { errors });
}
