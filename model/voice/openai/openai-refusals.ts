// Refusals of the provider: which are no failure, and what the others mean. It tells them as events, with the id of the act
// that they are about.
import { classifyRefusal, wordsOf } from "../../stream/model-failure.ts";
import { statusOfCode } from "../../stream/status-of-code.ts";
import type { JsonFields } from "../../stream/json-fields.ts";
import { modelError } from "../../../agent/state/model-error.ts";
import { providerFailure, type ProviderFailure } from "../realtime/provider-failure.ts";

/** The acts of a connection, by which its events are named. */
export type ActKind =
  | "append"
  | "ask"
  | "cancel"
  | "change"
  | "clear"
  | "commit"
  | "delete"
  | "history"
  | "item"
  | "respond"
  | "session"
  | "truncate";

const NOT_ACTIVE = "response_cancel_not_active";
/** Items that are gone already, and audio that was heard to its end. */
const TOO_LATE = /not[_ ]found|no item|does not exist|invalid_item_id|already shorter/i;

/** Whether it says only that an act came too late, or that the provider is there. */
export function isHarmless(
  act: ActKind | undefined,
  { code, message }: { readonly code: string; readonly message: string },
): boolean {
  if (act === "ask" || act === "cancel" || code === NOT_ACTIVE) return true;
  const isLate = TOO_LATE.test(code) || TOO_LATE.test(message);
  return (act === "delete" || act === "truncate") && isLate;
}

/** The failure that an error of the provider's is. @param redact Its words, as people may see them. */
export function refusalOf(error: JsonFields, redact: (text: string) => string): ProviderFailure {
  const { code = "", message = "" } = wordsOf(error);
  const type = typeof error["type"] === "string" ? error["type"] : "";
  const status = statusOfCode(code) ?? statusOfCode(type);
  const words = {
    ...(code !== "" && { code: redact(code) }),
    ...(message !== "" && { message: redact(message) }),
  };
  // A response that is still under way is over soon.
  if (status === undefined || code === "conversation_already_has_active_response") {
    return providerFailure("provider_error", words);
  }
  const { type: errorType, kind } = classifyRefusal(status, error);
  return { error: modelError(errorType), report: { kind, ...words } };
}
