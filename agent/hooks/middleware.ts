// Hook middleware: functions of a deployment around steps of the loop. The first one that is registered is the outermost
// layer. The types are those of the ports, so a layer sees and gives what the loop itself does.
import type { ToolChoice } from "../../protocol/models/model-options.ts";
import type { CompressionOutcome, CompressionRequest } from "../context/context-keeper.ts";
import type { CallPermission } from "../permission/check-call.ts";
import type {
  ModelChunk,
  ModelRequest,
  StopSignal,
  ToolCallRequest,
  ToolChunk,
  ToolDeclaration,
} from "../ports.ts";
import type { Plan } from "../../protocol/plans/plan.ts";
import type { ReplyState } from "../state/reply-state.ts";

/** The reply that a middleware is around. */
interface MiddlewareReply {
  readonly session_id: string;
  readonly end_user_id: string | null;
  /** The fold of its log at this moment. */
  readonly state: () => ReplyState;
  readonly stop: StopSignal;
}

/** One function, or several of one name. An exception ends the reply with the error `internal`. */
export interface HookMiddleware {
  /** Around each execution of the reply: from its start, an answer or a crash, until it ends or waits. */
  readonly on_reply?: (reply: MiddlewareReply, next: () => Promise<void>) => Promise<void>;
  /** Around hints, the context's size and the model call. Without `next` no model is called in this step. */
  readonly on_reasoning?: (
    reasoning: MiddlewareReply & { readonly iteration: number },
    next: (tool_choice?: ToolChoice) => Promise<void>,
  ) => Promise<void>;
  /** Around each try of a model call. */
  readonly on_model_call?: (
    request: ModelRequest,
    next: (request: ModelRequest) => AsyncIterable<ModelChunk>,
  ) => AsyncIterable<ModelChunk>;
  /**
   * Around a call that a server or a function runs, after it was allowed: its input is what was checked, asked about and
   * logged, and cannot be changed any more.
   */
  readonly on_acting?: (
    call: ToolCallRequest,
    next: () => AsyncIterable<ToolChunk>,
  ) => AsyncIterable<ToolChunk>;
  /** Around the decision about a call. Whatever it returns, the decision never gets looser than the rules'. */
  readonly on_check_permission?: (
    call: { readonly tool: ToolDeclaration; readonly input: unknown },
    next: () => CallPermission,
  ) => CallPermission;
  readonly on_compress_context?: (
    request: CompressionRequest,
    next: (request: CompressionRequest) => Promise<CompressionOutcome>,
  ) => Promise<CompressionOutcome>;
  /** A pipeline, with nothing around it: each gets what the one before has made of the prompt. */
  readonly on_system_prompt?: (prompt: string) => string;
  /**
   * The hint about the plan before a model call of an agent with plans, null for none. Called without waiting, and for
   * each call: the same text again is not sent again. `next` gives what would be said without it.
   */
  readonly plan_to_hint?: (plan: Plan | null, next: () => string | null) => string | null;
}

const STRICTNESS = { allow: 0, ask: 1, deny: 2 } as const;

/** The stricter of the decision that the layers, from the outermost on, give and the rules' own. */
export function tightenPermission(
  middleware: readonly HookMiddleware[],
  call: { readonly tool: ToolDeclaration; readonly input: unknown },
  decided: CallPermission,
): CallPermission {
  const given = middleware.reduceRight<() => CallPermission>(
    (next, layer) => () => layer.on_check_permission?.(call, next) ?? next(),
    () => decided,
  )();
  if (STRICTNESS[given.behavior] <= STRICTNESS[decided.behavior]) return decided;
  const { person, untrusted } = decided;
  const shown = { ...(person && { person }), ...(untrusted && { untrusted }) };
  return { ...given, ...shown, rule: null, suggestedRules: [] };
}

export function changeSystemPrompt(middleware: readonly HookMiddleware[], prompt: string): string {
  return middleware.reduce((text, layer) => layer.on_system_prompt?.(text) ?? text, prompt);
}
