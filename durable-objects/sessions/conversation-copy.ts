// The target's side of a fork: copies the source. The session's own row is written last: an object without it is no
// session, answers `not_found`, and is erased by its alarm.
import type { Result } from "../../protocol/errors.ts";
import { accept } from "../../protocol/errors.ts";
import { COPY_ABANDONED_MS } from "../../protocol/sessions/limits.ts";
import { timeSlice } from "../../runtime/time-slice.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { forkedSnapshots } from "./ability-snapshots.ts";
import { addMessages } from "./add-messages.ts";
import { storedSize } from "./admit-bytes.ts";
import { MonotonicIds } from "../log/monotonic-ids.ts";
import { hasSchema, migrate } from "../tables/schema.ts";
import { sessionObjectName, type SessionApi, type SessionFork } from "../api/session-api.ts";
import { SessionLog } from "../log/session-log.ts";
import { putBeside } from "../replies/put-beside.ts";
import { fileIdsIn } from "../settings/file-ids-in.ts";
import { openTenant } from "./open-tenant.ts";
import { expectListing } from "./session-listing.ts";
import type { TenantCallbacks } from "../tenants/session-tenant.ts";
import {
  openSessionTables,
  writeSessionInit,
  type SessionTables,
} from "../tables/session-tables.ts";

/** Callbacks of a session that is being made: it has no reply to stop, and no reader to notify. */
const NOTHING_RUNS: TenantCallbacks = {
  stop: () => undefined,
  notify: () => undefined,
  isFollowed: () => false,
  inBackground: () => undefined,
};

/** D1 does not list it yet. */
const NOTHING_TO_REPORT = () => Promise.resolve();

/**
 * Copies a batch at a time, so that memory holds only one of them. Resolves when all of it and the session's row are on
 * disk. The remains of an earlier attempt are erased first. Of the source's files the fork refers to those alone that
 * the copied messages name: a fork may be another end user's. Each batch is asked for as other bytes without a reply are;
 * what has been copied is told when the fork is listed.
 * @returns a refusal when the source is gone, or the tenant has no room for it or is suspended.
 * @throws when D1 fails; the copy is then abandoned.
 */
export async function copyConversation(
  ctx: DurableObjectState,
  env: Env,
  fork: SessionFork,
): Promise<Result<null>> {
  const { storage } = ctx;
  if (hasSchema(storage.sql)) await storage.deleteAll();
  migrate(storage);
  const source = sourceOf(env, fork);
  const tables = openSessionTables(storage);
  const log = new SessionLog(storage, {
    logged: () => undefined,
    committing: (events) => {
      tables.abilities.record(events);
      tables.changedMessages.record(events);
    },
    committed: () => undefined,
    durable: () => undefined,
    failed: (error) => ctx.abort(`a copy could not be written: ${String(error)}`),
  });
  // Also for a copy without messages: what is on disk before the session's row has an alarm that erases it.
  await storage.setAlarm(Date.now() + COPY_ABANDONED_MS);
  // Before the messages: a later fork of this session at any message then has the same states.
  const snapshots = forkedSnapshots(tables.abilities, fork.ability_states);
  if (snapshots.length > 0) log.append(snapshots, { isLast: true });
  const { cursor: upTo } = fork.init.forked_from;
  const tenant = openTenant(env, fork.init, NOTHING_RUNS);
  const admit = (value: unknown) =>
    tenant.admitBytes(storage.sql.databaseSize, storedSize(value), {
      report: NOTHING_TO_REPORT,
      share: fork.share,
    });
  const named = new Set<string>();
  for (let after = 0, isLast = upTo === 0; !isLast;) {
    await storage.setAlarm(Date.now() + COPY_ABANDONED_MS);
    // Neither the source's part of it nor ours waits for the network.
    await timeSlice();
    const page = await source.readForkMessages(after, upTo);
    if (!page.ok) {
      await eraseCopy(storage);
      return page;
    }
    const { messages, changed, cursor, is_last } = page.value;
    const admitted = await admit(messages);
    if (!admitted.ok) {
      await eraseCopy(storage);
      return admitted;
    }
    const write = () => tables.changedMessages.put(changed);
    if (messages.length > 0) addMessages({ log, tables }, messages, { write });
    for (const id of messages.flatMap(fileIdsIn)) named.add(id);
    await log.settled();
    after = cursor;
    isLast = is_last;
  }
  await log.settled();
  const { tenant_id, session_id } = fork.init;
  const { files } = tenantStorage(env.DB, tenant_id);
  await files.keepReferences(session_id, [...named], new Date().toISOString());
  storage.transactionSync(() => {
    insertRules(tables, fork);
    const created = { entry: log.lastSeq, replyId: "", at: fork.init.created_at, plan: null };
    if (log.lastSeq > 0) putBeside(storage.sql, tables.timers, created);
    writeSessionInit(storage.sql, fork.init, Date.now());
    // From here on the timers set the alarm.
    expectListing(tables.timers);
  });
  await storage.sync();
  return accept(null);
}

/** Erases an abandoned copy, with its alarm. */
export async function eraseCopy(storage: DurableObjectStorage): Promise<void> {
  await storage.deleteAll();
}

function insertRules({ rules: table }: SessionTables, { rules, actor }: SessionFork): void {
  const ids = new MonotonicIds();
  const created_at = new Date().toISOString();
  for (const rule of rules) {
    table.insert({ id: ids.next("rul"), rule, created_at, created_by: actor.id });
  }
}

function sourceOf(env: Env, { init }: SessionFork): SessionApi {
  const name = sessionObjectName(init.tenant_id, init.forked_from.session_id);
  // The runtime's own type of a stub replaces every open record by `never`; what crosses is plain data.
  return env.SESSION.getByName(name) as unknown as SessionApi;
}
