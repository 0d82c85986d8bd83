import type { FileLink, StoredFile } from "../../protocol/files/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { deleteAt, postTo } from "../transport/write-requests.ts";
import { uploadFile, type FileContent, type UploadOptions } from "./upload-file.ts";

export interface FileListFilter extends ListQuery {
  /** Only files that this session names. */
  readonly session_id?: string;
}

/** Files that messages name by their `url`. */
export interface Files {
  /** The type is recognised by the bytes; that of a blob tells apart what they do not, and may not contradict them. Retried like any request: the bytes are held until it is answered. */
  upload(content: FileContent, options?: UploadOptions): Promise<StoredFile>;
  list(query?: FileListFilter, options?: RequestOptions): Paged<StoredFile>;
  get(id: string, options?: RequestOptions): Promise<StoredFile>;
  /** The bytes, as a response whose body is not read yet. */
  content(id: string, options?: RequestOptions): Promise<Response>;
  delete(id: string, options?: RequestOptions): Promise<void>;
  /** A link for an `<img>`, which sends no credential. @param ttlSeconds Until it expires; 15 minutes by default. */
  link(id: string, ttlSeconds?: number, options?: RequestOptions): Promise<FileLink>;
}

export function filesOf(transport: Transport): Files {
  return {
    upload: (bytes, options) => uploadFile(transport, bytes, options),
    list: (query, options) => transport.list(["files"], query, options),
    get: (id, options) => transport.get(["files", id], options),
    content: async (id, options) => {
      const path = ["files", id, "content"];
      return (await transport.open({ ...options, method: "GET", path })).response;
    },
    delete: async (id, options) => {
      await deleteAt(transport, ["files", id], options);
    },
    link: (id, ttl_seconds, options) =>
      postTo(transport, ["files", id, "links"], { ttl_seconds }, options),
  };
}
