import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import { formatId, idTimeMs } from "../../protocol/ids.ts";
import { SNIFFED_BYTES } from "../../protocol/files/limits.ts";
import { sniffType } from "./sniff-type.ts";
import { storeFile, type FileStore, type StoreOutcome } from "./store-file.ts";

export interface KeptBytes {
  readonly sessionId: string;
  readonly bytes: Uint8Array;
  /** When the sweep asks whether the session's log names the file; left out when it is kept as long as the session. */
  readonly dueAt?: string;
  /** See {@link FileStorage.begin}. */
  readonly share?: EndUserShareChange | undefined;
}

/**
 * Stores bytes as a file of a session. Its id follows from session and content: the same bytes are one file, however
 * often and by however many callers at once they are stored.
 * @throws as {@link storeFile}; what R2 throws is passed on.
 */
export async function keepMedia(
  store: FileStore,
  { sessionId, bytes, dueAt, share }: KeptBytes,
): Promise<StoreOutcome> {
  const id = await idOf(sessionId, bytes);
  const known = await store.files.reuse(id, sessionId, dueAt ?? null);
  if (known) return { ok: true, file: known };
  const file = {
    id,
    session_id: sessionId,
    name: null,
    media_type: sniffType(bytes.subarray(0, SNIFFED_BYTES), false) ?? "application/octet-stream",
    bytes: bytes.byteLength,
    created_at: new Date().toISOString(),
  };
  return storeFile(store, file, {
    isShared: true,
    share,
    ...(dueAt !== undefined && { dueAt }),
    async put(key) {
      const httpMetadata = { contentType: file.media_type };
      const { etag } = await store.bucket.put(key, bytes, { httpMetadata });
      return { etag, bytes: bytes.byteLength };
    },
  });
}

/** Sorts by the time of the session: the time of the request would make a repeated one another file. */
async function idOf(sessionId: string, bytes: Uint8Array): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const scope = new TextEncoder().encode(`${sessionId} `);
  const scoped = new Uint8Array(scope.byteLength + digest.byteLength);
  scoped.set(scope);
  scoped.set(digest, scope.byteLength);
  const id = new Uint8Array(await crypto.subtle.digest("SHA-256", scoped));
  return formatId("fil", idTimeMs(sessionId), id);
}
