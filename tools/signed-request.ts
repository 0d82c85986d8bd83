// Requests to a tenant's own server: its headers, its secrets, and the signature of what it is sent.
import { PLATFORM_HEADERS } from "../protocol/schemas/header-fields.ts";
import type { SecretSource } from "../outgoing/secret-source.ts";
import { parseWebhookSecret, signWebhook } from "../webhooks/webhook-signature.ts";

/** Printable ASCII without spaces at its ends, as a header may hold it. */
const SENDABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** The server of a definition. */
export interface SignedTarget {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly secret_headers?: Readonly<Record<string, string>> | undefined;
  readonly credential_id?: string | undefined;
  readonly signing_credential_id?: string | undefined;
}

/** The problem with the definition's credentials, for the model and the tenant. */
interface Refused {
  readonly ok: false;
  readonly reason: string;
}

export type PreparedRequest =
  | {
      readonly ok: true;
      readonly init: RequestInit;
      /** Texts that were sent, or signed with, as secrets: the server may repeat them. */
      readonly secrets: readonly string[];
    }
  | Refused;

interface SignedContent {
  /** The same at each attempt. Without a dot. */
  readonly id: string;
  readonly body: string;
  readonly nowMs: number;
  readonly secrets: SecretSource;
  /** The word for what has the definition. */
  readonly of: "tool" | "hook" | "code_agent";
}

/** A POST of JSON. Contract: never throws. */
export async function signedRequest(
  target: SignedTarget,
  { id, body, nowMs, secrets, of }: SignedContent,
): Promise<PreparedRequest> {
  const timestamp = Math.floor(nowMs / 1_000);
  const made = targetHeaders(target, { address: target.url, secrets, of });
  if (!made.ok) return made;
  const { headers } = made;
  const sent = [...made.secrets];
  headers.set("content-type", "application/json");
  headers.set("idempotency-key", id);
  headers.set("webhook-id", id);
  headers.set("webhook-timestamp", String(timestamp));

  const { signing_credential_id, url } = target;
  if (signing_credential_id !== undefined) {
    const granted = secrets(signing_credential_id, url);
    if (!granted.ok) return refuse(of, signing_credential_id, SIGNING, granted.problem);
    const keys = parseWebhookSecret(granted.secret);
    if (!keys) {
      return refuse(of, signing_credential_id, SIGNING, "is no whsec_ secret of 24 bytes or more");
    }
    sent.push(granted.secret);
    headers.set("webhook-signature", await signWebhook(keys, { id, timestamp, body }));
  }
  return { ok: true, init: { method: "POST", headers, body }, secrets: sent };
}

/** A definition's own headers and secrets, for a request to `address`. Headers of the platform are not among them. */
export function targetHeaders(
  target: Omit<SignedTarget, "url">,
  { address, secrets, of }: { readonly address: string } & Pick<SignedContent, "secrets" | "of">,
): { readonly ok: true; readonly headers: Headers; readonly secrets: readonly string[] } | Refused {
  const sent: string[] = [];
  const headers = new Headers({ accept: ACCEPTED[of] });
  for (const [header, value] of Object.entries(target.headers ?? {})) {
    if (!PLATFORM_HEADERS.has(header.toLowerCase())) headers.set(header, value);
  }
  for (const [header, credentialId] of secretHeaders(target)) {
    const place = header === BEARER ? "credential_id" : `secret_headers.${header}`;
    const granted = secrets(credentialId, address);
    if (!granted.ok) return refuse(of, credentialId, place, granted.problem);
    if (!SENDABLE.test(granted.secret)) {
      return refuse(of, credentialId, place, "cannot be sent in a header");
    }
    sent.push(granted.secret);
    if (header !== BEARER) headers.set(header, granted.secret);
    else if (!headers.has("authorization")) {
      headers.set("authorization", `Bearer ${granted.secret}`);
    }
  }
  return { ok: true, headers, secrets: sent };
}

const ACCEPTED: Readonly<Record<SignedContent["of"], string>> = {
  tool: "application/json, text/event-stream, text/*",
  hook: "application/json",
  code_agent: "text/event-stream, application/json",
};
const SIGNING = "signing_credential_id";
/** The key of `credential_id` beside the names of `secret_headers`; no header has this name. */
const BEARER = "";

function secretHeaders({
  secret_headers = {},
  credential_id,
}: Omit<SignedTarget, "url">): [string, string][] {
  const named = Object.entries(secret_headers);
  return credential_id === undefined ? named : [...named, [BEARER, credential_id]];
}

function refuse(
  of: SignedContent["of"],
  credentialId: string,
  place: string,
  problem: string,
): Refused {
  const reason = `The credential ${credentialId} that the ${of}'s ${place} names ${problem}.`;
  return { ok: false, reason };
}
