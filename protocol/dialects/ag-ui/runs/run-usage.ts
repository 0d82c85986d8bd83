import type { EventOf } from "../../../events.ts";
import type { AgUiUsage } from "../wire/events.ts";

/** Token usage of one run by model. A reply that resumes after an answer counts only its new calls. */
export class RunUsage {
  readonly #byModel = new Map<string, Required<AgUiUsage>>();

  add(model: string, event: EventOf<"MODEL_CALL_END">): void {
    const sum = this.#byModel.get(model);
    this.#byModel.set(model, {
      model,
      inputTokens: (sum?.inputTokens ?? 0) + event.input_tokens,
      outputTokens: (sum?.outputTokens ?? 0) + event.output_tokens,
      cachedInputTokens: (sum?.cachedInputTokens ?? 0) + event.cache_input_tokens,
      cacheWriteInputTokens: (sum?.cacheWriteInputTokens ?? 0) + event.cache_creation_input_tokens,
    });
  }

  /** The `usage` member of the terminal event; absent when no model call completed. */
  toMember(): { readonly usage?: readonly AgUiUsage[] } {
    if (this.#byModel.size === 0) return {};
    return {
      usage: [...this.#byModel.values()].map(
        ({ cachedInputTokens, cacheWriteInputTokens, ...totals }) => ({
          ...totals,
          ...(cachedInputTokens > 0 && { cachedInputTokens }),
          ...(cacheWriteInputTokens > 0 && { cacheWriteInputTokens }),
        }),
      ),
    };
  }
}
