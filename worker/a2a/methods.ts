// The methods of A2A, for both bindings: each reads its request, asks for the right that it needs, and does it.
import type * as z from "zod";

import { A2A_CANCEL_WAIT_MS } from "../../protocol/a2a/limits.ts";
import { makeExtendedCard } from "../../protocol/a2a/make-card.ts";
import {
  CardRequestSchema,
  ConfigRequestSchema,
  CreateConfigRequestSchema,
  GetTaskRequestSchema,
  ListConfigsRequestSchema,
  ListTasksRequestSchema,
  SendRequestSchema,
  TaskRequestSchema,
} from "../../protocol/a2a/read-requests.ts";
import { isTerminalTask } from "../../protocol/dialects/a2a/task-status.ts";
import { PostedEventSchema } from "../../protocol/events/contract.ts";
import { unwrap } from "../http-error.ts";
import { actorOf } from "../auth/actor.ts";
import { recheckCredential } from "./recheck-credential.ts";
import { tenantOf } from "../principal.ts";
import { checkFields } from "../requests/check-fields.ts";
import { lastEventId } from "../requests/last-event-id.ts";
import { A2aError, taskNotFound } from "./a2a-error.ts";
import type { A2aCall } from "./a2a-call.ts";
import { answerValue } from "./bindings.ts";
import { toCardAgent } from "./card-agent.ts";
import { findTask, stubOf, type FoundTask } from "./find-task.ts";
import { listTasks } from "./list-tasks.ts";
import {
  createPushConfig,
  deletePushConfig,
  listPushConfigs,
  readPushConfig,
} from "./push-configs.ts";
import { awaitTask, readTask } from "./read-tasks.ts";
import { requireRight } from "./require-right.ts";
import { sendMessage } from "./send-message.ts";
import { signCard } from "./sign-card.ts";
import { showTask, streamTask, subscribe } from "./stream-task.ts";
import { fieldOf } from "./to-failure.ts";
import { withHeartbeat } from "./with-heartbeat.ts";

type Method = (call: A2aCall, params: unknown) => Promise<Response>;

