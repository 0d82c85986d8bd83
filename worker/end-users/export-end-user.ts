// The export of an end user: a line for each thing, read part by part as the client reads (backpressure).
import { readUrl } from "../../durable-objects/api/read-request.ts";
import { REFUSAL_HEADER } from "../../durable-objects/api/session-api.ts";
import type { EndUserExportLine } from "../../protocol/end-users/contract.ts";
import {
  EXPORTED_MESSAGE_PAGES,
  EXPORTED_SESSIONS,
  MAX_EXPORTED_TASKS,
  MAX_EXPORTED_TRIGGERS,
} from "../../protocol/end-users/limits.ts";
import { fileAddress } from "../../protocol/file-address.ts";
import { isId } from "../../protocol/ids.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { MAX_PAGE_LIMIT, MAX_USAGE_DAYS } from "../../protocol/requests/limits.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { connectionStorage } from "../../storage/mcp/connection-storage.ts";
import { positionKey, type SessionPosition } from "../../storage/sessions/session-position.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import { encodePageToken } from "../../storage/statements/page.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext } from "../app-env.ts";
import { sessionStub } from "../objects/session-stub.ts";
import { requireScope } from "../auth/require-scope.ts";
import { tenantOf } from "../principal.ts";
import { publicOrigin } from "../requests/public-origin.ts";
import { shownTrigger } from "../triggers/shown-trigger.ts";
import {
  exportMemories,
  memoryPlaceKey,
  readMemoryPlace,
  type MemoryPlace,
} from "./export-memories.ts";
import { exportRooms, readRoomPlace, roomPlaceKey, type RoomPlace } from "./export-rooms.ts";

const DAY_MS = 86_400_000;

/** The place at which a page of an export begins: at the beginning, among memories, behind a session, or at a page of the messages of one. */
interface ExportPlace {
  readonly behind?: SessionPosition;
  readonly within?: { readonly session_id: string; readonly messages: string };
  /** Memories come before rooms. */
  readonly memories?: MemoryPlace;
  /** Rooms come before sessions. */
  readonly rooms?: RoomPlace;
}

/** The place that a page token encodes; null for none of ours. */
export function readPlace(text: string | null): ExportPlace | null {
  const memories = text === null ? null : readMemoryPlace(text);
  if (memories) return { memories };
  const rooms = text === null ? null : readRoomPlace(text);
  if (rooms) return { rooms };
  const [created_at = "", id = "", messages, ...more] = text?.split(" ") ?? [];
  if (more.length > 0 || !isId("ses", id) || !/^[\dT:.-]{23}Z$/.test(created_at)) return null;
  const behind = { created_at, id };
  return messages === undefined ? { behind } : { behind, within: { session_id: id, messages } };
}

/** @throws HttpError when D1 fails before the first line. */
export async function* exportEndUser(
  context: AppContext,
  endUserId: string,
  { behind, within, memories, rooms }: ExportPlace,
): AsyncGenerator<string, void> {
  const { env } = context;
  const { sessions } = tenantStorage(env.DB, tenantOf(context));
  if (!behind && !memories && !rooms) {
    // First of all: where the scope is missing, nothing is exported.
    yield* triggersOf(context, endUserId);
    yield* ofTenant(context, endUserId);
  }
  if (!behind && !rooms) {
    const read = exportMemories(context, endUserId, memories);
    for (;;) {
      const { done, value } = await read.next();
      if (!done) yield value.map(line).join("");
      else if (value) return yield endLine(memoryPlaceKey(value));
      else break;
    }
  }
  if (!behind) {
    const read = exportRooms(context, endUserId, rooms);
    for (;;) {
      const { done, value } = await read.next();
      if (!done) yield value.map(line).join("");
      else if (value) return yield endLine(roomPlaceKey(value));
      else break;
    }
  }
  const budget = { pages: EXPORTED_MESSAGE_PAGES };
  if (behind && within) {
    // A token may name any session: only one of this end user is read.
    const [own] = await sessions.listAmong([within.session_id], { end_user_id: endUserId });
    const next = own && (yield* conversation(context, own.id, budget, within.messages));
    if (next) return yield endLine(`${positionKey(behind)} ${next}`);
    if (own) yield* filesOf(context, own.id);
  }
  const page = await sessions.list({
    end_user_id: endUserId,
    limit: EXPORTED_SESSIONS,
    ...(behind && { before: behind }),
  });
  for (const session of page.data) {
    yield line({ type: "session", session });
    yield* tasksOf(context, session.id);
    const next = yield* conversation(context, session.id, budget);
    if (next) return yield endLine(`${positionKey(session)} ${next}`);
    yield* filesOf(context, session.id);
  }
  const last = page.data.at(-1);
  yield endLine(page.has_more && last ? positionKey(last) : null);
}

