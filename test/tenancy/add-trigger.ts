// The trigger of a tenant with something of everything.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

import { triggerObjectName } from "../../durable-objects/api/trigger-api.ts";
import type { CreatedTrigger } from "../../protocol/triggers/contract.ts";
import { ask } from "../worker/support/api.ts";

/** A trigger, and a run of it that goes on and is looked at in days: what others would begin is left out meanwhile. */
export async function addTrigger(
  tenant: { readonly id: string; readonly call: { key: string } },
  agent_id: string,
  word: string,
) {
  const json = {
    name: `Trigger ${word}-trigger`,
    agent_id,
    input: `Says ${word}-trigger`,
    webhook: { form: "github" },
    metadata: { word: `${word}-trigger` },
  };
  const made = await ask<CreatedTrigger>("POST", "/v1/triggers", { ...tenant.call, json });
  const trigger_id = made.json.id;
  const trigger_run_id = trigger_id.replace("trg_", "trun_");
  const sender_id = `${word}-trigger`;
  const context = { type: "webhook", sender_id, payload_sha256: "sha256:0" };
  const values = [trigger_run_id, `w:${sender_id}`, JSON.stringify(context)];
  const stub = env.TRIGGER.getByName(triggerObjectName(tenant.id, trigger_id));
  await runInDurableObject(stub, (_, { storage: { sql } }) =>
    sql.exec(
      `INSERT INTO runs (id, occasion, context, status, phase, slot, created_at, due_at, tries)
       VALUES (?, ?, ?, 'waiting', 'begun', 'new', ?, ?, 0)`,
      ...values,
      new Date().toISOString(),
      Date.now() + 86_400_000,
    ),
  );
  const trigger_token = made.json.webhook?.url.split("/").at(-1) ?? "";
  return { trigger_id, trigger_run_id, trigger_token };
}
