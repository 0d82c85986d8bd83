// Stores a file: the row, the object, the row again, so that a crash in between leaves a row by which the sweep finds
// both.
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import type { NewFile } from "./begin-upload.ts";
import { fileKey } from "./file-key.ts";
import type { FileRecord, FileStorage } from "./file-storage.ts";

/** The part of R2 that is written to. */
export interface FileBucket {
  put(
    key: string,
    bytes: Uint8Array,
    options: { readonly httpMetadata: { readonly contentType: string } },
  ): Promise<{ readonly etag: string }>;
  delete(key: string): Promise<void>;
}

export interface FileStore {
  readonly tenantId: string;
  /** The tenant's rows. */
  readonly files: FileStorage;
  readonly bucket: FileBucket;
}

export interface StoreOptions {
  /** Writes the object. */
  readonly put: (key: string) => Promise<{ readonly etag: string; readonly bytes: number }>;
  /** The statement that keeps the answer under the request's idempotency key. */
  readonly keep?: (file: FileRecord) => KeepAnswer | undefined;
  /** Other callers may store the same file at the same time, since its id follows from its content. */
  readonly isShared: boolean;
  /** See {@link FileStorage.finish}. */
  readonly dueAt?: string;
  /** See {@link FileStorage.begin}. */
  readonly share?: EndUserShareChange | undefined;
}

export type StoreOutcome =
  | { readonly ok: true; readonly file: FileRecord }
  /** `gone`: the session is none, or it or the tenant was deleted. `deleting`: the same file is being deleted. */
  | { readonly ok: false; readonly reason: "gone" | "deleting" };

/** @throws when D1 or `put` fails, or the quota of stored bytes or a share of it is exceeded. Nothing is readable then. */
export async function storeFile(
  { tenantId, files, bucket }: FileStore,
  file: NewFile,
  { put, keep, isShared, dueAt, share }: StoreOptions,
): Promise<StoreOutcome> {
  const status = await files.begin(file, share);
  if (status === null) return { ok: false, reason: "gone" };
  if (status === "deleting") return { ok: false, reason: "deleting" };
  const key = fileKey(tenantId, file.id);
  try {
    const { etag, bytes } = await put(key);
    const uploaded = { etag, bytes, media_type: file.media_type };
    const record = await files.finish(file.id, uploaded, {
      keep: keep?.({ ...file, ...uploaded }),
      ...(dueAt !== undefined && { dueAt }),
      share,
    });
    if (record) return { ok: true, file: record };
  } catch (error) {
    if (!isShared) await giveUp(files.abandon(file.id, new Date().toISOString()));
    throw error;
  }
  const finished = isShared ? await files.read(file.id) : null;
  if (finished) return { ok: true, file: finished };
  // The file's session or tenant was deleted meanwhile, and the row with it.
  await giveUp(bucket.delete(key));
  return { ok: false, reason: "gone" };
}

/** Waits for work whose failure the sweep makes good. */
async function giveUp(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) =>
    console.warn("files: an upload was not cleaned up; the sweep will", { error: String(error) }),
  );
}
