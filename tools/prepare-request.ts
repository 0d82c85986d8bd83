// Builds the request of a call of an http tool: body, headers, signature.
import type { ToolCallRequest } from "../agent/ports.ts";
import type { HttpTool } from "../protocol/tools/http-tool.ts";
import { PLATFORM_HEADERS } from "../protocol/schemas/header-fields.ts";
import type { SecretSource } from "../outgoing/secret-source.ts";
import { wholeJson } from "../outgoing/whole-letters.ts";
import { parseWebhookSecret, signWebhook } from "../webhooks/webhook-signature.ts";

/** Printable ASCII without spaces at its ends, as a header may hold it. */
const SENDABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** The problem with the tool's credentials, for the model and the tenant. */
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

export interface RequestContext {
  readonly request: ToolCallRequest;
  readonly secrets: SecretSource;
  readonly nowMs: number;
  /** Left out for a call that is not let go. */
  readonly task?: { readonly task_id: string; readonly callback_url: string | null };
}

export async function prepareRequest(
  tool: HttpTool,
  { request, secrets, nowMs, task }: RequestContext,
): Promise<PreparedRequest> {
  const { tool_call_id, name, input, session_id, reply_id, end_user_id } = request;
  const sentCall = { tool_call_id, name, input, session_id, reply_id, end_user_id };
  const place = task && { task_id: task.task_id, callback_url: task.callback_url };
  const body = wholeJson({ ...sentCall, ...place });
  const id = callKey(request);
  const timestamp = Math.floor(nowMs / 1_000);

  const made = toolHeaders(tool, tool.url, secrets);
  if (!made.ok) return made;
  const { headers } = made;
  const sent = [...made.secrets];
  headers.set("content-type", "application/json");
  headers.set("idempotency-key", id);
  headers.set("webhook-id", id);
  headers.set("webhook-timestamp", String(timestamp));

  const { signing_credential_id } = tool;
  if (signing_credential_id !== undefined) {
    const granted = secrets(signing_credential_id, tool.url);
    if (!granted.ok) return refuse(signing_credential_id, SIGNING, granted.problem);
    const keys = parseWebhookSecret(granted.secret);
    if (!keys) {
      return refuse(signing_credential_id, SIGNING, "is no whsec_ secret of 24 bytes or more");
    }
    sent.push(granted.secret);
    headers.set("webhook-signature", await signWebhook(keys, { id, timestamp, body }));
  }
  return { ok: true, init: { method: "POST", headers, body }, secrets: sent };
}

/** A tool's own headers and secrets, for a request to `address`. Headers of the platform are not among them. */
export function toolHeaders(
  tool: HttpTool,
  address: string,
  secrets: SecretSource,
): { readonly ok: true; readonly headers: Headers; readonly secrets: readonly string[] } | Refused {
  const sent: string[] = [];
  const headers = new Headers({ accept: "application/json, text/event-stream, text/*" });
  for (const [header, value] of Object.entries(tool.headers ?? {})) {
    if (!PLATFORM_HEADERS.has(header.toLowerCase())) headers.set(header, value);
  }
  for (const [header, credentialId] of secretHeaders(tool)) {
    const place = header === BEARER ? "credential_id" : `secret_headers.${header}`;
    const granted = secrets(credentialId, address);
    if (!granted.ok) return refuse(credentialId, place, granted.problem);
    if (!SENDABLE.test(granted.secret)) {
      return refuse(credentialId, place, "cannot be sent in a header");
    }
    sent.push(granted.secret);
    if (header !== BEARER) headers.set(header, granted.secret);
    else if (!headers.has("authorization")) {
      headers.set("authorization", `Bearer ${granted.secret}`);
    }
  }
  return { ok: true, headers, secrets: sent };
}

const SIGNING = "signing_credential_id";
/** The key of `credential_id` beside the names of `secret_headers`; no header has this name. */
const BEARER = "";

function secretHeaders({ secret_headers = {}, credential_id }: HttpTool): [string, string][] {
  const named = Object.entries(secret_headers);
  return credential_id === undefined ? named : [...named, [BEARER, credential_id]];
}

function refuse(credentialId: string, place: string, problem: string): Refused {
  const reason = `The credential ${credentialId} that the tool's ${place} names ${problem}.`;
  return { ok: false, reason };
}

/**
 * The idempotency key of a call, the same at each attempt. It includes the session, since a call's id is unique only
 * there. Without a dot.
 */
function callKey({ session_id, tool_call_id }: ToolCallRequest): string {
  return `${session_id}:${encodeURIComponent(tool_call_id.toWellFormed()).replaceAll(".", "%2E")}`;
}
