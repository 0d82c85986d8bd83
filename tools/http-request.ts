// The request that a call of an http tool is: its body, its headers, its signature.
import type { ToolCallRequest } from "../agent/ports.ts";
import type { HttpTool } from "../protocol/api/agents.ts";
import { parseWebhookSecret, signWebhook } from "./webhook-signature.ts";

/** Headers that say what we send and to whom: a tool's definition cannot set them. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "content-type",
  "host",
  "idempotency-key",
  "transfer-encoding",
  "webhook-id",
  "webhook-signature",
  "webhook-timestamp",
]);

/** Printable ASCII without spaces at its ends: what a header can carry. */
const SENDABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

export type PreparedRequest =
  | { readonly ok: true; readonly init: RequestInit }
  /** What is wrong with the tool's credentials, for the model and the tenant. */
  | { readonly ok: false; readonly reason: string };

export interface RequestContext {
  readonly request: ToolCallRequest;
  /** The agent's secrets in the clear, by credential id. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly nowMs: number;
}

export async function prepareRequest(
  tool: HttpTool,
  { request, secrets, nowMs }: RequestContext,
): Promise<PreparedRequest> {
  const { tool_call_id, name, input, session_id, reply_id, end_user_id } = request;
  const body = JSON.stringify({ tool_call_id, name, input, session_id, reply_id, end_user_id });
  const id = callKey(request);
  const timestamp = Math.floor(nowMs / 1_000);

  const headers = new Headers({ accept: "application/json, text/event-stream, text/*" });
  for (const [header, value] of Object.entries(tool.headers ?? {})) {
    if (!OWN_HEADERS.has(header.toLowerCase())) headers.set(header, value);
  }
  headers.set("content-type", "application/json");
  headers.set("idempotency-key", id);
  headers.set("webhook-id", id);
  headers.set("webhook-timestamp", String(timestamp));

  if (tool.credential_id !== undefined) {
    const secret = secrets.get(tool.credential_id);
    if (!secret) return missing("credential_id");
    if (!SENDABLE.test(secret)) {
      return refuse("The credential that the tool's credential_id names cannot stand in a header.");
    }
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${secret}`);
  }
  if (tool.signing_credential_id !== undefined) {
    const secret = secrets.get(tool.signing_credential_id);
    if (!secret) return missing("signing_credential_id");
    const keys = parseWebhookSecret(secret);
    if (!keys) {
      return refuse(
        "The credential that the tool's signing_credential_id names is no whsec_ secret of 24 bytes or more.",
      );
    }
    headers.set("webhook-signature", await signWebhook(keys, { id, timestamp, body }));
  }
  return { ok: true, init: { method: "POST", headers, body } };
}

function missing(field: string): PreparedRequest {
  return refuse(`The credential that the tool's ${field} names is not there.`);
}

function refuse(reason: string): PreparedRequest {
  return { ok: false, reason };
}

/** The same for each attempt at a call; a call's id is unique in its session only. Without a dot. */
function callKey({ session_id, tool_call_id }: ToolCallRequest): string {
  return `${session_id}:${encodeURIComponent(tool_call_id.toWellFormed()).replaceAll(".", "%2E")}`;
}
