// One upload: its length, its type, its bytes.
import type { FileUploadQuery } from "../../protocol/files/contract.ts";
import { MAX_FILE_BYTES, SNIFFED_BYTES } from "../../protocol/files/limits.ts";
import type { NewFile } from "../../storage/files/begin-upload.ts";
import type { FileRecord } from "../../storage/files/file-storage.ts";
import { storeFile } from "../../storage/files/store-file.ts";
import type { KeepAnswer } from "../../storage/requests/idempotency-storage.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { fieldError, HttpError } from "../http-error.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { shareOf, tenantOf } from "../principal.ts";
import { BodyPieces, tooLarge } from "./body-pieces.ts";
import { putFile } from "./put-file.ts";
import { refusedFile } from "./refused-file.ts";
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
    const { DB, FILES } = context.env;
    const tenantId = tenantOf(context);
    const { files } = tenantStorage(DB, tenantId);
    const stored = await storeFile({ tenantId, files, bucket: FILES }, file, {
      keep,
      share: shareOf(context.get("principal")),
      isShared: false,
      async put(key) {
        const etag = await putFile(FILES, { key, head, pieces, length, media_type });
        return { etag, bytes: pieces.bytes };
      },
    });
    if (!stored.ok) throw refusedFile(stored.reason);
    return stored.file;
  } finally {
    await pieces.cancel();
  }
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
  if (!/^\d{1,15}$/.test(header)) {
    throw fieldError("validation_failed", "#/header/Content-Length", "is no number of bytes");
  }
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
