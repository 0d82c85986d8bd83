// Events of the provider in the engine. Those that belong to nothing are counted, and change nothing else.
import type { VoiceModelEvent } from "../voice-model.ts";
import { changeProvider, sendFailure, type Draft } from "./draft.ts";
import { loseProvider, noteOpened, noteStray, openProvider } from "./provider-connection.ts";
import { beginResponse, endAudio, endResponse, takeAudio, takeText } from "./spoken-calls.ts";
import { beginSpeech, endSpeech, failTurn, refuseCommit, takeTranscript } from "./user-turns.ts";
import type { ProviderInput } from "./voice-input.ts";

/** The code with which a provider says that there was nothing to commit: OpenAI's, and that of our own detection. */
const NOTHING_TO_COMMIT = "input_audio_buffer_commit_empty";

/** The reason of a provider that has said nothing: what the user said meanwhile was not heard. */
const STALLED = "stalled";

export function takeProviderInput(draft: Draft, input: ProviderInput): void {
  switch (input.type) {
    case "provider_opened":
      return noteOpened(draft);
    case "provider_lost":
      return loseProvider(draft);
    case "provider_wanted":
      openProvider(draft, true);
      return;
    case "model":
      // An event that comes after the end of a connection is nobody's.
      if (draft.state.provider.status === "closed") return;
      if (!takeModelEvent(draft, input.event)) noteStray(draft);
      return;
    default:
      return input satisfies never;
  }
}

/** @returns False for an event that belongs to nothing. */
function takeModelEvent(draft: Draft, event: VoiceModelEvent): boolean {
  switch (event.type) {
    case "session_created":
    case "response_audio_transcript_done":
    // The model of the reply makes calls of these.
    case "response_tool_use_delta":
    case "response_tool_use_done":
    case "input_transcription_delta":
      return true;
    case "session_ended":
      loseProvider(draft, event.reason === STALLED);
      return true;
    case "response_created":
      return useful(draft, beginResponse(draft, event));
    case "response_done":
      return endResponse(draft, event);
    case "response_audio_delta":
      return takeAudio(draft, event);
    case "response_audio_done":
      return endAudio(draft, event);
    case "response_audio_transcript_delta":
      return takeText(draft, event);
    case "input_started":
      return useful(draft, beginSpeech(draft, event.item_id, event.audio_start_ms));
    case "input_done":
      return useful(draft, endSpeech(draft, event.item_id, event.audio_end_ms));
    case "input_transcription_done":
      return takeTranscript(draft, event.item_id, { text: event.transcript, usage: event.usage });
    case "error":
      return takeError(draft, event);
    default:
      return event satisfies never;
  }
}

/** A provider that works is opened at once when it is lost. */
function useful(draft: Draft, isOurs: boolean): boolean {
  if (isOurs) changeProvider(draft, { failures: 0 });
  return isOurs;
}

function takeError(
  draft: Draft,
  { code, item_id }: Extract<VoiceModelEvent, { type: "error" }>,
): boolean {
  const turn = draft.state.turns.find((each) => item_id !== undefined && each.item_id === item_id);
  if (turn) {
    if (turn.transcript !== null) return false;
    failTurn(draft, turn, true);
    return true;
  }
  if (code === NOTHING_TO_COMMIT) return refuseCommit(draft);
  sendFailure(draft, "the model that hears or speaks has told of an error");
  return true;
}
