// A voice whose setup, and the requests of whose calls, are changed before its provider gets them.
import type { Model, ModelRequest, StopSignal } from "../../agent/ports.ts";
import type { VoiceConnection, VoiceModel, VoiceSetup } from "../../agent/voice/voice-model.ts";

/** The changes of one connection. Contract: they never reject, and end soon after `stop`. */
interface RequestChanges {
  readonly history: VoiceSetup["history"];
  readonly change: (
    messages: ModelRequest["messages"],
    stop: StopSignal,
  ) => Promise<ModelRequest["messages"]>;
}

export function changeRequests(
  voice: VoiceModel,
  begin: (setup: VoiceSetup, stop: StopSignal) => Promise<RequestChanges>,
): VoiceModel {
  return {
    ...voice,
    open: async (setup, onEvent, stop) => {
      const { history, change } = await begin(setup, stop);
      const opened = await voice.open({ ...setup, history }, onEvent, stop);
      if (!opened.ok) return opened;
      return { ok: true, connection: changed(opened.connection, change) };
    },
  };
}

function changed(connection: VoiceConnection, change: RequestChanges["change"]): VoiceConnection {
  const wrap = (model: Model): Model => ({
    ...model,
    async *stream(request, stop, report) {
      const messages = await change(request.messages, stop);
      if (!stop.aborted) yield* model.stream({ ...request, messages }, stop, report);
    },
  });
  return {
    appendAudio: (pcm) => connection.appendAudio(pcm),
    commit: () => connection.commit(),
    clear: () => connection.clear(),
    speaks: (models) => {
      const [first, ...others] = connection.speaks(models);
      return [wrap(first), ...others.map(wrap)];
    },
    cancel: () => connection.cancel(),
    truncate: (itemId, playedMs, text) => connection.truncate(itemId, playedMs, text),
    deleteItem: (itemId) => connection.deleteItem(itemId),
    close: () => connection.close(),
  };
}
