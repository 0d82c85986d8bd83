// Has a model of the agent choose the changes of one batch. Writes nothing.
import { askAside, type UsedAside } from "../../agent/memory/ask-aside.ts";
import { checkChanges } from "../../agent/memory/check-changes.ts";
import { consolidationRequest, type BatchMemory } from "../../agent/memory/consolidation-prompt.ts";
import { readChanges } from "../../agent/memory/read-changes.ts";
import { refundDeskTurn } from "../../demo/refund-desk-turn.ts";
import { createModel } from "../../model/create-model.ts";
import { egressRules } from "../../outgoing/egress-rules.ts";
import { createOutgoing } from "../../outgoing/outgoing.ts";
import { createSecretSource } from "../../outgoing/secret-source.ts";
import type { IdPrefix } from "../../protocol/ids.ts";
import type { ConsolidationError } from "../../protocol/memory/consolidation.ts";
import { CONSOLIDATION_BATCH_MS } from "../../protocol/memory/limits.ts";
import { pause } from "../../runtime/pause.ts";
import { readAgentSnapshot } from "../../storage/agents/agent-snapshot.ts";
import { openPinnedCredentials } from "../../storage/credentials/pinned-credentials.ts";
import { readTenantKey } from "../../storage/credentials/tenant-key-storage.ts";
import type { MemoryOwner } from "../../storage/memory/store-id.ts";
import { masterKeyOf } from "../../storage/secrets/deployment-secrets.ts";
import { askBeforeCall } from "../context/ask-before-call.ts";
import { chosenModels } from "../settings/chosen-models.ts";
import { registeredHooks } from "../settings/registered-hooks.ts";
import type { BatchChoice, StoredConsolidation } from "./consolidation-rows.ts";

interface AskedBatch {
  readonly env: Env;
  readonly owner: MemoryOwner;
  readonly job: Pick<StoredConsolidation, "id" | "request">;
  readonly memories: readonly BatchMemory[];
  readonly newId: <Prefix extends IdPrefix>(prefix: Prefix) => `${Prefix}_${string}`;
  readonly stop: AbortSignal;
}

export type AskedChanges =
  | {
      readonly type: "chosen";
      readonly choice: Pick<BatchChoice, "changes" | "versions" | "skipped">;
      readonly used: UsedAside;
    }
  | {
      readonly type: "failed";
      readonly error: ConsolidationError;
      /** Left out where no model was asked. */
      readonly used?: UsedAside;
      /** Whether another answer to the same question may be of use. */
      readonly mayBeAskedAgain: boolean;
    }
  /** D1 did not say what the agent is now. */
  | { readonly type: "unavailable" }
  /** `used`: of a call that was cut. */
  | { readonly type: "stopped"; readonly used?: UsedAside };

/** Contract: ends soon after `stop`. @throws when the master key does not fit. */
export async function askChanges(asked: AskedBatch): Promise<AskedChanges> {
  const { env, owner, job, memories, newId, stop } = asked;
  const { tenant_id, agent_id, end_user_id } = owner;
  const { model_name: name, instructions } = job.request;
  const snapshot = await readAgentSnapshot(env.DB, tenant_id, agent_id, "latest").catch(
    (error: unknown) => {
      console.warn("memory: a consolidation could not read its agent; it will", {
        error: String(error),
      });
      return "unavailable" as const;
    },
  );
  if (snapshot === "unavailable") return { type: snapshot };
  const [definition] = (snapshot && chosenModels(snapshot.definition, name)) ?? [];
  if (!snapshot || !definition) return failed("model_gone", `The agent has no model ${name} now.`);
  const opened = await openPinnedCredentials({ tenant_id, ...snapshot }, masterKeyOf(env), () =>
    readTenantKey(env.DB, tenant_id),
  );
  const secrets = createSecretSource(opened);
  const outgoing = createOutgoing({ ...egressRules(env), fetch: (...call) => fetch(...call) });
  const request = consolidationRequest(memories, instructions);
  const refusal = await askBeforeCall(registeredHooks({ agent: snapshot.definition }), request, {
    makes: "consolidation",
    network: { outgoing, secrets },
    scope: { session_id: job.id, end_user_id, newId, stop },
    take: () => !stop.aborted,
  });
  if (stop.aborted) return { type: "stopped" };
  if (refusal) return failed("hook_refused", "A hook has refused the request to the model.");
  const model = createModel(definition, { outgoing, secrets, decideTurn: refundDeskTurn });
  const answer = await askAside(
    request,
    { model, sleep: pause, random: Math.random, stop },
    { deadline: AbortSignal.timeout(CONSOLIDATION_BATCH_MS), read: readChanges },
  );
  switch (answer.type) {
    case "read": {
      const checked = checkChanges(answer.value.changes, memories);
      const { used } = answer;
      if (!checked.ok) return unusable(checked.code, checked.problem, used);
      const { changes, skipped } = checked;
      const versions = Object.fromEntries(memories.map(({ id, version }) => [id, version]));
      return { type: "chosen", choice: { changes, versions, skipped }, used };
    }
    case "unreadable":
      return unusable("answer_invalid", answer.problem, answer.used);
    case "failed":
      return { ...failed("model_failed", answer.error.message), used: answer.used };
    case "late": {
      const message = `The model had ${CONSOLIDATION_BATCH_MS / 1_000} seconds, and has not answered.`;
      return { ...failed("model_timed_out", message), used: answer.used };
    }
    case "stopped":
      return answer;
    default:
      return answer satisfies never;
  }
}

function failed(
  code: ConsolidationError["code"],
  message: string,
): Extract<AskedChanges, { type: "failed" }> {
  return { type: "failed", error: { code, message }, mayBeAskedAgain: false };
}

function unusable(
  code: ConsolidationError["code"],
  problem: string,
  used: UsedAside,
): AskedChanges {
  const error = { code, message: `The model's answer cannot be used: it ${problem}.` };
  return { type: "failed", error, used, mayBeAskedAgain: true };
}
