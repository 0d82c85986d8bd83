import { decodeBase64 } from "../../protocol/base64.ts";
import type { Base64Source } from "../../protocol/messages/blocks.ts";
import { formatId, idTimeMs } from "../../protocol/ids.ts";
import { SNIFFED_BYTES } from "../../protocol/limits/files.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { nowTimestamp } from "../new-id.ts";
import { inBucket } from "./bucket.ts";
import { storeFile } from "./receive-file.ts";
import type { MediaPlace } from "./media-place.ts";
import { sniffType } from "../../storage/files/sniff-type.ts";

/**
 * Stores data as a file of the session. Its id follows from session and content: the same data is one file, however
 * often and by however many requests at once it is sent.
 * @returns the file's id; null for text that is no base64, which stays as it is.
 * @throws HttpError 404 when the session is none, 503 when R2 fails; of D1 for a quota.
 */
export async function keepMedia(
  context: AppContext,
  { tenant_id, session_id }: MediaPlace,
  { data }: Base64Source,
): Promise<string | null> {
  const bytes = decodeBase64(data);
  if (!bytes) return null;
  const id = await idOf(session_id, bytes);
  const { files } = tenantStorage(context.env.DB, tenant_id);
  if (await files.read(id, session_id)) return id;
  const file = {
    id,
    session_id,
    name: null,
    media_type: sniffType(bytes.subarray(0, SNIFFED_BYTES), false) ?? "application/octet-stream",
    bytes: bytes.byteLength,
    created_at: nowTimestamp(),
  };
  const wanted = { keep: () => undefined, isShared: true };
  await storeFile({ env: context.env, tenantId: tenant_id }, file, wanted, async (key) => {
    const httpMetadata = { contentType: file.media_type };
    const { etag } = await inBucket(() => context.env.FILES.put(key, bytes, { httpMetadata }));
    return { etag, bytes: bytes.byteLength };
  });
  return id;
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
