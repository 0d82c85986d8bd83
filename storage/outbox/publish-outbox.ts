// Publishes webhook events for replies that ended or began to wait. Runs after D1 has the entry, each time that the
// outbox delivers it: message ids are derived from the entry, so that a repetition publishes nothing twice.
import type { PendingCall } from "../../protocol/replies/contract.ts";
import type { CallbackVerb } from "../../protocol/webhooks/contract.ts";
import { MAX_CALLBACK_TOKEN_CHARACTERS } from "../../protocol/inbound/limits.ts";
import {
  CALLBACK_TTL_MS,
  MAX_WEBHOOK_BODY_BYTES,
  MAX_WEBHOOK_CALLS,
} from "../../protocol/webhooks/limits.ts";
import { utf8Bytes } from "../../protocol/utf8-bytes.ts";
import type { WebhookCall } from "../../protocol/replies/webhooks.ts";
import type { WebhookEvent } from "../../protocol/webhooks/webhook-events.ts";
import type { OutboxEntry } from "./deliver-outbox.ts";
import { type PublicUrlBindings, readPublicUrl } from "../webhooks/read-public-url.ts";
import { signToken, type CallbackClaims } from "../secrets/signed-token.ts";
import { stableId } from "../statements/stable-id.ts";
import type {
  OpenEndpoint,
  WebhookBindings,
  WebhookMessage,
} from "../webhooks/webhook-publisher.ts";
import { isWanted, publishTo } from "../webhooks/webhook-publisher.ts";

type OutboxBindings = WebhookBindings & PublicUrlBindings & Pick<Env, "KEY_PEPPER">;

const CALL_EVENTS = {
  permission: "confirmation.required",
  external_result: "external_execution.required",
} as const satisfies Record<PendingCall["kind"], WebhookEvent["type"]>;

/** The verb that an endpoint must allow to get a callback URL for such calls. */
const CALL_VERBS = {
  permission: "confirm",
  external_result: "tool_result",
} as const satisfies Record<PendingCall["kind"], CallbackVerb>;
const EDITING: readonly CallbackVerb[] = [...Object.values(CALL_VERBS), "edit"];

interface CallbackAddress {
  readonly callback_url: string | null;
  readonly callback_expires_at: string | null;
}

const NO_ADDRESS: CallbackAddress = { callback_url: null, callback_expires_at: null };

/**
 * Publishes the events of a session's entries to those of the endpoints that are subscribed.
 * @throws when D1 or the queue fails; the entries must then be delivered again.
 */
export async function publishOutbox(
  env: OutboxBindings,
  endpoints: readonly OpenEndpoint[],
  entries: readonly OutboxEntry[],
): Promise<void> {
  const settled = entries.filter(({ reply_status: status }) => status !== "running");
  for (const entry of settled) {
    // Sequential, in the session's order.
    const kinds = (["permission", "external_result"] as const).filter((kind) =>
      isWanted(endpoints, CALL_EVENTS[kind]),
    );
    const messages = isWaiting(entry)
      ? await callMessages(env, entry, await newlyAsked(env.DB, entry, kinds))
      : [await endMessage(entry)];
    await publishTo(endpoints, env, entry.tenant_id, messages);
  }
}

function isWaiting({ reply_status: status }: OutboxEntry): boolean {
  return status === "awaiting_permission" || status === "awaiting_external_result";
}

async function endMessage(entry: OutboxEntry): Promise<WebhookMessage> {
  const event = endEvent(entry);
  return { id: await messageId(entry, event.type), event };
}

function endEvent(entry: OutboxEntry): WebhookEvent {
  const data = replyData(entry);
  switch (entry.reply_status) {
    case "error":
    case "exceed_max_iters": {
      const failure = { status: entry.reply_status, error: entry.error };
      return { type: "reply.failed", timestamp: entry.at, data: { ...data, ...failure } };
    }
    case "interrupted":
      return { type: "reply.interrupted", timestamp: entry.at, data };
    default:
      return { type: "reply.completed", timestamp: entry.at, data };
  }
}

function replyData(entry: OutboxEntry) {
  const { session_id, agent_id, agent_version, end_user_id, reply_id, cursor } = entry;
  return { session_id, agent_id, end_user_id, agent_version, reply_id, cursor };
}

/** Calls of one kind, announced by one message. */
interface AnnouncedCalls {
  /** Identifies the message among those of its entry and type, also after some of its calls were answered. */
  readonly key: string;
  readonly calls: readonly WebhookCall[];
}

/**
 * The calls that waited when the entry was written and that no earlier entry announced. The groups of one entry are
 * always the same.
 */
