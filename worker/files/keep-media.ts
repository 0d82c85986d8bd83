import { LARGE_VALUE_CHARACTERS } from "../../protocol/requests/limits.ts";
import { readBase64Bytes } from "../../protocol/read-base64.ts";
import { putInSlices } from "../../runtime/put-in-slices.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { keepMedia as storeMedia } from "../../storage/files/keep-media.ts";
import type { FileBucket } from "../../storage/files/store-file.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { shareOf } from "../principal.ts";
import { inBucket } from "./bucket.ts";
import type { MediaPlace } from "./media-place.ts";
import { refusedFile } from "./refused-file.ts";

/**
 * Stores base64 data as a file of the session; a repeated request finds the same one.
 * @returns the file's id; null for text that is no base64, or holds no byte.
 * @throws HttpError 404 when the session is none, 503 when R2 fails; of D1 for a quota.
 */
export async function keepMedia(
  context: AppContext,
  { tenant_id, session_id }: MediaPlace,
  data: string,
): Promise<string | null> {
  const bytes = readBase64Bytes(data);
  if (!bytes || bytes.byteLength === 0) return null;
  // The hash is made of the whole data.
  if (bytes.byteLength > LARGE_VALUE_CHARACTERS) await timeSlice();
  const { FILES, DB } = context.env;
  const { files } = tenantStorage(DB, tenant_id);
  const bucket: FileBucket = {
    put: (key, content, options) =>
      inBucket(() => putInSlices(content, (value) => FILES.put(key, value, options))),
    delete: (key) => FILES.delete(key),
  };
  const stored = await storeMedia(
    { tenantId: tenant_id, files, bucket },
    { sessionId: session_id, bytes, share: shareOf(context.get("principal")) },
  );
  if (!stored.ok) throw refusedFile(stored.reason);
  return stored.file.id;
}
