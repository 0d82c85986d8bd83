// `SendMessage` and `SendStreamingMessage`: a message begins a task, or answers what one waits for.
import { A2A_DEPTH_HEADER } from "../../protocol/a2a/headers.ts";
import { MAX_A2A_DEPTH } from "../../protocol/a2a/limits.ts";
import type { ReceivedAnswer } from "../../protocol/a2a/read-message.ts";
import type {
  ReceivedMessage,
  ReceivedPushConfig,
  SendRequest,
} from "../../protocol/a2a/read-requests.ts";
import type { A2aPushConfig, A2aTask } from "../../protocol/a2a/wire.ts";
import { waitingStatus } from "../../protocol/dialects/a2a/to-a2a-task.ts";
import type { Idempotency } from "../../durable-objects/api/session-api.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import { actorOf } from "../auth/actor.ts";
import { authorizeEvent } from "../auth/authorize-event.ts";
import { HttpError, unwrap } from "../http-error.ts";
import { newId, nowTimestamp } from "../new-id.ts";
import { tenantOf } from "../principal.ts";
import { ofSender } from "../requests/sender-of.ts";
import { invalidField, unsupported } from "./a2a-error.ts";
import type { A2aCall } from "./a2a-call.ts";
import { findContext, type TaskContext } from "./find-context.ts";
import { findTask, stubOf, type TaskPlace } from "./find-task.ts";
import { readAnswers, toEvents } from "./message-answers.ts";
import { readBlocks, readOutputSchema, toInput } from "./message-input.ts";
import { inNewContext } from "./open-context.ts";
import { createPushConfig, refusalOf } from "./push-configs.ts";
import { requireRight } from "./require-right.ts";

/** A message that was taken. */
export type SentMessage =
  /** The task goes on: its events come after this seq. */
  | {
      readonly kind: "working";
      readonly place: TaskPlace;
      readonly after: number;
      /** The message was taken before: its client may have a part of the stream. */
      readonly is_replayed: boolean;
    }
  /** The message has changed nothing: the task still waits. */
  | { readonly kind: "unchanged"; readonly place: TaskPlace }
  /** There is no task behind it. */
  | { readonly kind: "rejected"; readonly task: A2aTask };

export async function sendMessage(call: A2aCall, request: SendRequest): Promise<SentMessage> {
  const { message } = request;
  const answers = readAnswers(message);
  checkConfig(call, request);
  if (message.taskId !== undefined) return continueTask(call, request, message.taskId, answers);
  if (answers) throw invalidField("message.taskId", "answers name their task");
  return beginTask(call, request);
}

async function beginTask(call: A2aCall, request: SendRequest): Promise<SentMessage> {
  const { context, agent } = call;
  const { message } = request;
  requireRight(context.get("principal"), "reply");
  const blocks = readBlocks(message);
  const structured_schema = readOutputSchema(message);
  const idempotency = await idempotencyOf(call, message);
  const found = await findContext(call, message.contextId, idempotency);
  if (!found) throw invalidField("message.contextId", "there is no such context");
  const depth = readDepth(call);
  if (depth > MAX_A2A_DEPTH) return rejected(found, depth);
  const { a2aTasks } = tenantStorage(context.env.DB, tenantOf(context));
  const { session_id, context_id, end_user_id, is_open } = found;
  if (!(await a2aTasks.hasRoom(end_user_id))) throw noRoom();
  const mark = { context_id, message_id: message.messageId, ...(depth > 0 && { depth }) };
  const begin = async () => {
    const input = await toInput(call, message, blocks, session_id);
    const taken = await stubOf(call, session_id).act(
      "startReply",
      { input, on_busy: "reject", structured_schema, a2a: mark },
      { ...optionsOf(call), idempotency },
    );
    return { started: unwrap(taken), is_replayed: taken.is_replayed === true };
  };
  const { started, is_replayed } = await (is_open ? begin() : inNewContext(call, found, begin));
  const place = { session_id, reply_id: started.id };
  if (is_open) await checkTask(call, place);
  const row = { agent_id: agent.id, session_id, context_id, end_user_id };
  await a2aTasks.note({ id: started.id, ...row });
  await createConfig(call, request, place, true);
  return { kind: "working", place, after: started.cursor, is_replayed };
}

/** The session may know the message from elsewhere: then the reply that has it was begun by no client of A2A. */
async function checkTask(call: A2aCall, { session_id, reply_id }: TaskPlace): Promise<void> {
  const found = await stubOf(call, session_id).act("listA2aPushConfigs", { reply_id });
  if (found.ok || found.refusal.code !== "not_found") return;
  throw invalidField("message.messageId", "the context has this message already, in no task");
}