async function newlyAsked(
  database: D1Database,
  { tenant_id, session_id, entry, calls }: OutboxEntry,
  kinds: readonly PendingCall["kind"][],
): Promise<readonly AnnouncedCalls[]> {
  const asked = calls.filter(({ kind }) => kinds.includes(kind));
  if (asked.length === 0) return [];
  const keys = JSON.stringify(asked.map(({ kind, tool_call_id }) => [tool_call_id, kind]));
  const [, announced] = await database.batch<{ tool_call_id: string; kind: string }>([
    database
      .prepare(
        `INSERT OR IGNORE INTO webhook_announcements (tenant_id, session_id, tool_call_id, kind, entry)
         SELECT ?2, ?1, value ->> 0, value ->> 1, ?3 FROM json_each(?4) WHERE EXISTS (
           SELECT 1 FROM sessions WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL)`,
      )
      .bind(session_id, tenant_id, entry, keys),
    database
      .prepare(
        `SELECT tool_call_id, kind FROM webhook_announcements
         WHERE session_id = ?1 AND tenant_id = ?2 AND entry = ?3 ORDER BY rowid`,
      )
      .bind(session_id, tenant_id, entry),
  ]);
  return kinds.flatMap((kind) => {
    const ids = (announced?.results ?? [])
      .filter((row) => row.kind === kind)
      .map((row) => row.tool_call_id);
    return chunksOf(ids).map(([key, ...others]) => ({
      key,
      calls: asked.filter(
        (call) => call.kind === kind && [key, ...others].includes(call.tool_call_id),
      ),
    }));
  });
}

function chunksOf(ids: readonly string[]): readonly (readonly [string, ...string[]])[] {
  const [first, ...rest] = ids.slice(0, MAX_WEBHOOK_CALLS);
  return first === undefined ? [] : [[first, ...rest], ...chunksOf(ids.slice(MAX_WEBHOOK_CALLS))];
}

async function callMessages(
  env: OutboxBindings,
  entry: OutboxEntry,
  announced: readonly AnnouncedCalls[],
): Promise<readonly WebhookMessage[]> {
  const messages = announced
    .filter(({ calls }) => calls.length > 0)
    .map((group) => splitMessage(env, entry, group));
  return (await Promise.all(messages)).flat();
}

/** One message, or several when long call ids, which a model chooses, make its body or its callback URL too large. */
async function splitMessage(
  env: OutboxBindings,
  entry: OutboxEntry,
  { key, calls }: AnnouncedCalls,
): Promise<readonly WebhookMessage[]> {
  const message = await callMessage(env, entry, { key, calls });
  // Measured with the longest callback URL, so that the messages are the same for all endpoints.
  if (
    isFitting(message.eventFor({ callback_verbs: EDITING, member_links: false })) ||
    calls.length === 1
  )
    return [message];
  const half = Math.ceil(calls.length / 2);
  return [
    ...(await splitMessage(env, entry, { key: `${key}<`, calls: calls.slice(0, half) })),
    ...(await splitMessage(env, entry, { key: `${key}>`, calls: calls.slice(half) })),
  ];
}

function isFitting(event: WebhookEvent): boolean {
  const address = "callback_url" in event.data ? event.data.callback_url : null;
  const token = address?.slice(address.lastIndexOf("/") + 1) ?? "";
  return (
    token.length <= MAX_CALLBACK_TOKEN_CHARACTERS &&
    utf8Bytes(JSON.stringify(event)) < MAX_WEBHOOK_BODY_BYTES
  );
}

async function callMessage(
  env: OutboxBindings,
  entry: OutboxEntry,
  { key, calls }: AnnouncedCalls,
): Promise<Required<WebhookMessage>> {
  const kind = calls[0]?.kind ?? "permission";
  const type = CALL_EVENTS[kind];
  const id = await messageId(entry, `${type}:${key}`);
  const plain = await callbackTo(env, entry, { kind, calls }, id);
  const editing =
    kind === "permission"
      ? await callbackTo(env, entry, { kind, calls, may_edit: true }, id)
      : plain;
  const eventWith = (address: CallbackAddress): WebhookEvent => ({
    type,
    timestamp: entry.at,
    data: {
      ...replyData(entry),
      calls: [...calls],
      ...address,
    },
  });
  return {
    id,
    event: eventWith(plain),
    eventFor({ callback_verbs: verbs }) {
      if (!verbs.includes(CALL_VERBS[kind])) return eventWith(NO_ADDRESS);
      return eventWith(verbs.includes("edit") ? editing : plain);
    },
  };
}

/** A callback URL that accepts answers to these calls only, until the last of them has expired. */
async function callbackTo(
  env: OutboxBindings,
  { tenant_id, session_id, reply_id, origin, at }: OutboxEntry,
  {
    kind,
    calls,
    may_edit,
  }: Pick<AnnouncedCalls, "calls"> & Pick<CallbackClaims, "kind" | "may_edit">,
  message_id: string,
): Promise<CallbackAddress> {
  // Without PUBLIC_URL the origin that the session has stored is used.
  const ownOrigin = readPublicUrl(env) ?? origin;
  if (ownOrigin === null) return NO_ADDRESS;
  const exp = Math.max(
    ...calls.map(({ expires_at }) =>
      expires_at === null ? Date.parse(at) + CALLBACK_TTL_MS : Date.parse(expires_at),
    ),
  );
  const tool_call_ids = calls.map(({ tool_call_id }) => tool_call_id);
  const about = { tenant_id, session_id, reply_id, tool_call_ids, kind };
  const claims = { ...about, ...(may_edit && { may_edit }), message_id, exp };
  const token = await signToken("callback", claims, env.KEY_PEPPER);
  return {
    callback_url: `${ownOrigin}/v1/callbacks/${token}`,
    callback_expires_at: new Date(exp).toISOString(),
  };
}

function messageId({ session_id, entry, at }: OutboxEntry, what: string): Promise<string> {
  return stableId("whm", Date.parse(at), `${session_id}:${entry}:${what}`);
}
