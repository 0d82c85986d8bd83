// One upload: the row, the object, the row again, so that a crash in between leaves a row by which the sweep finds both.
import type { FileUploadQuery } from "../../protocol/api/files.ts";
import { MAX_FILE_BYTES, SNIFFED_BYTES } from "../../protocol/limits/files.ts";
import { UNAVAILABLE_RETRY_SECONDS } from "../../protocol/limits/requests.ts";
import { fileKey } from "../../storage/files/file-key.ts";
import type { FileRecord, NewFile } from "../../storage/files/file-storage.ts";
import type { KeepAnswer } from "../../storage/statements/idempotency-storage.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError, HttpError, notFound } from "../http-error.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { BodyPieces, tooLarge } from "./body-pieces.ts";
import { putFile } from "./put-file.ts";
import { settleType } from "./settle-type.ts";

interface Wanted {
  readonly name: FileUploadQuery["filename"];
  readonly session_id: string | null;
  /** The statement that keeps the answer under the request's idempotency key. */
  readonly keep: (file: FileRecord) => KeepAnswer | undefined;
}

/**
 * Stores the request's body as a file.
 * @throws HttpError 400 for an empty or cut body and for a type that the bytes contradict, 413 above
 *   {@link MAX_FILE_BYTES}, 404 for a session that is none; of D1 for a quota. Nothing is stored then.
 */
export async function receiveFile(
  context: AppContext,
  { name, session_id, keep }: Wanted,
): Promise<FileRecord> {
  const length = lengthOf(context);
  const { body, headers } = context.req.raw;
  if (!body || length === 0) throw fieldError("validation_failed", "#", "the file is empty");
  const pieces = new BodyPieces(body);
  try {
    const head = await pieces.readHead(Math.min(SNIFFED_BYTES, length ?? SNIFFED_BYTES));
    if (head.byteLength === 0) throw fieldError("validation_failed", "#", "the file is empty");
    const isWhole = head.byteLength === length || head.byteLength < SNIFFED_BYTES;
    const media_type = typeOf(head, isWhole, headers.get("Content-Type") ?? undefined);
    const file: NewFile = {
      id: newId("fil"),
      session_id,
      name: name ?? null,
      media_type,
      bytes: length ?? 0,
      created_at: nowTimestamp(),
    };
    const owner = { env: context.env, tenantId: tenantOf(context) };
    const wanted = { keep, isShared: false };
    return await storeFile(owner, file, wanted, (key) =>
      putFile(context.env.FILES, { key, head, pieces, length, media_type }).then((etag) => {
        return { etag, bytes: pieces.bytes };
      }),
    );
  } finally {
    await pieces.cancel();
  }
}

interface FileOwner {
  readonly env: Pick<Env, "DB" | "FILES">;
  readonly tenantId: string;
}

interface StoreOptions {
  readonly keep: (file: FileRecord) => KeepAnswer | undefined;
  /** Other requests may store the same file at the same time, since its id follows from its content. */
  readonly isShared: boolean;
}

/** @param put Writes the object. @throws HttpError 404 when the session is none, or has gone meanwhile. */
export async function storeFile(
  { env, tenantId }: FileOwner,
  file: NewFile,
  { keep, isShared }: StoreOptions,
  put: (key: string) => Promise<{ readonly etag: string; readonly bytes: number }>,
): Promise<FileRecord> {
  const { files } = tenantStorage(env.DB, tenantId);
  const status = await files.begin(file);
  if (status === null) throw notFound("session");
  if (status === "deleting") throw stillDeleting();
  const key = fileKey(tenantId, file.id);
  try {
    const { etag, bytes } = await put(key);
    const uploaded = { etag, bytes, media_type: file.media_type };
    const record = await files.finish(file.id, uploaded, keep({ ...file, ...uploaded }));
    if (record) return record;
  } catch (error) {
    if (!isShared) await giveUp(files.abandon(file.id, nowTimestamp()));
    throw error;
  }
  const finished = isShared ? await files.read(file.id) : null;
  if (finished) return finished;
  // Its session or tenant was deleted meanwhile, and the row with it.
  await giveUp(env.FILES.delete(key));
  throw notFound("session");
}

/** The row of a file that is being deleted is in the way of a new one of the same id. */
function stillDeleting(): HttpError {
  return new HttpError("unavailable", "a file with this content is being deleted; try again", {
    headers: { "Retry-After": String(UNAVAILABLE_RETRY_SECONDS) },
  });
}

/** What fails here is found by the sweep. */
async function giveUp(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) =>
    console.warn("files: an upload was not cleaned up; the sweep will", { error: String(error) }),
  );
}

function lengthOf(context: AppContext): number | null {
  const header = context.req.header("Content-Length");
  const coding = context.req.header("Content-Encoding")?.trim().toLowerCase() ?? "identity";
  if (coding !== "identity") {
    throw new HttpError(
      "unsupported_media_type",
      "send the file as it is: a compressed body is not unpacked",
    );
  }
  if (header === undefined) return null;
  const length = Number(header);
  if (length > MAX_FILE_BYTES) throw tooLarge();
  return length;
}

function typeOf(head: Uint8Array, isWhole: boolean, declared: string | undefined): string {
  if (declared?.toLowerCase().startsWith("multipart/form-data")) {
    throw new HttpError(
      "unsupported_media_type",
      "send the file's bytes as the body, not a form; its name goes into ?filename=",
    );
  }
  const settled = settleType(head, { isWhole, declared });
  if (settled.ok) return settled.media_type;
  const found = settled.found ?? "nothing that is recognised";
  throw fieldError(
    "validation_failed",
    "#/header/Content-Type",
    `the header says ${settled.declared.slice(0, 100)}, the bytes say ${found}: correct the header, or leave it out`,
  );
}
