// A tenant whose session runs tasks of A2A, as the acts of its object begin them, and receivers that are told of them.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { inject } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { SessionObject } from "../../../durable-objects/session-object.ts";
import type { A2aPushConfig, A2aStreamResponse } from "../../../protocol/a2a/wire.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { createPushConfig } from "../../../worker/a2a/push-configs.ts";
import { sessionStub } from "../../../worker/objects/session-stub.ts";
import { waitUntil } from "../../support/wait-for.ts";
import { ask, makeAgent, makeSession, makeTenant } from "../support/api.ts";
import { externalResults, LABEL, LABEL_TOOL } from "../support/parked-session.ts";
import { receivedAt, receiverPath } from "../webhooks/endpoint.ts";

const DESK = { name: "Label desk", tools: [LABEL_TOOL] };

/** @param end_user_id The session's; none when left out. */
export async function taskDesk({ end_user_id }: { readonly end_user_id?: string } = {}) {
  const { id: tenant_id, call } = await makeTenant();
  const agent = await makeAgent(call, DESK);
  const open = () => makeSession(call, { agent_id: agent.id, end_user_id });
  const session = await open();
  return { tenant_id, call, agent, open, ...sessionDesk({ tenant_id, call }, session.id) };
}

export type TaskDesk = Awaited<ReturnType<typeof taskDesk>>;

export function sessionDesk(
  { tenant_id, call }: { readonly tenant_id: string; readonly call: { readonly key: string } },
  session_id: string,
) {
  const path = `/v1/sessions/${session_id}`;
  /** Looked up each time: a stub whose object has died stays broken. */
  const object = () =>
    env.SESSION.getByName(
      sessionObjectName(tenant_id, session_id),
    ) as unknown as DurableObjectStub<SessionObject>;
  const act = sessionStub(env, tenant_id, session_id);
  const tasks = tenantStorage(env.DB, tenant_id).a2aTasks;
  return {
    session_id,
    path,
    object,
    act,
    tasks,
    /** Begins a task, or queues it. @returns the id of its reply. */
    async begin(input: string, context_id: string = session_id): Promise<string> {
      const a2a = { context_id, message_id: crypto.randomUUID() };
      const begun = await act.act("startReply", { input, on_busy: "queue", a2a });
      if (!begun.ok) throw new Error(begun.refusal.detail);
      return begun.value.id;
    },
    /** Begins a task that waits for a label. */
    async beginWaiting(): Promise<string> {
      const id = await this.begin(`${LABEL}\n/say Printed.`);
      await act.act("readReply", { reply_id: id, wait_ms: 60_000 });
      return id;
    },
    /** Prints the label, and waits for the task's end. */
    async answer(id: string): Promise<void> {
      const { json: reply } = await ask<never>("GET", `${path}/replies/${id}`, call);
      const { pending } = reply as { readonly pending: Parameters<typeof externalResults>[1] };
      const json = externalResults({ id }, pending);
      const answered = await ask("POST", `${path}/events`, { ...call, json });
      if (answered.status >= 300) throw new Error(answered.text);
      await act.act("readReply", { reply_id: id, wait_ms: 60_000 });
    },
    /** Once its row in D1 is in this state. */
    untilListed: (id: string, state: string) =>
      waitUntil(async () => {
        const row = await tasks.find(id);
        return row?.state === state ? row : undefined;
      }),
    place: (reply_id: string) => ({ tenant_id, session_id, reply_id }),
    /** Makes a config for a receiver of its own. @param answers How that answers, see `webhook-receiver.ts`. */
    async tell(reply_id: string, answers = "200", config: Partial<A2aPushConfig> = {}) {
      const url = inject("webhookReceiverUrl") + receiverPath(answers);
      const place = { tenant_id, session_id, reply_id };
      const made = await createPushConfig(env, place, { url, ...config });
      if (!made.ok) throw new Error(made.refusal.detail);
      return { url, config: made.value };
    },
    /** Makes what waits for a retry, or for a lost job, due now. */
    async letTimePass(): Promise<void> {
      await runInDurableObject(object(), (_, { storage }) => {
        storage.sql.exec(
          "UPDATE a2a_push_configs SET retry_at = NULL, due_at = 1 WHERE due_at > 1",
        );
        storage.sql.exec("UPDATE timers SET due_at = 1 WHERE kind = 'push'");
      });
      await runDurableObjectAlarm(object());
    },
    /** The rows of a table of the object. */
    rows: (query: string) =>
      runInDurableObject(object(), (_, { storage }) => storage.sql.exec(query).toArray()),
  };
}

export interface ReceivedPush {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: A2aStreamResponse;
}

/** Notifications that came to an address, oldest first, once there are as many. */
export async function receivedPushes(url: string, count: number): Promise<readonly ReceivedPush[]> {
  return waitUntil(async () => {
    const received = (await receivedAt(url)) as unknown as readonly ReceivedPush[];
    return received.length >= count ? received : undefined;
  });
}

/** The state or the parts that a notification tells of. */
export function told({ body: { artifactUpdate, statusUpdate } }: ReceivedPush): unknown {
  return artifactUpdate ? artifactUpdate.artifact.parts : statusUpdate?.status.state;
}
