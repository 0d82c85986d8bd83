// The keeper of a running reply's context: the loop's `ContextKeeper` over the session's tables.
import { compressContext } from "../../agent/context/compress-context.ts";
import { CONTEXT_FOLD } from "../../agent/context/context-fold.ts";
import type { ContextKeeper } from "../../agent/context/context-keeper.ts";
import type { Model, NewId } from "../../agent/ports.ts";
import type { ReplyState } from "../../agent/state/reply-state.ts";
import type { ModelContext } from "../../model/create-model.ts";
import { COMPRESSION_MS } from "../../protocol/limits/context.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { pause } from "../../runtime/pause.ts";
import type { SessionInit } from "../api/session-api.ts";
import { chosenModels } from "../settings/chosen-models.ts";
import type { SessionTables } from "../tables/session-tables.ts";
import { earlierCall } from "./earlier-call.ts";
import type { SessionCompression } from "./session-compression.ts";
import { summaryModel } from "./summary-model.ts";
import { windowOf } from "../settings/window-of.ts";

export interface KeptReply {
  /** The settings that it began with. */
  readonly init: SessionInit;
  readonly tables: SessionTables;
  readonly compression: Pick<SessionCompression, "ofReply">;
  /** The reply's models, in the order of `chosenModels`. */
  readonly models: readonly [Model, ...Model[]];
  readonly modelContext: ModelContext;
  /** The reply at this moment. */
  readonly reply: () => ReplyState;
  /** The messages before it, oldest first. */
  readonly history: readonly Msg[];
  readonly newId: NewId;
}

/** For one execution of a reply. */
export function openContextKeeper({
  init: { agent },
  tables,
  compression,
  models,
  modelContext,
  reply,
  history,
  newId,
}: KeptReply): ContextKeeper {
  const settings = agent.context ?? {};
  const definitions = chosenModels(agent, reply().model_options?.model) ?? [agent.model];
  const windowAt = (index: number) => windowOf(agent, definitions[index] ?? definitions.at(-1));
  const own = () => {
    const index = reply().failed_model_calls;
    return { model: models[index] ?? models[0], model_window: windowAt(index) };
  };
  return {
    settings,
    state: () => tables.abilities.read(CONTEXT_FOLD),
    windowOf: windowAt,
    earlierCall: () => earlierCall(tables, history),
    compress: (request, stop) =>
      compression.ofReply(request.state, stop, () =>
        compressContext(request, {
          settings,
          ...summaryModel(agent, modelContext, own),
          newId,
          sleep: pause,
          random: Math.random,
          stop,
          deadline: AbortSignal.timeout(COMPRESSION_MS),
        }),
      ),
  };
}
