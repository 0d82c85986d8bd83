// Files and the sessions that name them. The bytes are in R2, under a key of tenant and file.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { tenantRow } from "../tables/shared-columns.ts";

export const files = sqliteTable(
  "files",
  {
    ...tenantRow,
    /** The session that it was uploaded for, with whose references it goes; null for a file of the tenant. */
    session_id: text(),
    name: text(),
    media_type: text().notNull(),
    /** The bytes that the upload has announced; when it is `ready`, those that came. */
    bytes: integer().notNull(),
    /** Of the object in R2; null until it is `ready`. */
    etag: text(),
    /**
     * `uploading` before the object is written, `ready` after it, `deleting` before it is deleted. `skill`: written, and
     * the bytes of a skill's version, which is no file of `/v1/files`.
     */
    status: text({ enum: ["uploading", "ready", "skill", "deleting"] }).notNull(),
    created_at: text().notNull(),
    /**
     * When the sweep deletes it: an upload that was abandoned, a deletion that is not done. While `ready`: when it asks
     * whether a log names what a tool or a model has made.
     */
    due_at: text(),
    /**
     * The holder whose share the file counts in, also once its session is deleted; null for a file of the tenant, and
     * in rows from before the column whose session was deleted.
     */
    holder: text(),
  },
  (table) => [
    index("files_tenant").on(table.tenant_id, table.id),
    index("files_due")
      .on(table.due_at)
      .where(sql`${table.due_at} IS NOT NULL`),
  ],
);

/** WITHOUT ROWID. */
export const fileReferences = sqliteTable(
  "file_references",
  {
    tenant_id: text().notNull(),
    session_id: text().notNull(),
    file_id: text().notNull(),
    /** When the sweep drops it unless its session is listed: of a fork that is being made. */
    due_at: text(),
  },
  (table) => [
    primaryKey({ columns: [table.session_id, table.file_id] }),
    index("file_references_file").on(table.file_id),
    index("file_references_due")
      .on(table.due_at)
      .where(sql`${table.due_at} IS NOT NULL`),
  ],
);

/** The place from which the sweep continues comparing the objects in R2 with the rows. One row. */
export const fileSweep = sqliteTable("file_sweep", {
  id: integer().primaryKey(),
  /** R2's cursor; null to begin anew. */
  cursor: text(),
});
