// The loop's `ContextKeeper`, which keeps the context of a running reply small: of one that a session runs, and of one
// that is run again.
import { compressContext } from "../../agent/context/compress-context.ts";
import type { ContextState } from "../../agent/context/context-fold.ts";
import type {
  CompressionOutcome,
  CompressionRequest,
  ContextKeeper,
} from "../../agent/context/context-keeper.ts";
import type { Model, NewId, StopSignal } from "../../agent/ports.ts";
import type { ReplyState } from "../../agent/state/reply-state.ts";
import type { ModelContext } from "../../model/create-model.ts";
import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import { COMPRESSION_MS } from "../../protocol/context/limits.ts";
import { pause } from "../../runtime/pause.ts";
import { chosenModels } from "../settings/chosen-models.ts";
import { windowOf } from "../settings/window-of.ts";
import { summaryModel } from "./summary-model.ts";

interface KeptReply extends Pick<ContextKeeper, "state" | "earlierCall"> {
  /** The definition that the reply runs with. */
  readonly agent: AgentDefinition;
  /** The models of the reply, in the order of `chosenModels`. */
  readonly models: readonly [Model, ...Model[]];
  readonly modelContext: ModelContext;
  /** The reply at this moment. */
  readonly reply: () => ReplyState;
  readonly newId: NewId;
  /** Lets one compression of the session run at a time; left out where there is only one that could. */
  readonly inTurn?: (
    state: ContextState,
    stop: StopSignal,
    compress: () => Promise<CompressionOutcome>,
  ) => Promise<CompressionOutcome>;
}

/** The keeper of one execution of a reply. */
export function openContextKeeper(kept: KeptReply): ContextKeeper {
  const { agent, state, earlierCall, models, modelContext, reply, newId } = kept;
  const { inTurn = (_state, _stop, compress) => compress() } = kept;
  const settings = agent.context ?? {};
  const definitions = chosenModels(agent, reply().model_options?.model) ?? [agent.model];
  const windowAt = (index: number) => windowOf(agent, definitions[index] ?? definitions.at(-1));
  const own = () => {
    const index = reply().failed_model_calls;
    return { model: models[index] ?? models[0], model_window: windowAt(index) };
  };
  const compress = (request: CompressionRequest, stop: StopSignal) =>
    compressContext(request, {
      settings,
      ...summaryModel(agent, modelContext, own),
      newId,
      sleep: pause,
      random: Math.random,
      stop,
      deadline: AbortSignal.timeout(COMPRESSION_MS),
    });
  return {
    settings,
    state,
    windowOf: windowAt,
    ...(earlierCall && { earlierCall }),
    compress: (request, stop) => inTurn(request.state, stop, () => compress(request, stop)),
  };
}
