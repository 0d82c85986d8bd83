import { accept, refuse, type Result } from "../../protocol/errors.ts";
import type { StreamRequest } from "../api/stream-request.ts";
import type { StreamCredential } from "./stream-credentials.ts";
import type { Subscribers } from "./subscribers.ts";

interface KnownCredentials {
  readonly tokens: { findExpiry(id: string, nowMs: number): number | null };
  readonly subscribers: Pick<Subscribers, "isKeyCut">;
}

/** The credential whose end closes the stream; null for a Worker of the previous version, which sends no key. */
export function findCredential(
  { tokens, subscribers }: KnownCredentials,
  { tokenId, key }: Pick<StreamRequest, "tokenId" | "key">,
): Result<StreamCredential | null> {
  if (tokenId !== null) {
    const expiresAtMs = tokens.findExpiry(tokenId, Date.now());
    return expiresAtMs === null
      ? refuse("unauthenticated", "the client token was revoked or has expired")
      : accept({ kind: "client_token", id: tokenId, expiresAtMs });
  }
  if (key === null) return accept(null);
  return subscribers.isKeyCut(key.id)
    ? refuse("unauthenticated", "the API key was revoked")
    : accept({ kind: "api_key", ...key });
}
