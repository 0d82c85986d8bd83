import { and, desc, eq, exists, isNotNull, isNull, lt, ne, sql } from "drizzle-orm";

import type { StoredFile } from "../../protocol/files/contract.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import type { EndUserShareChange } from "../../protocol/quotas/end-user-share.ts";
import { COUNTED_FILE_BYTES } from "../../protocol/files/limits.ts";
import { recordStatements, type WriteAudit } from "../audit/audit-storage.ts";
import { batchChecked, checkShare } from "../quotas/check-share.ts";
import type { Database } from "../statements/database.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import { isOneOf } from "../statements/is-one-of.ts";
import type { ListRequest } from "../statements/page.ts";
import { toPage } from "../statements/page.ts";
import { runInBatch } from "../requests/run-in-batch.ts";
import { fileReferences, files } from "./table.ts";
import { sessions } from "../sessions/table.ts";
import { beginUpload, type BegunUpload, type NewFile } from "./begin-upload.ts";
import { dropReferences } from "./release-files.ts";
import { shareReferences } from "./share-references.ts";

/** A file as its row has it: its address is the caller's to make. */
export type FileRecord = Omit<StoredFile, "url"> & {
  /** Of the object in R2. */
  readonly etag: string;
};
type Uploaded = Pick<FileRecord, "bytes" | "media_type" | "etag">;
type NamedFile = Pick<FileRecord, "id" | "bytes" | "media_type">;

interface FinishOptions {
  /** Part of the same batch. */
  readonly keep?: KeepAnswer | undefined;
  /** When the sweep asks the sessions that refer to it whether their logs name it; left out when they need not. */
  readonly dueAt?: string;
  /** As of {@link FileStorage.begin}. */
  readonly share?: EndUserShareChange | undefined;
}

/** A tenant's files. Only those that are complete are found. */
export interface FileStorage {
  /**
   * Begins an upload, with the session's reference to it. A row that is there already is left as it is.
   * @param share Binds an end user who uploads it; left out for all others.
   * @returns the status of the row; null when the tenant is closed, or the session is none or being deleted.
   * @throws when the quota of stored bytes is exceeded, or the end user's share of it.
   */
  begin(file: NewFile, share?: EndUserShareChange): Promise<BegunUpload | null>;
  /** Makes an uploaded file readable. Null when it was deleted meanwhile: its object must go. @throws as `begin`. */
  finish(fileId: string, uploaded: Uploaded, options?: FinishOptions): Promise<FileRecord | null>;
  /**
   * A complete file that the session refers to, to be named once more. One that is due to be asked about is so at
   * `dueAt` from then on, or with null never.
   */
  reuse(fileId: string, sessionId: string, dueAt: string | null): Promise<FileRecord | null>;
  /** The session's log names these files: they are not asked about. */
  confirm(fileIds: readonly string[]): Promise<void>;
  /** Gives an upload up that is not finished: the sweep deletes it. Returns whether it was not finished. */
  abandon(fileId: string, now: string): Promise<boolean>;
  /** @param sessionId Finds only a file that this session names. Null when there is no such file. */
  read(fileId: string, sessionId?: string): Promise<FileRecord | null>;
  /** Newest first. @param sessionId Only files that this session names. */
  list(request: ListRequest, sessionId?: string): Promise<Page<FileRecord>>;
  /** Hides a file. The caller then deletes its object in R2. Returns whether there was one. */
  remove(fileId: string, now: string, audit?: WriteAudit): Promise<boolean>;
  /**
   * The files that a session may name, which from then on it refers to: those that it refers to already and, with
   * `takesTenantFiles`, those that belong to no session.
   */
  refer(
    sessionId: string,
    fileIds: readonly string[],
    takesTenantFiles: boolean,
  ): Promise<readonly NamedFile[]>;
  /** The files among these that a session refers to. */
  findNamed(sessionId: string, fileIds: readonly string[]): Promise<readonly NamedFile[]>;
  /** Lets a fork refer to what its source does; the sweep takes it back at `dueAt` unless the fork is listed by then. */
  copyReferences(sourceId: string, forkId: string, dueAt: string): Promise<void>;
  /**
   * Drops the references of a fork to all other files. Those of a session that nothing else refers to, because the
   * source was deleted while it was copied, are due to be deleted.
   */
  keepReferences(forkId: string, fileIds: readonly string[], now: string): Promise<void>;
  /** Lets a fork that is listed refer to these files, so far as its source does. */
  shareReferences(sourceId: string, forkId: string, fileIds: readonly string[]): Promise<void>;
}

