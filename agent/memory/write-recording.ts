// Has a model choose what is to be remembered of a reply: one call, whose answer is read as far as it can be.
import { cutText } from "../json/split-text.ts";
import { MAX_PROBLEM_CHARACTERS } from "../../protocol/memory/limits.ts";
import type { ErrorInfo, Usage } from "../../protocol/messages/messages.ts";
import { askModel, type ModelAccess } from "../context/ask-model.ts";
import { anyStop } from "../context/any-stop.ts";
import type { ModelRequest, StopSignal } from "../ports.ts";
import type { ProposedMemory } from "./choose-memories.ts";
import { readMemories } from "./read-memories.ts";

interface Used {
  readonly model: string;
  /** Null when the model has not answered. */
  readonly usage: Usage | null;
  /** US dollars; null when the price is not known, or the usage is an estimate. */
  readonly cost_usd: number | null;
}

export type WrittenRecording =
  | (Used & {
      readonly type: "written";
      readonly memories: readonly ProposedMemory[];
      readonly usage: Usage;
    })
  | (Used & { readonly type: "failed"; readonly error: ErrorInfo })
  | { readonly type: "stopped" };

const TOO_LATE: ErrorInfo = {
  type: "upstream",
  message: "The model took too long to choose what is to be remembered.",
};

/** Contract: never rejects, and ends soon after `stop` or `deadline`. */
export async function writeRecording(
  request: ModelRequest,
  access: ModelAccess,
  deadline: StopSignal,
): Promise<WrittenRecording> {
  const { stop, forget } = anyStop(access.stop, deadline);
  const { model } = access;
  const { name } = model;
  try {
    const answer = await askModel(request, { ...access, stop });
    if (access.stop.aborted) return { type: "stopped" };
    if (answer.type === "stopped") {
      return { type: "failed", error: TOO_LATE, model: name, usage: null, cost_usd: null };
    }
    if (answer.type === "failed") {
      const { error, usage = null } = answer;
      return { type: "failed", error, model: name, usage, cost_usd: null };
    }
    const { usage, isEstimated } = answer;
    const cost_usd = isEstimated ? null : (model.costOf?.(usage) ?? null);
    const used = { model: name, usage, cost_usd };
    const read = readMemories(answer.text);
    if (read.ok) return { type: "written", memories: read.memories, ...used };
    const words = cutText(read.problem, MAX_PROBLEM_CHARACTERS);
    const message = `The model's answer names no memories: it ${words}.`;
    return { type: "failed", error: { type: "upstream", message }, ...used };
  } finally {
    forget();
  }
}