/** By the names of JSON-RPC. */
export const A2A_METHODS = {
  SendMessage: method(SendRequestSchema, async (call, request) => {
    const sent = await sendMessage(call, request);
    if (sent.kind === "rejected") return answerValue(call.binding, { task: sent.task });
    const { returnImmediately = false, historyLength } = request.configuration;
    const show = async () => ({
      task: await readTask(call, sent.place, { history_length: historyLength }),
    });
    if (returnImmediately || sent.kind === "unchanged") {
      return answerValue(call.binding, await show());
    }
    return withHeartbeat(call, async (left) => {
      await awaitTask(call, sent.place, { left });
      await recheckCredential(call.context);
      return show();
    });
  }),

  SendStreamingMessage: method(SendRequestSchema, async (call, request) => {
    requireRight(call.context.get("principal"), "read");
    // Before anything is begun: one that is no position is an error of this request alone.
    const seen = lastEventId(call.context, "a2a");
    const { historyLength } = request.configuration;
    const sent = await sendMessage(call, request);
    if (sent.kind === "rejected") return showTask(call, sent.task);
    if (sent.kind === "unchanged") {
      return showTask(call, await readTask(call, sent.place, { history_length: historyLength }));
    }
    // A message that is sent again: its client may have a part of the stream.
    const after = (sent.is_replayed && seen) || sent.after;
    return streamTask(call, sent.place, after, historyLength);
  }),

  GetTask: reading(GetTaskRequestSchema, async (call, { id, historyLength }) => {
    const place = await findTask(call, id);
    return answerValue(
      call.binding,
      await readTask(call, place, { history_length: historyLength }),
    );
  }),

  ListTasks: reading(ListTasksRequestSchema, async (call, request) =>
    answerValue(call.binding, await listTasks(call, request)),
  ),

  CancelTask: method(TaskRequestSchema, async (call, { id }) => {
    requireRight(call.context.get("principal"), "interrupt");
    const place = await findTask(call, id);
    await cancel(call, place);
    const task = await readTask(call, place, {});
    const { state } = task.status;
    // Cancelled before, too: a request that is sent again gets the same answer.
    if (state === "TASK_STATE_CANCELED" || !isTerminalTask(state)) {
      return answerValue(call.binding, task);
    }
    throw new A2aError({ name: "task_not_cancelable", message: "the task is over" });
  }),

  SubscribeToTask: reading(TaskRequestSchema, async (call, { id }) =>
    subscribe(call, await findTask(call, id)),
  ),

  CreateTaskPushNotificationConfig: reading(CreateConfigRequestSchema, async (call, request) => {
    // A config outlives the credential, so that to look on is not enough.
    requireRight(call.context.get("principal"), "reply");
    const { tenant: _, taskId, ...config } = request;
    const place = await placeOf(call, taskId);
    const created = unwrap(await createPushConfig(call.context.env, place, config));
    return answerValue(call.binding, created);
  }),

  GetTaskPushNotificationConfig: reading(ConfigRequestSchema, async (call, { taskId, id }) => {
    const found = await readPushConfig(call.context.env, await placeOf(call, taskId), id);
    if (!found.ok && found.refusal.code === "not_found") {
      throw new A2aError({ name: "task_not_found", message: "there is no such config" });
    }
    return answerValue(call.binding, unwrap(found));
  }),

  ListTaskPushNotificationConfigs: reading(ListConfigsRequestSchema, async (call, { taskId }) => {
    const configs = unwrap(await listPushConfigs(call.context.env, await placeOf(call, taskId)));
    return answerValue(call.binding, { configs, nextPageToken: "" });
  }),

  DeleteTaskPushNotificationConfig: method(ConfigRequestSchema, async (call, { taskId, id }) => {
    requireRight(call.context.get("principal"), "reply");
    unwrap(await deletePushConfig(call.context.env, await placeOf(call, taskId), id));
    return call.binding.kind === "rpc"
      ? answerValue(call.binding, {})
      : new Response(null, { status: 204 });
  }),

  GetExtendedAgentCard: method(CardRequestSchema, async (call) => {
    const card = makeExtendedCard(toCardAgent(call.context, call.agent));
    return answerValue(call.binding, await signCard(call.context, card));
  }),
} as const;

export type A2aMethodName = keyof typeof A2A_METHODS;

export function isMethodName(name: string): name is A2aMethodName {
  return Object.hasOwn(A2A_METHODS, name);
}

/** A method with a request of this shape. */
function method<Schema extends z.ZodType>(
  schema: Schema,
  run: (call: A2aCall, request: z.output<Schema>) => Promise<Response>,
): Method {
  return async (call, params) => {
    const read = checkFields(schema, params);
    if (read.ok) return run(call, read.value);
    const violations = read.errors.map(({ pointer, detail: description }) => ({
      field: fieldOf(pointer),
      description,
    }));
    const [first] = violations;
    const message = first ? `${first.field}: ${first.description}` : "the parameters do not fit";
    throw new A2aError({ name: "invalid_params", message, violations });
  };
}

/** A method that shows what a conversation says. */
function reading<Schema extends z.ZodType>(
  schema: Schema,
  run: (call: A2aCall, request: z.output<Schema>) => Promise<Response>,
): Method {
  return method(schema, async (call, request) => {
    requireRight(call.context.get("principal"), "read");
    return run(call, request);
  });
}

/** Interrupts the reply, also one that waits. One that is over stays as it is. */
async function cancel(call: A2aCall, place: FoundTask): Promise<void> {
  const { session_id, reply_id } = place;
  const event = PostedEventSchema.parse({ type: "USER_INTERRUPT", reply_id });
  const taken = await stubOf(call, session_id).act("postEvent", event, {
    actor: actorOf(call.context.get("principal")),
    trace: call.context.get("trace"),
  });
  if (!taken.ok && taken.refusal.code === "not_found") throw taskNotFound();
  if (unwrap(taken).applied) await awaitTask(call, place, { longestMs: A2A_CANCEL_WAIT_MS });
}

async function placeOf(call: A2aCall, taskId: string) {
  return { tenant_id: tenantOf(call.context), ...(await findTask(call, taskId)) };
}
