// The context of a reply: the messages before it, and the keeper that keeps them within the window of its model.
import { CONTEXT_FOLD } from "../../agent/context/context-fold.ts";
import type { ContextKeeper } from "../../agent/context/context-keeper.ts";
import type { Model } from "../../agent/ports.ts";
import type { ModelContext } from "../../model/create-model.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { earlierCall } from "../context/earlier-call.ts";
import { openContextKeeper } from "../context/open-context-keeper.ts";
import { leftEvent, readContext, textBytes, type ReadContext } from "../context/read-context.ts";
import type { ReplyExecution } from "./reply-execution.ts";

export function readReplyContext({ context, reply, init }: ReplyExecution): Promise<ReadContext> {
  return readContext(context.tables, init.agent, { below: reply.startCursor + 1, open: reply });
}

/** Records the size of the context, and the messages that are left out of it. */
export function noteContext({ reply, log, stop }: ReplyExecution, read: ReadContext): void {
  reply.noteHistory(textBytes(read));
  if (read.left && !stop.aborted) log.append([leftEvent(read.left, reply.id)]);
}

interface ContextModels {
  /** The messages before the reply, as its model is sent them. */
  readonly history: readonly Msg[];
  readonly models: readonly [Model, ...Model[]];
  readonly modelContext: ModelContext;
}

export function openContext(
  { context: { tables, newId, compression }, init, log }: ReplyExecution,
  { history, models, modelContext }: ContextModels,
): ContextKeeper {
  return openContextKeeper({
    agent: init.agent,
    models,
    modelContext,
    reply: () => log.state,
    state: () => tables.abilities.read(CONTEXT_FOLD),
    earlierCall: () => earlierCall(tables, history),
    newId,
    inTurn: (state, stop, compress) => compression.ofReply(state, stop, compress),
  });
}
