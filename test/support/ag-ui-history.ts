// The history that a translation asks for beyond a reply's events, out of a log in memory.
import jsonPatch, { type Operation } from "fast-json-patch";

import { NEWEST_PROFILE } from "../../protocol/ag-ui/ag-ui-profile.ts";
import { stateVersionOf } from "../../protocol/ag-ui/ag-ui-run.ts";
import { foldEvents } from "../../protocol/fold/append-event.ts";
import { appendSpeech } from "../../protocol/fold/append-speech.ts";
import {
  type AgUiOptions,
  AgUiTranslator,
} from "../../protocol/dialects/ag-ui/ag-ui-translator.ts";
import type { AgUiEvent, AgUiFrame } from "../../protocol/dialects/ag-ui/wire/events.ts";
import { messageInProfile } from "../../protocol/dialects/ag-ui/profile.ts";
import { toAgUiMessages } from "../../protocol/dialects/ag-ui/wire/messages.ts";
import type { AgUiHistory } from "../../protocol/dialects/ag-ui/history.ts";
import type { LoggedEvent } from "../../protocol/events.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import type { PatchOperation } from "../../protocol/json-patch.ts";
import type { StateObject } from "../../protocol/shared-state/events.ts";
import { speechChangeOf } from "../../protocol/voice/events.ts";
import { listAbilities } from "../../tools/list-abilities.ts";

/** @param log From the session's first event on. */
function agUiHistory(log: readonly LoggedEvent[]): AgUiHistory {
  return {
    activities: listAbilities().flatMap(({ shows }) => shows ?? []),
    stateAt: (version, patches) => {
      const start = log.findIndex(
        (event) => event.type === "REPLY_START" && stateVersionOf(event) === version,
      );
      const before = version === 0 ? [] : log.slice(0, start).flatMap(patchOf);
      return [...before, ...patches].reduce(patched, {});
    },
  };
}

/**
 * A translator with the conversation in its snapshots, as a stream puts it there: what was said before their reply.
 * @param log From the session's first event on.
 */
export function sessionTranslator(log: readonly LoggedEvent[], options?: AgUiOptions) {
  const translator = new AgUiTranslator(agUiHistory(log), options);
  const whole = (event: AgUiEvent): AgUiEvent => {
    if (event.type !== "MESSAGES_SNAPSHOT" || translator.replyId === null) return event;
    const earlier = messagesOf(log, translator.replyId)
      .flatMap(toAgUiMessages)
      .map((message) => messageInProfile(options?.profile ?? NEWEST_PROFILE, message));
    return { ...event, messages: [...earlier, ...event.messages] };
  };
  const framed = (frames: readonly AgUiFrame[]) =>
    frames.map((frame) => ({ ...frame, event: whole(frame.event) }));
  return {
    push: (event: LoggedEvent) => framed(translator.push(event)),
    flush: () => framed(translator.flush()),
    join: () => translator.join().map(whole),
  };
}

/** The state after all of the log. */
export function sharedStateOf(log: readonly LoggedEvent[]): StateObject {
  return log.flatMap(patchOf).reduce(patched, {});
}

/** The conversation, up to a reply's own message when one is named. */
export function messagesOf(log: readonly LoggedEvent[], replyId?: string): Msg[] {
  const changes = log.flatMap((event) => speechChangeOf(event) ?? []);
  return addedOf(log, replyId).map((message) => changes.reduce(appendSpeech, message));
}

function addedOf(log: readonly LoggedEvent[], replyId?: string): Msg[] {
  const messages: Msg[] = [];
  for (const [index, event] of log.entries()) {
    if (event.type === "CUSTOM" && event.name === "message_added") {
      messages.push(event.value["message"] as Msg);
    }
    if (event.type !== "REPLY_START") continue;
    if (event.reply_id === replyId) return messages;
    const message = foldEvents(
      log.slice(index).filter(({ reply_id }) => reply_id === event.reply_id),
    );
    if (message && !messages.some(({ id }) => id === message.id)) messages.push(message);
  }
  return messages;
}

function patchOf(event: LoggedEvent): readonly (readonly PatchOperation[])[] {
  const isChange = event.type === "CUSTOM" && event.name === "shared_state_updated";
  return isChange ? [event.value["patch"] as readonly PatchOperation[]] : [];
}

function patched(state: StateObject, patch: readonly PatchOperation[]): StateObject {
  const operations = structuredClone(patch) as Operation[];
  return jsonPatch.applyPatch(structuredClone(state), operations, true).newDocument;
}
