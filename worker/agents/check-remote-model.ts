import type { AgentUpdate } from "../../protocol/agents/contract.ts";
import { fieldError } from "../http-error.ts";

const ALONE = "an agent of another system gives all replies of its agent; leave this out";

/** Refuses what an agent of another system, in the place of the model, cannot do. */
export function checkRemoteModel({
  model,
  fallback_models = [],
  allowed_models = [],
  memory,
  on_interrupt,
  code_agent,
}: AgentUpdate): void {
  if (model?.provider !== "a2a") return;
  const refuse = (pointer: string) => fieldError("validation_failed", pointer, ALONE);
  if (fallback_models.length > 0) throw refuse("#/fallback_models");
  if (allowed_models.length > 0) throw refuse("#/allowed_models");
  if (memory) throw refuse("#/memory");
  if (on_interrupt?.type === "model") throw refuse("#/on_interrupt");
  if (code_agent) throw refuse("#/code_agent");
}
