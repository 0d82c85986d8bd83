import { ApiError } from "../../../../sdk/index.ts";
import { failureText } from "../../../components/failure-text.ts";

export type Switched = "on" | "off" | null;

/** Meaning of a refused change for the person who made it. */
export function refusalWords(error: unknown): string {
  if (ApiError.isInstance(error) && error.code === "version_mismatch") {
    return "The agent or another person has switched something meanwhile, so nothing was changed. What is shown is how it is now: switch again.";
  }
  if (ApiError.isInstance(error) && error.code === "insufficient_scope") {
    return "This console may switch only what the agent could switch itself: the rest needs the scope sessions:write.";
  }
  return failureText(error);
}
