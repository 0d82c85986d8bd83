import type { EventOf } from "../../../events.ts";
import type { AgUiUsage } from "../wire/events.ts";

/** The tokens of one run, by model: a reply that goes on after an answer counts its new calls only. */
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

  /** As a member of the terminal event; nothing when no model call came to its end. */
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
