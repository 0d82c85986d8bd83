import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { fieldError } from "../http-error.ts";

/** Refuses a voice whose words would come from what no model of it can say. */
export function checkVoice({
  voice,
  model,
  code_agent,
}: Pick<AgentDefinition, "voice" | "model" | "code_agent">): void {
  if (!voice) return;
  if (typeof code_agent === "string") {
    throw fieldError(
      "validation_failed",
      "#/voice",
      "an agent in code of the deployment has no voice; leave one out",
    );
  }
  if (voice.mode === "realtime" && code_agent) {
    const detail =
      "an agent in code over HTTP gives all replies of its agent; its text is spoken in the mode `cascade`";
    throw fieldError("validation_failed", "#/voice/mode", detail);
  }
  if (voice.mode === "realtime" && model.provider === "a2a") {
    const detail =
      "an agent of another system gives all replies of its agent; its text is spoken in the mode `cascade`";
    throw fieldError("validation_failed", "#/voice/mode", detail);
  }
}
