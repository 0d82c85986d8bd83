import { ApiError, type HookDefinition } from "../../../../sdk/index.ts";

/** Signature of a hook's questions: none, by a secret that there is, or by one that is made. */
export const UNSIGNED = "";
export const NEW_SECRET = "new";

/** A hook as it is written in the form. */
export interface HookDraft {
  readonly type: "http" | "code";
  readonly name: string;
  readonly point: HookDefinition["point"];
  readonly url: string;
  /** Milliseconds as text; empty for the platform's own choice. */
  readonly timeoutMs: string;
  readonly onFailure: "open" | "closed";
  /** The id of a credential, {@link UNSIGNED} or {@link NEW_SECRET}. */
  readonly signing: string;
}

export const NEW_HOOK: HookDraft = {
  type: "http",
  name: "",
  point: "pre_acting",
  url: "",
  timeoutMs: "",
  onFailure: "closed",
  signing: UNSIGNED,
};

/** The draft of a hook that is changed. */
export function draftOfHook(hook: HookDefinition): HookDraft {
  const { type, name, point, timeout_ms, on_failure } = hook;
  return {
    type,
    name,
    point,
    url: hook.type === "http" ? hook.url : "",
    timeoutMs: String(timeout_ms),
    onFailure: on_failure,
    signing: hook.type === "http" ? (hook.signing_credential_id ?? UNSIGNED) : UNSIGNED,
  };
}

/** Definition that is sent. @param credentialId Of the secret that signs its questions; null when none does. */
export function hookOf(draft: HookDraft, credentialId: string | null) {
  const { type, name, point, url, timeoutMs, onFailure } = draft;
  const shared = {
    name: name.trim(),
    on_failure: onFailure,
    ...(timeoutMs.trim() !== "" && { timeout_ms: Number(timeoutMs) }),
  };
  if (type === "code") return { type, point, ...shared };
  return {
    type,
    point: point as Extract<HookDefinition, { type: "http" }>["point"],
    url: url.trim(),
    ...(credentialId !== null && { signing_credential_id: credentialId }),
    ...shared,
  };
}

/** A secret as in Standard Webhooks, `whsec_` with 32 random bytes, made in this browser. */
export function makeSigningSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

/** Fault of a member of the hook at a place of the list, from a refusal; null for none. */
export function problemAt(error: unknown, index: number, member: string): string | null {
  if (!ApiError.isInstance(error)) return null;
  const pointer = `#/hooks/${index}/${member}`;
  return error.errors.find((one) => one.pointer === pointer)?.detail ?? null;
}
