// What keeps the context of a reply within the window of its model.
import { CONTEXT_FOLD } from "../../agent/context/context-fold.ts";
import { compressContext } from "../../agent/context/compress-context.ts";
import type { ContextKeeper } from "../../agent/context/context-keeper.ts";
import type { NewId } from "../../agent/ports.ts";
import type { ReplyState } from "../../agent/state/reply-state.ts";
import { createModel, type ModelContext } from "../../model/create-model.ts";
import { contextSizeOf } from "../../model/presets/find-preset.ts";
import type { AgentDefinition } from "../../protocol/api/agents.ts";
import type { ModelDefinition } from "../../protocol/api/models.ts";
import { COMPRESSION_MS, DEFAULT_CONTEXT_SIZE } from "../../protocol/limits/context.ts";
import { pause } from "../../runtime/pause.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { chosenModels } from "./chosen-models.ts";

interface KeptReply {
  readonly agent: AgentDefinition;
  readonly tables: Pick<SessionTables, "abilities">;
  readonly newId: NewId;
  readonly models: ModelContext;
  /** The reply at this moment. */
  readonly reply: () => ReplyState;
}

/** Tokens that an agent's model can read at once, as its agent, its definition or its vendor says. */
export function contextWindow(
  { context }: Partial<AgentDefinition>,
  model: ModelDefinition,
): number {
  return context?.context_size ?? contextSizeOf(model) ?? DEFAULT_CONTEXT_SIZE;
}

export function openContextKeeper({
  agent,
  tables,
  newId,
  models,
  reply,
}: KeptReply): ContextKeeper {
  const settings = agent.context ?? {};
  const definitionAt = (index: number): ModelDefinition => {
    const chosen = chosenModels(agent, reply().model_options?.model) ?? [agent.model];
    return chosen[Math.min(index, chosen.length - 1)] ?? agent.model;
  };
  return {
    settings,
    state: () => tables.abilities.read(CONTEXT_FOLD),
    windowOf: (index) => contextWindow(agent, definitionAt(index)),
    compress: (request, stop) => {
      const own = definitionAt(reply().failed_model_calls);
      const definition = settings.compression_model ?? own;
      return compressContext(request, {
        settings,
        model: createModel(definition, models),
        model_window:
          definition === own ? request.window : (contextSizeOf(definition) ?? DEFAULT_CONTEXT_SIZE),
        is_own_model: definition === own,
        newId,
        sleep: pause,
        random: Math.random,
        stop,
        deadline: AbortSignal.timeout(COMPRESSION_MS),
      });
    },
  };
}
