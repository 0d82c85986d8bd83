// Consolidations of a desk's store, and a look at what they leave.
import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";

import { memoryObjectName } from "../../../durable-objects/api/memory-api.ts";
import type { MemoryConsolidation } from "../../../protocol/memory/consolidation.ts";
import type { UntrustedSource } from "../../../protocol/messages/untrusted-content.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, type Answer } from "../support/api.ts";
import type { memoryDesk } from "./memory-desk.ts";

export type Desk = Awaited<ReturnType<typeof memoryDesk>>;

export const MAIL: UntrustedSource = { tool_name: "read_mail", tool_call_id: "call_1" };

export function begin(
  { path, call }: Desk,
  json: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer<MemoryConsolidation>> {
  return ask<MemoryConsolidation>("POST", `${path}/consolidations`, { ...call, json, headers });
}

export async function readJob(
  { path, call }: Desk,
  { id }: Pick<MemoryConsolidation, "id">,
): Promise<MemoryConsolidation> {
  return (await ask<MemoryConsolidation>("GET", `${path}/consolidations/${id}`, call)).json;
}

/** The job once it has ended. */
export async function ended(desk: Desk, job: MemoryConsolidation): Promise<MemoryConsolidation> {
  let found = job;
  await waitFor(async () => {
    found = await readJob(desk, job);
    if (found.ended_at === null) throw new Error(`the consolidation is ${found.status}`);
  });
  return found;
}

export async function consolidate(desk: Desk, json: object = {}): Promise<MemoryConsolidation> {
  return ended(desk, (await begin(desk, json)).json);
}

/** Writes memories in one record, as a reply does: nothing is settled among those that say something else. */
export async function tell(
  { object, asked }: Desk,
  contents: readonly string[],
  untrusted: UntrustedSource | null = null,
): Promise<readonly string[]> {
  const source = { session_id: null, reply_id: null, tool_call_id: null };
  const memories = contents.map((content) => ({ content, untrusted, source }));
  const recorded = await object.record({ ...asked, record_id: crypto.randomUUID(), memories });
  if (!recorded.ok) throw new Error(recorded.failure.detail);
  return recorded.value.outcomes.map((one) => ("memory_id" in one ? one.memory_id : one.code));
}

function stubOf({ tenant_id, store }: Desk) {
  return env.MEMORY.getByName(memoryObjectName(tenant_id, store.id));
}

export function inStore<Value>(desk: Desk, work: (sql: SqlStorage) => Value): Promise<Value> {
  return runInDurableObject(stubOf(desk), (_, { storage }) => work(storage.sql)) as Promise<Value>;
}

/** Has the timers of the store go off now. */
export async function wake(desk: Desk): Promise<void> {
  await runInDurableObject(stubOf(desk), async (_, { storage }) => {
    storage.sql.exec("UPDATE timers SET due_at = 1");
    await storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(stubOf(desk));
}
