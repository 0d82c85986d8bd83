// The destination of a server's messages, with the headers and secrets of its tenant.
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import type { SecretSource } from "../../outgoing/secret-source.ts";
import type { McpGrant } from "./oauth/mcp-grant.ts";
import type { McpServerDefinition } from "../../protocol/mcp/contract.ts";

export interface McpEndpoint {
  readonly url: string;
  /** The tenant's own and those with secrets. */
  readonly headers: Headers;
  /** Texts that were sent as secrets: the server may repeat them. */
  readonly secrets: readonly string[];
  readonly outgoing: OutgoingFetch;
  /** Bytes of one answer. */
  readonly maxBytes: number;
}

export type McpEndpointMade =
  | { readonly ok: true; readonly endpoint: McpEndpoint }
  /** The problem of the server's credentials. It holds no secret. */
  | { readonly ok: false; readonly reason: string };

/** Printable ASCII without spaces at its ends, as a header may hold it. */
const SENDABLE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

export function mcpEndpoint(
  server: Pick<
    McpServerDefinition,
    "url" | "headers" | "secret_headers" | "credential_id" | "max_bytes"
  >,
  { outgoing, secrets }: { readonly outgoing: OutgoingFetch; readonly secrets: SecretSource },
  grant: McpGrant | null,
): McpEndpointMade {
  const { url, headers: plain = {}, secret_headers = {}, credential_id } = server;
  const headers = new Headers(plain);
  const sent: string[] = [];
  const named = [
    ...Object.entries(secret_headers).map(([header, id]) => ({ header, id, scheme: "" })),
    ...(credential_id === undefined
      ? []
      : [{ header: "authorization", id: credential_id, scheme: "Bearer " }]),
  ];
  for (const { header, id, scheme } of named) {
    const granted = secrets(id, url);
    if (!granted.ok) return { ok: false, reason: `the credential ${id} ${granted.problem}` };
    if (!SENDABLE.test(granted.secret)) {
      return { ok: false, reason: `the secret of the credential ${id} cannot be sent in a header` };
    }
    headers.set(header, `${scheme}${granted.secret}`);
    sent.push(granted.secret);
  }
  return {
    ok: true,
    endpoint: {
      url,
      headers,
      // A token is renewed while the endpoint is used.
      get secrets() {
        return grant ? [...sent, ...grant.secrets] : sent;
      },
      outgoing: grant?.outgoing ?? outgoing,
      maxBytes: server.max_bytes,
    },
  };
}
