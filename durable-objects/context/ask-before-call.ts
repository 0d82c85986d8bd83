// The hooks before a model call that no reply makes: its model is sent what an end user has said, too.
import { askHook, type AnsweredHook, type HookScope } from "../../agent/hooks/ask-hook.ts";
import type { RegisteredHook } from "../../agent/hooks/hook-runner.ts";
import { showRequest } from "../../agent/hooks/shown-request.ts";
import type { ModelRequest } from "../../agent/ports.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import type { SecretSource } from "../../outgoing/secret-source.ts";
import { refuse, type Refusal } from "../../protocol/errors.ts";
import { createHookRunner } from "../../tools/hook-runner.ts";
import { questionHash } from "../settings/question-hash.ts";

export interface HookNetwork {
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
}

interface AsideCall {
  /** The word for what the call makes, such as `summary`. */
  readonly makes: string;
  readonly network: HookNetwork;
  readonly scope: Omit<HookScope, "runner" | "reply_id">;
  /** Takes an answer; false when nothing may be done any more. */
  readonly take: (answered: AnsweredHook) => boolean;
}

/**
 * Asks one after the other. @returns Why no model may be sent the request; null when nothing stands against it, or the
 * work was stopped.
 */
export async function askBeforeCall(
  registered: readonly RegisteredHook[],
  request: ModelRequest,
  { makes, network, scope, take }: AsideCall,
): Promise<Refusal | null> {
  const hooks = registered.filter(({ definition }) => definition.point === "pre_model_call");
  if (hooks.length === 0) return null;
  const { whole, ...input } = showRequest(request, null);
  const step = `${makes}-${await questionHash(whole)}`;
  const question = { point: "pre_model_call", step, input } as const;
  const runner = createHookRunner(network);
  for (const hook of hooks) {
    const answered = await askHook(hook, question, { ...scope, runner, reply_id: null });
    if (!answered || !take(answered)) return null;
    const refusal = refusalOf(answered, makes);
    if (refusal) return refusal;
  }
  return null;
}

function refusalOf({ value }: AnsweredHook, makes: string): Refusal | null {
  const { hook, outcome, reason, failure } = value;
  if (outcome === "blocked" || outcome === "stopped") {
    const detail = reason ?? `the hook ${hook} refused the ${makes}`;
    return refuse("hook_blocked", detail, { extensions: { hook } }).refusal;
  }
  if (failure?.on_failure !== "closed") return null;
  const detail = `the hook ${hook} gave no valid answer, so no ${makes} was made`;
  return refuse("hook_failed", detail, { extensions: { hook, kind: failure.kind } }).refusal;
}
