import { triggerObjectName, type TriggerApi } from "../../durable-objects/api/trigger-api.ts";

/** The RPC stub of a trigger's object. One that was never armed has no runs, and creates nothing. */
export function triggerStub(
  env: Pick<Env, "TRIGGER">,
  tenantId: string,
  triggerId: string,
): TriggerApi {
  // As in session-stub.ts: the generated stub type is less precise than the API's.
  return env.TRIGGER.getByName(triggerObjectName(tenantId, triggerId)) as unknown as TriggerApi;
}
