// One model call about memories, beside all replies. The caller reads the answer.
import { cutText } from "../json/split-text.ts";
import { MAX_PROBLEM_CHARACTERS } from "../../protocol/memory/limits.ts";
import type { ErrorInfo, Usage } from "../../protocol/messages/messages.ts";
import { askModel, type ModelAccess } from "../context/ask-model.ts";
import { anyStop } from "../context/any-stop.ts";
import type { ModelRequest, StopSignal } from "../ports.ts";

export interface UsedAside {
  readonly model: string;
  /** Null when the model has not answered; an estimate of a call that was cut. */
  readonly usage: Usage | null;
  /** US dollars; null when the price is not known, or the usage is an estimate. */
  readonly cost_usd: number | null;
}

type Answered = UsedAside & { readonly usage: Usage };

export type AnswerAside<Value> =
  | { readonly type: "read"; readonly value: Value; readonly used: Answered }
  /** `problem`: the rest of a sentence that begins with the answer. */
  | { readonly type: "unreadable"; readonly problem: string; readonly used: Answered }
  | { readonly type: "failed"; readonly error: ErrorInfo; readonly used: UsedAside }
  | { readonly type: "late"; readonly used: UsedAside }
  /** `used` is left out where no call was under way. */
  | { readonly type: "stopped"; readonly used?: UsedAside };

interface Reading<Value> {
  readonly deadline: StopSignal;
  readonly read: (
    text: string,
  ) => ({ readonly ok: true } & Value) | { readonly ok: false; readonly problem: string };
}

/** Contract: never rejects, and ends soon after `stop` or the deadline. */
export async function askAside<Value extends object>(
  request: ModelRequest,
  access: ModelAccess,
  { deadline, read }: Reading<Value>,
): Promise<AnswerAside<Value>> {
  const { stop, forget } = anyStop(access.stop, deadline);
  const { model } = access;
  const unused: UsedAside = { model: model.name, usage: null, cost_usd: null };
  try {
    const answer = await askModel(request, { ...access, stop });
    const { usage: spent = null } = answer;
    if (access.stop.aborted) {
      return { type: "stopped", ...(spent && { used: { ...unused, usage: spent } }) };
    }
    if (answer.type === "stopped") return { type: "late", used: { ...unused, usage: spent } };
    if (answer.type === "failed") {
      return { type: "failed", error: answer.error, used: { ...unused, usage: spent } };
    }
    const { usage, isEstimated } = answer;
    const cost_usd = isEstimated ? null : (model.costOf?.(usage) ?? null);
    const used = { model: model.name, usage, cost_usd };
    const value = read(answer.text);
    if (value.ok) return { type: "read", value, used };
    const problem = cutText(value.problem, MAX_PROBLEM_CHARACTERS);
    return { type: "unreadable", problem, used };
  } finally {
    forget();
  }
}
