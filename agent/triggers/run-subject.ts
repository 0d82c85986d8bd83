// The subject of a run: its input, the end user whose it is, and the session that goes on.
import { MAX_END_USER_ID_CHARACTERS } from "../../protocol/end-users/limits.ts";
import type { TriggerDefinition } from "../../protocol/triggers/contract.ts";
import { MAX_SESSION_KEY_CHARACTERS } from "../../protocol/triggers/limits.ts";
import { textsOf } from "../../protocol/triggers/payload-template.ts";
import type { TriggeredInput } from "../../protocol/triggers/run-input.ts";
import { fillInput, memberAt } from "./fill-input.ts";

interface Subject {
  readonly input: TriggeredInput;
  /** Of a session by key alone. */
  readonly session_key: string | null;
  readonly end_user_id: string | null;
  /** The input has content of a payload that nobody vouches for. */
  readonly is_untrusted: boolean;
}

export type SubjectReading =
  | { readonly ok: true; readonly subject: Subject }
  /** The reason that nothing can be run, as a sentence for the sender. */
  | { readonly ok: false; readonly problem: string };

type Subjects = Pick<TriggerDefinition, "input" | "session" | "end_user_id" | "returns_untrusted">;

/**
 * @param payload Of a verified delivery, or in its place of a run by hand; undefined where there is none.
 * @param hasWebhook Only a trigger with a webhook has templates: in others braces are text.
 */
export function readSubject(
  { input, session, end_user_id, returns_untrusted }: Subjects,
  { hasWebhook, payload }: { readonly hasWebhook: boolean; readonly payload?: unknown },
): SubjectReading {
  const filled = hasWebhook ? fillInput(input, payload) : { input, has_payload: false };
  if (textsOf(filled.input).every((text) => text.trim() === "")) {
    return failed("the payload leaves the input empty");
  }
  const key = session?.mode === "keyed" ? session.key : null;
  const session_key =
    key === null ? null : "value" in key ? key.value : nameAt(payload, key.pointer);
  if (key !== null && session_key === null) return failed(noName("the key of the session", key));
  if ((session_key ?? "").length > MAX_SESSION_KEY_CHARACTERS) {
    return failed(`the key of the session has more than ${MAX_SESSION_KEY_CHARACTERS} characters`);
  }
  let endUserId = typeof end_user_id === "string" ? end_user_id : null;
  if (end_user_id !== null && typeof end_user_id !== "string") {
    const name = nameAt(payload, end_user_id.pointer);
    if (name === null) return failed(noName("the end user's id", end_user_id));
    endUserId = `${end_user_id.prefix}${name}`;
    if (endUserId.length > MAX_END_USER_ID_CHARACTERS) {
      return failed(`the end user's id has more than ${MAX_END_USER_ID_CHARACTERS} characters`);
    }
  }
  const is_untrusted = returns_untrusted && filled.has_payload;
  return {
    ok: true,
    subject: { input: filled.input, session_key, end_user_id: endUserId, is_untrusted },
  };
}

/** A text or a whole number at a JSON pointer; null for anything else, which is nobody's name. */
function nameAt(payload: unknown, pointer: string): string | null {
  const path = pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  const value = memberAt(payload, path);
  if (Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

function noName(what: string, place: { readonly pointer?: string; readonly value?: string }) {
  return `the payload has no text and no whole number at ${place.pointer}, where ${what} is`;
}

function failed(problem: string): SubjectReading {
  return { ok: false, problem };
}