export function fileStorage(database: Database, tenantId: string): FileStorage {
  const isReady = and(eq(files.tenant_id, tenantId), eq(files.status, "ready"));
  const named = { id: files.id, bytes: files.bytes, media_type: files.media_type };
  /** Whether the session refers to the row of `files`. */
  function isNamedBy(sessionId: string) {
    return exists(
      database
        .select({ file_id: fileReferences.file_id })
        .from(fileReferences)
        .where(
          and(
            eq(fileReferences.tenant_id, tenantId),
            eq(fileReferences.session_id, sessionId),
            eq(fileReferences.file_id, files.id),
          ),
        ),
    );
  }
  function selectNamed(sessionId: string, fileIds: readonly string[]) {
    return database
      .select(named)
      .from(files)
      .where(and(isReady, isOneOf(files.id, fileIds), isNamedBy(sessionId)));
  }

  return {
    begin: (file, share) => beginUpload(database, tenantId, file, share),

    async finish(fileId, uploaded, { keep, dueAt, share } = {}) {
      const finished = database
        .update(files)
        .set({ ...uploaded, status: "ready", due_at: dueAt ?? null })
        .where(
          and(eq(files.id, fileId), eq(files.tenant_id, tenantId), eq(files.status, "uploading")),
        )
        .returning();
      const more = sql`max(${uploaded.bytes}, ${COUNTED_FILE_BYTES}) - max(bytes, ${COUNTED_FILE_BYTES})`;
      const check =
        share &&
        checkShare(database, {
          tenantId,
          quota: "stored_bytes",
          share,
          // Of an upload that has said its length, all was looked at as it began.
          of: sql`SELECT holder, ${more} AS adds FROM files
            WHERE id = ${fileId} AND holder IS NOT NULL AND ${more} > 0`,
        });
      const [[row]] = await batchChecked(database, check, [
        finished,
        ...recordStatements(database, keep),
      ]);
      return row ? toRecord(row) : null;
    },

    async reuse(fileId, sessionId, dueAt) {
      const [row] = await database
        .update(files)
        .set({ due_at: sql`CASE WHEN ${files.due_at} IS NULL THEN NULL ELSE ${dueAt} END` })
        .where(and(isReady, eq(files.id, fileId), isNamedBy(sessionId)))
        .returning();
      return row ? toRecord(row) : null;
    },

    async confirm(fileIds) {
      await database
        .update(files)
        .set({ due_at: null })
        .where(and(isReady, isOneOf(files.id, fileIds), isNotNull(files.due_at)));
    },

    async abandon(fileId, now) {
      const abandoned = await database
        .update(files)
        .set({ status: "deleting", due_at: now })
        .where(
          and(eq(files.id, fileId), eq(files.tenant_id, tenantId), eq(files.status, "uploading")),
        )
        .returning({ id: files.id });
      return abandoned.length > 0;
    },

    async read(fileId, sessionId) {
      const [row] = await database
        .select()
        .from(files)
        .where(
          and(
            isReady,
            eq(files.id, fileId),
            sessionId === undefined ? undefined : isNamedBy(sessionId),
          ),
        );
      return row ? toRecord(row) : null;
    },

    async list({ before, limit }, sessionId) {
      const isWanted = and(isReady, before ? lt(files.id, before) : undefined);
      const rows =
        sessionId === undefined
          ? await database
              .select()
              .from(files)
              .where(isWanted)
              .orderBy(desc(files.id))
              .limit(limit + 1)
          : (
              await database
                .select({ file: files })
                .from(fileReferences)
                .innerJoin(files, eq(files.id, fileReferences.file_id))
                .where(
                  and(
                    eq(fileReferences.tenant_id, tenantId),
                    eq(fileReferences.session_id, sessionId),
                    before ? lt(fileReferences.file_id, before) : undefined,
                    isWanted,
                  ),
                )
                .orderBy(desc(fileReferences.file_id))
                .limit(limit + 1)
            ).map(({ file }) => file);
      return toPage(rows.map(toRecord), limit);
    },

    async remove(fileId, now, audit) {
      const removed = database
        .update(files)
        .set({ status: "deleting", due_at: now })
        .where(
          and(eq(files.id, fileId), eq(files.tenant_id, tenantId), ne(files.status, "deleting")),
        )
        .returning({ id: files.id });
      const rows = await runInBatch(database, removed, undefined, audit);
      return rows.length > 0;
    },

    async refer(sessionId, fileIds, takesTenantFiles) {
      if (!takesTenantFiles) return selectNamed(sessionId, fileIds);
      const isListed = exists(
        database
          .select({ id: sessions.id })
          .from(sessions)
          .where(
            and(
              eq(sessions.id, sessionId),
              eq(sessions.tenant_id, tenantId),
              isNull(sessions.deleted_at),
            ),
          ),
      );
      const taken = database
        .select({
          tenant_id: files.tenant_id,
          session_id: sql`${sessionId}`.as("session_id"),
          file_id: files.id,
          due_at: sql`NULL`.as("due_at"),
        })
        .from(files)
        .where(and(isReady, isOneOf(files.id, fileIds), isNull(files.session_id), isListed));
      const [, rows] = await database.batch([
        database.insert(fileReferences).select(taken).onConflictDoNothing(),
        selectNamed(sessionId, fileIds),
      ]);
      return rows;
    },

    async findNamed(sessionId, fileIds) {
      return selectNamed(sessionId, fileIds);
    },

    async copyReferences(sourceId, forkId, dueAt) {
      await database
        .insert(fileReferences)
        .select(
          sql`SELECT tenant_id, ${forkId}, file_id, ${dueAt} FROM file_references
            WHERE tenant_id = ${tenantId} AND session_id = ${sourceId}`,
        )
        .onConflictDoNothing();
    },

    shareReferences: (...named) => shareReferences(database, tenantId, ...named),

    async keepReferences(forkId, fileIds, now) {
      await database.batch(dropReferences(database, { tenantId, sessionId: forkId, now }, fileIds));
    },
  };
}

function toRecord(row: typeof files.$inferSelect): FileRecord {
  const { tenant_id: _, status: _status, due_at: _due, holder: _holder, etag, ...file } = row;
  return { ...file, etag: etag ?? "" };
}