async function continueTask(
  call: A2aCall,
  request: SendRequest,
  taskId: string,
  answers: readonly ReceivedAnswer[] | null,
): Promise<SentMessage> {
  const { message } = request;
  if (!answers) requireRight(call.context.get("principal"), "reply");
  const place = await findTask(call, taskId);
  await checkContext(call, message, place.session_id);
  const stub = stubOf(call, place.session_id);
  const reply = unwrap(await stub.act("readReply", { reply_id: taskId, wait_ms: 0 }));
  if (!answers) {
    const status = waitingStatus(reply);
    if (status.startsWith("awaiting_")) return { kind: "unchanged", place };
    throw status === "running"
      ? unsupported("the task is at work: it takes no message before it waits", "reply_running")
      : unsupported("the task is over; a message without taskId begins another in its context");
  }
  const events = toEvents(reply, answers);
  for (const { type } of events) authorizeEvent(call.context.get("principal"), type);
  let after = reply.cursor;
  let is_replayed = false;
  for (const [index, event] of events.entries()) {
    const taken = await stub.act("postEvent", event, {
      ...optionsOf(call),
      idempotency: await idempotencyOf(call, message, index),
    });
    // The same answer under another message's id: the first one was taken.
    if (!taken.ok && taken.refusal.extensions?.["same_answer"] === true) continue;
    const receipt = unwrap(taken);
    is_replayed ||= taken.is_replayed === true;
    // A called agent's session has a log of its own.
    if (index === 0 && receipt.reply?.id === taskId) after = receipt.cursor;
  }
  await createConfig(call, request, place, false);
  return { kind: "working", place, after, is_replayed };
}

/** A context that is named beside the task is the task's. */
async function checkContext(
  call: A2aCall,
  { contextId }: ReceivedMessage,
  sessionId: string,
): Promise<void> {
  if (contextId === undefined) return;
  const named = await findContext(call, contextId);
  if (named?.session_id === sessionId) return;
  throw invalidField("message.contextId", "the task is of another context");
}

/** Before anything is begun. What a config sends outlives the credential, so that to look on is not enough. */
function checkConfig(
  { context }: A2aCall,
  { configuration: { taskPushNotificationConfig: config } }: SendRequest,
): void {
  if (!config) return;
  requireRight(context.get("principal"), "reply");
  requireRight(context.get("principal"), "read");
  const refused = refusalOf(context.env, toConfig(config));
  if (refused) throw invalidField("configuration.taskPushNotificationConfig", refused);
}

/** Under the message's id where it has none of its own: a message that is sent again makes no other one. */
async function createConfig(
  call: A2aCall,
  { message, configuration: { taskPushNotificationConfig: config } }: SendRequest,
  place: TaskPlace,
  since_start: boolean,
): Promise<void> {
  if (!config) return;
  const at = { tenant_id: tenantOf(call.context), ...place };
  const own = { ...toConfig(config), id: config.id ?? message.messageId };
  unwrap(await createPushConfig(call.context.env, at, own, { since_start }));
}

function toConfig({ id, url, token, authentication }: ReceivedPushConfig): A2aPushConfig {
  return { id, url, token, authentication };
}

function optionsOf({ context }: A2aCall) {
  return {
    actor: actorOf(context.get("principal")),
    trace: context.get("trace"),
    isLarge: context.get("isLarge"),
  };
}

/** A message acts once in its context. @param part Of a message that does several acts. */
async function idempotencyOf(
  { context }: A2aCall,
  message: ReceivedMessage,
  part = 0,
): Promise<Idempotency> {
  const { messageId, contextId: _, ...said } = message;
  const bytes = new TextEncoder().encode(JSON.stringify(said));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const fingerprint = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const key = ofSender(context.get("principal"), messageId.replaceAll(" ", "%20"));
  return { key: `a2a ${part} ${key}`, fingerprint };
}

/** A header that is no number counts as none: it is our own client's. */
function readDepth({ context }: A2aCall): number {
  const header = context.req.header(A2A_DEPTH_HEADER) ?? "";
  return /^\d{1,4}$/.test(header) ? Number(header) : 0;
}

/** Agents that call each other without an end. Nothing is begun, so nothing is kept. */
function rejected({ context_id }: TaskContext, depth: number): SentMessage {
  const id = newId("rep");
  const text = `${depth} agents have called each other before this message; ${MAX_A2A_DEPTH} are allowed`;
  const task: A2aTask = {
    id,
    contextId: context_id,
    status: {
      state: "TASK_STATE_REJECTED",
      timestamp: nowTimestamp(),
      message: {
        messageId: newId("msg"),
        contextId: context_id,
        taskId: id,
        role: "ROLE_AGENT",
        parts: [{ text }],
      },
    },
  };
  return { kind: "rejected", task };
}

function noRoom(): HttpError {
  const detail =
    "the tenant's quota a2a_tasks is used up: tasks are kept for a month, or until their session is deleted";
  return new HttpError("quota_exceeded", detail, { extensions: { quota: "a2a_tasks" } });
}
