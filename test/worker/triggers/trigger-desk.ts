// A tenant with an agent, its triggers, and how their runs are read. Alarms are set off by hand where the clock stands.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

import { triggerObjectName } from "../../../durable-objects/api/trigger-api.ts";
import type { TriggerObject } from "../../../durable-objects/triggers/trigger-object.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { CreatedTrigger, Trigger, TriggerRun } from "../../../protocol/triggers/contract.ts";
import { waitUntil } from "../../support/wait-for.ts";
import { ask, makeAgent, makeTenant, type Call } from "../support/api.ts";

/** An external tool, for which a reply waits. */
export const WAITING = { type: "external", name: "refund", read_only: true } as const;

export async function triggerDesk(agent: object = {}) {
  const { id: tenant_id, call } = await makeTenant();
  const { id: agent_id } = await makeAgent(call, { name: "Desk", ...agent });
  return {
    tenant_id,
    call,
    agent_id,
    make: async (trigger: object = {}) => {
      const json = { name: "Daily", agent_id, input: "/say Good morning.", ...trigger };
      const made = await ask<CreatedTrigger>("POST", "/v1/triggers", { ...call, json });
      return openTrigger(call, tenant_id, made.json);
    },
  };
}

export type Desk = Awaited<ReturnType<typeof triggerDesk>>;
export type OpenTrigger = ReturnType<typeof openTrigger>;

function openTrigger(call: Call, tenantId: string, made: CreatedTrigger) {
  const path = `/v1/triggers/${made.id}`;
  const name = triggerObjectName(tenantId, made.id);
  /** Looked up each time: a stub whose object has died stays broken. */
  const stub = () => env.TRIGGER.getByName(name) as DurableObjectStub<TriggerObject>;
  const runs = async (query = "") =>
    (await ask<Page<TriggerRun>>("GET", `${path}/runs${query}`, call)).json.data;
  const readRun = async (id: string) =>
    (await ask<TriggerRun>("GET", `${path}/runs/${id}`, call)).json;
  return {
    made,
    path,
    stub,
    runs,
    readRun,
    read: async () => (await ask<Trigger>("GET", path, call)).json,
    run: (json: object = {}, headers: Record<string, string> = {}) =>
      ask<TriggerRun>("POST", `${path}/runs`, { ...call, json, headers }),
    change: (json: object) => ask<Trigger>("PATCH", path, { ...call, json }),
    post: (act: string, json?: object) => ask<Trigger>("POST", `${path}/${act}`, { ...call, json }),
    remove: () => ask("DELETE", path, call),
    /** Once it is in one of these states. */
    until: (id: string, ...states: readonly TriggerRun["status"][]) =>
      waitUntil(async () => {
        // An alarm does not go off by itself where the clock was put forward.
        await runDurableObjectAlarm(stub());
        const run = await readRun(id);
        return states.includes(run.status) ? run : undefined;
      }),
    /** Once nothing is left to do now, however often its alarm has to go off for it. */
    async settle(): Promise<readonly TriggerRun[]> {
      await waitUntil(async () => {
        await runDurableObjectAlarm(stub());
        const due = await runInDurableObject(stub(), (_, { storage }) => nextDue(storage));
        const open = (await runs("?limit=100")).filter(
          ({ status }) => status === "pending" || status === "running",
        );
        return (due === null || due > Date.now()) && open.length === 0 ? true : undefined;
      });
      return runs("?limit=100");
    },
    /** Steps that its runs have put off, such as another try, are due now. */
    hurry: () =>
      runInDurableObject(stub(), (_, { storage: { sql } }) => {
        sql.exec("UPDATE runs SET due_at = 1 WHERE due_at IS NOT NULL");
      }),
    /** Its alarm goes off now. */
    ring: () => runDurableObjectAlarm(stub()),
  };
}

/** The first thing that a trigger has to do, in Unix milliseconds. */
function nextDue({ sql }: DurableObjectStorage): number | null {
  const made = sql.exec("SELECT 1 FROM sqlite_schema WHERE name = 'timers'").toArray();
  if (made.length === 0) return null;
  return sql
    .exec<{ due_at: number | null }>(
      "SELECT min(due_at) AS due_at FROM (SELECT due_at FROM timers UNION ALL SELECT due_at FROM runs WHERE due_at IS NOT NULL)",
    )
    .one().due_at;
}

/** The members that tell runs apart in an assertion. */
export function seen({ trigger_context, status, skip_reason, error }: TriggerRun) {
  const { type } = trigger_context;
  const at = type === "schedule" ? trigger_context.scheduled_at : type;
  return [at, status, ...(skip_reason ? [skip_reason] : []), ...(error ? [error.type] : [])];
}
