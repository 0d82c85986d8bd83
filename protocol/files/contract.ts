// Files: bytes that blocks of messages name by a URL, so that neither requests nor logs hold them.
import * as z from "zod";

import {
  DEFAULT_FILE_LINK_SECONDS,
  MAX_FILE_LINK_SECONDS,
  MAX_FILE_NAME_CHARACTERS,
} from "./limits.ts";
import { PageQuerySchema, TimestampSchema, pageOf } from "../schemas/common.ts";

/** A label, never a path: separators, control characters and text direction marks are refused. */
const FileNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_FILE_NAME_CHARACTERS)
  .regex(
    /^[^/\\\p{Cc}\p{Cf}\p{Surrogate}]*$/u,
    "a file's name holds no path and no control character",
  )
  .refine((name) => name !== "." && name !== "..", "a file's name holds no path");

/** The query of `POST /v1/files`; the body is the file's bytes. */
export const FileUploadQuerySchema = z.strictObject({
  filename: FileNameSchema.optional(),
  /** The session that the file is for. A client token may name its own only, which is the default. */
  session_id: z.string().optional(),
});
export type FileUploadQuery = z.infer<typeof FileUploadQuerySchema>;

export const FileListQuerySchema = PageQuerySchema.extend({
  /** Files that the session names or that were uploaded for it. */
  session_id: z.string().optional(),
});

export const StoredFileSchema = z
  .object({
    id: z.string(),
    /** The session that it was uploaded for; null for a file of the tenant. */
    session_id: z.string().nullable(),
    name: z.string().nullable(),
    /** Recognised by the bytes. */
    media_type: z.string(),
    bytes: z.number().int().nonnegative(),
    /** The address for the source of a data block. Reading it needs a credential. */
    url: z.string(),
    created_at: TimestampSchema,
  })
  .meta({ id: "File", description: "A file that messages can name by its `url`." });
export type StoredFile = z.infer<typeof StoredFileSchema>;

export const FileLinkCreateSchema = z
  .strictObject({
    ttl_seconds: z
      .number()
      .int()
      .min(1)
      .max(MAX_FILE_LINK_SECONDS)
      .default(DEFAULT_FILE_LINK_SECONDS),
  })
  .meta({ id: "FileLinkCreate", description: "How long the link works." });

export const FileLinkSchema = z
  .object({
    /** Works without a credential until it expires. */
    url: z.string(),
    expires_at: TimestampSchema,
  })
  .meta({ id: "FileLink", description: "An address of a file's bytes that needs no credential." });
export type FileLink = z.infer<typeof FileLinkSchema>;

export const FilePageSchema = pageOf(StoredFileSchema).meta({ id: "FilePage" });
