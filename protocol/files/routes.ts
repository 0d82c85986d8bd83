// Routes on files.
import {
  FilePageSchema,
  FileLinkCreateSchema,
  FileLinkSchema,
  FileListQuerySchema,
  FileUploadQuerySchema,
  StoredFileSchema,
} from "./contract.ts";
import { SESSION_ID } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { FILE_WORDS } from "./words.ts";

const FILE_ID = "fil_01kaj2vf3h8m2p6r0t4w7y1a5c";

const file = {
  id: FILE_ID,
  session_id: SESSION_ID,
  name: "receipt.png",
  media_type: "image/png",
  bytes: 8_123_456,
  url: `https://reprise.example/v1/files/${FILE_ID}/content`,
  created_at: "2026-11-21T09:30:00.000Z",
};

const FILE_ROUTES = [
  {
    name: "uploadFile",
    method: "POST",
    path: "/v1/files",
    access: "files:write",
    verb: "upload",
    finds_session: true,
    keeps_keys: "database",
    body: "file",
    tag: "Files",
    summary: "Upload a file",
    description: [
      "The body is the file's bytes, with or without a `Content-Length`; its type is recognised by them, and a `Content-Type` that",
      "contradicts them is refused. A file of a session is deleted with the last session that names it; a file of the tenant stays",
      "until it is deleted. With an `Idempotency-Key`, another type, length or `Content-Digest` counts as another request.",
    ].join(" "),
    query: FileUploadQuerySchema,
    queryDescriptions: {
      session_id: "The session that it is for. A client token names its own, which is the default.",
    },
    answers: {
      201: {
        description: "The file.",
        json: StoredFileSchema,
        headers: ["Location"],
        examples: ["file"],
      },
    },
    errors: ["not_found", "quota_exceeded", "body_too_large", "unsupported_media_type"],
  },

  {
    name: "listFiles",
    method: "GET",
    path: "/v1/files",
    access: "files:read",
    verb: "read",
    finds_session: true,
    body: "none",
    tag: "Files",
    summary: "List files",
    description: "Newest first. A client token lists those of its session.",
    query: FileListQuerySchema,
    queryDescriptions: {
      session_id: "Only files of this session. A client token names its own, which is the default.",
    },
    answers: { 200: { description: "A page of files.", json: FilePageSchema } },
    errors: ["not_found"],
  },

  {
    name: "readFile",
    method: "GET",
    path: "/v1/files/{file_id}",
    access: "files:read",
    verb: "read",
    finds_session: true,
    body: "none",
    tag: "Files",
    summary: "Get a file's metadata",
    description: "Its type, size and address. A client token reads those of its session.",
    answers: { 200: { description: "The file.", json: StoredFileSchema, examples: ["file"] } },
  },

  {
    name: "readFileContent",
    method: "GET",
    path: "/v1/files/{file_id}/content",
    access: "files:read",
    verb: "read",
    finds_session: true,
    body: "none",
    tag: "Files",
    summary: "Get a file's bytes",
    description:
      "Whole, or the range that a `Range` header asks for. What a browser could run is sent as a download.",
    headers: ["Range", "If-Range", "If-None-Match"],
    answers: {
      200: { description: "The bytes.", other: "*/*", headers: ["ETag"] },
      206: { description: "The bytes of the range.", other: "*/*", headers: ["ETag"] },
      304: { description: "The caller has them.", headers: ["ETag"] },
    },
    errors: ["range_invalid"],
  },

  {
    name: "deleteFile",
    method: "DELETE",
    path: "/v1/files/{file_id}",
    access: "files:write",
    body: "none",
    tag: "Files",
    summary: "Delete a file",
    description: "At once, also when messages name it: for their readers it is then gone.",
    answers: { 204: { description: "The file is deleted." } },
  },

  {
    name: "createFileLink",
    method: "POST",
    path: "/v1/files/{file_id}/links",
    access: "files:read",
    verb: "read",
    finds_session: true,
    body: "small",
    tag: "Files",
    summary: "Create a link to a file's bytes",
    description:
      "For an `<img>`, which sends no credential. It works until it expires, a client token's link no longer than the token, also when that is revoked. It is not an address for messages.",
    request: { json: FileLinkCreateSchema, examples: ["newFileLink"] },
    answers: {
      201: { description: "The link.", json: FileLinkSchema, examples: ["fileLink"] },
    },
  },

  {
    name: "readFileLink",
    method: "GET",
    path: "/v1/file-links/{link_token}",
    access: "public",
    is_signed: true,
    body: "none",
    tag: "Files",
    summary: "Get a file's bytes by a link",
    description:
      "The link itself is the credential. Otherwise as `GET /v1/files/{file_id}/content`.",
    headers: ["Range", "If-Range", "If-None-Match"],
    answers: {
      200: { description: "The bytes.", other: "*/*", headers: ["ETag"] },
      206: { description: "The bytes of the range.", other: "*/*", headers: ["ETag"] },
      304: { description: "The caller has them.", headers: ["ETag"] },
    },
    errors: ["unauthenticated", "range_invalid"],
  },
] as const satisfies readonly DocumentedRoute[];

export const FILE_CONTRACT = {
  tags: {
    Files: "Images and documents that messages name by an address, instead of holding them.",
  },
  routes: FILE_ROUTES,
  pathParameters: {
    file_id: { form: "fil", description: "The file." },
    link_token: { form: "token", description: "The signed part of the link." },
  },
  queryParameters: {
    filename: "The file's name: a label, without a path.",
  },
  fields: FILE_WORDS,
  examples: {
    file: { summary: "A photograph of a receipt", value: file },
    newFileLink: { summary: "For five minutes", value: { ttl_seconds: 300 } },
    fileLink: {
      summary: "A link",
      value: {
        url: "https://reprise.example/v1/file-links/fl_…",
        expires_at: "2026-11-21T09:35:00.000Z",
      },
    },
  },
} as const satisfies Contract;