/** Triggers for this end user alone. @throws HttpError where there are some, and the credential may not read them. */
async function* triggersOf(context: AppContext, endUserId: string): AsyncGenerator<string, void> {
  const { triggers } = tenantStorage(context.env.DB, tenantOf(context));
  const found = await triggers.listOf(endUserId, MAX_EXPORTED_TRIGGERS);
  if (found.length === 0) return;
  requireScope(context, "triggers:read", "the export of an end user with triggers");
  for (const stored of found) {
    yield line({ type: "trigger", trigger: await shownTrigger(context, stored) });
  }
}

/** Connections and sums of usage, which belong to no session. */
async function* ofTenant(context: AppContext, end_user_id: string): AsyncGenerator<string, void> {
  const { DB } = context.env;
  const connections = connectionStorage(openDatabase(DB), tenantOf(context));
  let before: string | undefined;
  do {
    const found = await connections.list({
      end_user_id,
      limit: MAX_PAGE_LIMIT,
      ...(before !== undefined && { before }),
    });
    for (const connection of found.data) yield line({ type: "connection", connection });
    before = found.has_more ? found.data.at(-1)?.id : undefined;
  } while (before !== undefined);

  const { usage } = tenantStorage(DB, tenantOf(context));
  const [from, to] = [Date.now() - (MAX_USAGE_DAYS - 1) * DAY_MS, Date.now()].map(dayOf) as [
    string,
    string,
  ];
  const report = { from, to, groups: ["day", "agent", "model", "end_user"], end_user_id } as const;
  for (let skip = 0, hasMore = true; hasMore; skip += MAX_PAGE_LIMIT) {
    const found = await usage.sum({ ...report, skip, limit: MAX_PAGE_LIMIT });
    for (const sums of found.data) yield line({ type: "usage", usage: { ...sums, end_user_id } });
    hasMore = found.has_more;
  }
}

/**
 * Messages of a session, newest first. One that is deleted meanwhile has none.
 * @param budget Pages that the request may still read. @returns where the next request goes on; null at the end.
 */
async function* conversation(
  context: AppContext,
  session_id: string,
  budget: { pages: number },
  from?: string,
): AsyncGenerator<string, string | null> {
  const stub = sessionStub(context.env, tenantOf(context), session_id);
  let page = from;
  do {
    if (budget.pages === 0 && page !== undefined) return page;
    budget.pages = Math.max(0, budget.pages - 1);
    const request = {
      what: "messages",
      limit: MAX_PAGE_LIMIT,
      ...(page !== undefined && { page }),
    } as const;
    const response = await stub.fetch(readUrl(request));
    if (response.headers.has(REFUSAL_HEADER)) {
      await response.body?.cancel();
      return null;
    }
    const { data, next_page } = await response.json<Page<Msg>>();
    const messages = data.toReversed();
    yield messages.map((message) => line({ type: "message", session_id, message })).join("");
    page = next_page ?? undefined;
  } while (page !== undefined);
  return null;
}

/** Rows of the session's tasks of A2A; their content is in its messages. */
async function* tasksOf(context: AppContext, session_id: string): AsyncGenerator<string, void> {
  const { a2aTasks } = tenantStorage(context.env.DB, tenantOf(context));
  for (const task of await a2aTasks.listOf(session_id, MAX_EXPORTED_TASKS)) {
    const { id, context_id, state, status_at, created_at } = task;
    yield line({
      type: "a2a_task",
      session_id,
      task: { id, context_id, state, status_at, created_at },
    });
  }
}

async function* filesOf(context: AppContext, session_id: string): AsyncGenerator<string, void> {
  const { files } = tenantStorage(context.env.DB, tenantOf(context));
  let before: string | undefined;
  do {
    const found = await files.list(
      { limit: MAX_PAGE_LIMIT, ...(before !== undefined && { before }) },
      session_id,
    );
    for (const { etag: _, ...file } of found.data) {
      const url = fileAddress(publicOrigin(context), file.id);
      yield line({ type: "file", session_id, file: { ...file, url } });
    }
    before = found.has_more ? found.data.at(-1)?.id : undefined;
  } while (before !== undefined);
}

function endLine(key: string | null): string {
  return line({ type: "end", next_page: key === null ? null : encodePageToken(key) });
}

function line(value: EndUserExportLine): string {
  return `${JSON.stringify(value)}\n`;
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, "YYYY-MM-DD".length);
}
