// The models of a reply.
import { REMOTE_CONVERSATION_FOLD } from "../../agent/a2a/remote-conversation-fold.ts";
import { MODEL_FORMS_FOLD } from "../../agent/models/model-forms-fold.ts";
import { bufferedModel } from "../../agent/hooks/buffered-model.ts";
import type { HookMiddleware } from "../../agent/hooks/middleware.ts";
import type { ReplyHooks } from "../../agent/hooks/reply-hooks.ts";
import { wrapModel } from "../../agent/hooks/wrap-run.ts";
import type { ServedTurns } from "../../agent/loop/reply-run.ts";
import type { EventLog, Model } from "../../agent/ports.ts";
import { roomForWords } from "../../agent/state/budget.ts";
import { refundDeskTurn } from "../../demo/refund-desk-turn.ts";
import type { ModelContext } from "../../model/create-model.ts";
import { mediaMemory } from "../settings/media-memory.ts";
import { openModels } from "../settings/open-models.ts";
import { sessionMedia } from "../settings/session-media.ts";
import { pushAddressOf, remoteCalls } from "./remote-calls.ts";
import { openServedTurns } from "./open-served-turns.ts";
import type { ReplyExecution, ReplyNetwork } from "./reply-execution.ts";
import type { Models } from "./spoken-replies.ts";

interface ModelLayers {
  readonly middleware: readonly HookMiddleware[];
  readonly hooks?: ReplyHooks;
}

interface ReplyModels {
  /** The agent's model, then its fallbacks. */
  readonly models: readonly [Model, ...Model[]];
  /** The same, or those of the voice that says the reply, inside the middleware and hooks of the reply. */
  readonly hookedModels: readonly [Model, ...Model[]];
  readonly modelContext: ModelContext;
  /** An agent in code over HTTP, inside the same; left out for the model loop and for one of the deployment. */
  readonly served?: ServedTurns;
}

export function openReplyModels(
  { context: { env, tables, spoken }, reply, init, log }: ReplyExecution,
  network: ReplyNetwork,
  layers: ModelLayers,
): ReplyModels {
  const modelContext: ModelContext = {
    ...network,
    decideTurn: refundDeskTurn,
    media: sessionMedia(env, init),
    mediaMemory: mediaMemory(tables, (events) => log.append(events), reply.id),
    remote: {
      reply_id: reply.id,
      read: () => tables.abilities.read(REMOTE_CONVERSATION_FOLD),
      isOver: () => reply.state.is_interrupted || reply.state.message.finished_reason !== null,
      ...remoteCalls(init, tables.calls, reply.state),
      pushes: {
        address: (expiresAtMs) => pushAddressOf(env, init, reply.id)("", expiresAtMs),
        until: (waitMs, signal) => reply.untilPushed(waitMs, signal),
      },
    },
    formOf: (author) => tables.abilities.read(MODEL_FORMS_FOLD)[author],
  };
  const models = openModels(init.agent, log.state.model_options?.model, modelContext);
  const hooked = (model: Model): Model => hookedModel(model, layers, log);
  const saying = (given: Models): Models => spoken.modelsOf({ reply, init }, given, hooked);
  const served = openServedTurns({ init, log }, network, saying);
  return { models, hookedModels: saying(models), modelContext, ...(served && { served }) };
}

/** A model whose words pass the middleware first, and then the hooks that hold them back. */
function hookedModel(model: Model, { middleware, hooks }: ModelLayers, log: EventLog): Model {
  const wrapped = wrapModel(model, middleware);
  if (!hooks?.has("pre_print")) return wrapped;
  return bufferedModel(wrapped, {
    print: (type, text, stop) => hooks.beforePrint(type, text, { stop }),
    room: () => roomForWords(log.state),
  });
}
