// Speech of the user in a step of the engine, for clients whose dialect tells of it: from the states around the step, so that
// nothing is told which the engine has not taken.
import type { VoiceInput } from "../../agent/voice/engine/voice-input.ts";
import type { VoiceState } from "../../agent/voice/engine/voice-state.ts";
import type {
  HeardNotice,
  SaidCalls,
} from "../../protocol/dialects/realtime/realtime-translator.ts";

type StepInput = VoiceInput extends infer One
  ? One extends VoiceInput
    ? Omit<One, "now">
    : never
  : never;

export function heardNotices(
  before: VoiceState,
  after: VoiceState,
  input: StepInput,
): readonly HeardNotice[] {
  const notices: HeardNotice[] = [];
  const over = before.speech;
  const isOver = over !== null && after.speech?.item_id !== over.item_id;
  const known = new Set(before.turns.map(({ turn }) => turn));
  const ended = after.turns.filter(({ turn }) => !known.has(turn));
  // Speech that became no turn has ended as well.
  if (isOver && !ended.some(({ item_id }) => item_id === over.item_id)) {
    const audio_end_ms = Math.round(after.provider.given_ms);
    notices.push({ type: "input_done", item_id: over.item_id, audio_end_ms, item: null });
  }
  for (const { item_id, end_ms, item } of ended) {
    notices.push({ type: "input_done", item_id, audio_end_ms: Math.round(end_ms), item });
  }
  const { speech } = after;
  if (speech && speech.item_id !== over?.item_id) {
    const audio_start_ms = Math.round(speech.start_ms);
    notices.push({ type: "input_started", item_id: speech.item_id, audio_start_ms });
  }
  const delta = transcriptDelta(after, input);
  return delta ? [...notices, delta] : notices;
}

/** The words of what the user said that have come so far, of speech that the engine knows. */
function transcriptDelta({ speech, turns }: VoiceState, input: StepInput): HeardNotice | null {
  if (input.type !== "model" || !("event" in input)) return null;
  const { event } = input;
  if (event.type !== "input_transcription_delta" || event.delta === "") return null;
  const { item_id, delta } = event;
  const isOurs = speech?.item_id === item_id || turns.some((turn) => turn.item_id === item_id);
  return isOurs ? { type: "input_transcription_delta", item_id, delta } : null;
}

export function saidCalls({ calls }: VoiceState): SaidCalls {
  return {
    callOf: (item) => calls.find(({ items }) => items.some((one) => one.item === item))?.seq,
    isBeingSaid: (seq) =>
      calls.some(
        (call) => call.seq === seq && !call.is_done && !call.is_muted && call.cut === null,
      ),
  };
}

/** Whether the agent answers, or is about to. */
export function isAnswering({ reply, starting, held, turns }: VoiceState): boolean {
  return (
    reply !== null ||
    starting.length > 0 ||
    held.length > 0 ||
    turns.some(({ is_answered }) => !is_answered)
  );
}
