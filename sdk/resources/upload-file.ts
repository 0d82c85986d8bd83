import type { StoredFile } from "../../protocol/files/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { Transport } from "../transport/transport.ts";

export interface UploadOptions extends RequestOptions {
  readonly filename?: string;
  /** The session that the file is for, with which it is deleted; a file of the tenant when left out. */
  readonly sessionId?: string;
  /** Until the answer begins; ten minutes by default, since the bytes have to be sent first. */
  readonly timeoutMs?: number;
}

export type FileContent = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

const UPLOAD_MS = 600_000;

export function uploadFile(
  transport: Transport,
  bytes: FileContent,
  { filename, sessionId, timeoutMs = UPLOAD_MS, ...options }: UploadOptions = {},
): Promise<StoredFile> {
  return transport.call({
    ...options,
    method: "POST",
    path: ["files"],
    query: { filename, session_id: sessionId },
    bytes,
    timeoutMs,
  });
}
