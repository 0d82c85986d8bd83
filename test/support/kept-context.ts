// The context of a conversation in memory: the fold of its logs, and a compression by a model of the test's.
import { contextAbility } from "../../agent/context/context-ability.ts";
import type { Ability } from "../../agent/ability.ts";
import { advanceFold } from "../../agent/advance-fold.ts";
import { CONTEXT_FOLD, type ContextState } from "../../agent/context/context-fold.ts";
import { compressContext } from "../../agent/context/compress-context.ts";
import type { CompressionRequest, ContextKeeper } from "../../agent/context/context-keeper.ts";
import type { Model } from "../../agent/ports.ts";
import type { ContextSettings } from "../../protocol/context/contract.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { MemoryLog } from "./memory-log.ts";

interface KeptContext {
  readonly keeper: ContextKeeper;
  readonly ability: Ability;
  /** A log of a reply whose events change the context. */
  readonly log: MemoryLog;
  /** Requests to compress. */
  readonly requests: CompressionRequest[];
}

export interface ContextSession {
  /** The context of the next reply. */
  next(replyId: string, history: readonly Msg[]): KeptContext;
  readonly state: () => ContextState;
}

interface Keeping {
  readonly settings: ContextSettings;
  readonly window: number;
  /** The model that writes summaries. */
  readonly model: Model;
  readonly is_own_model?: boolean;
  readonly model_window?: number;
  readonly deadline?: AbortSignal;
}

export function keepContext(keeping: Keeping): ContextSession {
  const { settings, window, model } = keeping;
  let state = CONTEXT_FOLD.initial;
  let summaries = 0;
  return {
    state: () => state,
    next(replyId, history) {
      const requests: CompressionRequest[] = [];
      const log = new (class extends MemoryLog {
        override append(drafts: Parameters<MemoryLog["append"]>[0]): void {
          const before = this.events.length;
          super.append(drafts);
          for (const event of this.events.slice(before)) {
            state = advanceFold(CONTEXT_FOLD, state, event);
          }
        }
      })(replyId);
      const keeper: ContextKeeper = {
        settings,
        state: () => state,
        windowOf: () => window,
        compress: (request, stop) => {
          requests.push(request);
          return compressContext(request, {
            settings,
            model,
            model_window: keeping.model_window ?? window,
            is_own_model: keeping.is_own_model ?? true,
            newId: () => `sum_${(summaries += 1)}`,
            sleep: async () => {},
            random: () => 0,
            stop,
            deadline: keeping.deadline ?? new AbortController().signal,
          });
        },
      };
      const ability = contextAbility(settings, {
        history: () => history,
        state: () => state,
        size: settings.context_size ?? window,
      });
      return { keeper, ability, log, requests };
    },
  };
}
