// The hooks before a model call, of a summary that is made between replies: its model is sent the conversation, too.
import { askHook, type AnsweredHook } from "../../agent/hooks/ask-hook.ts";
import { showRequest } from "../../agent/hooks/shown-request.ts";
import type { ModelRequest } from "../../agent/ports.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import type { SecretSource } from "../../outgoing/secret-source.ts";
import { refuse, type Refusal } from "../../protocol/errors.ts";
import { createHookRunner } from "../../tools/hook-runner.ts";
import { questionHash } from "../settings/question-hash.ts";
import { registeredHooks } from "../settings/registered-hooks.ts";
import type { CompressionSession } from "./compression-session.ts";

interface SummaryNetwork {
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
}

/**
 * Asks about what is to be summarised, as a reply is that would begin now. Each answer is appended at once.
 * @returns Why no model may be sent it; null when nothing stands against it, or the work was stopped.
 */
export async function askBeforeSummary(
  session: CompressionSession,
  request: ModelRequest,
  network: SummaryNetwork,
  stop: AbortSignal,
): Promise<Refusal | null> {
  const { init, log, newId } = session;
  const hooks = registeredHooks(init).filter(
    ({ definition }) => definition.point === "pre_model_call",
  );
  if (hooks.length === 0) return null;
  const { whole, ...input } = showRequest(request, null);
  const step = `summary-${await questionHash(whole)}`;
  const question = { point: "pre_model_call", step, input } as const;
  const { session_id, end_user_id } = init;
  const runner = createHookRunner(network);
  const scope = { runner, session_id, reply_id: null, end_user_id, newId, stop };
  for (const hook of hooks) {
    const answered = await askHook(hook, question, scope);
    if (!answered || log.isClosed) return null;
    log.append(answered.events, { isLast: !session.isActing });
    const refusal = refusalOf(answered);
    if (refusal) return refusal;
  }
  return null;
}

function refusalOf({ value }: AnsweredHook): Refusal | null {
  const { hook, outcome, reason, failure } = value;
  if (outcome === "blocked" || outcome === "stopped") {
    const detail = reason ?? `the hook ${hook} refused the summary`;
    return refuse("hook_blocked", detail, { extensions: { hook } }).refusal;
  }
  if (failure?.on_failure !== "closed") return null;
  const detail = `the hook ${hook} gave no valid answer, so no summary was made`;
  return refuse("hook_failed", detail, { extensions: { hook, kind: failure.kind } }).refusal;
}
