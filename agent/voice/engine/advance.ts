// The engine of a voice connection: turns of the user, spoken replies, what is played of them, and what cuts them off. Pure:
// its owner performs the effects, and tells what came of them as inputs.
import type { VoiceEffect } from "./voice-effect.ts";
import type { VoiceInput } from "./voice-input.ts";
import type { VoiceEngineSettings, VoiceState } from "./voice-state.ts";

export interface VoiceStep {
  readonly state: VoiceState;
  readonly effects: readonly VoiceEffect[];
}

export function openVoice(settings: VoiceEngineSettings): VoiceState {
  return {
    settings,
    client: null,
    provider: {
      status: "closed",
      turns: "server",
      given_ms: 0,
      uncommitted_ms: 0,
      failures: 0,
      retry_ms: 0,
      strays: 0,
    },
    speech: null,
    turns: [],
    held: [],
    reply: null,
    spoken: [],
    calls: [],
    past_ids: [],
    next_item: 1,
    next_turn: 1,
    active_ms: 0,
    scheduled_ms: null,
  };
}

/** The next state, and what is to be done. Nothing that a client or a provider says makes it throw. */
export function advance(state: VoiceState, input: VoiceInput): VoiceStep {
  switch (input.type) {
    case "client_closed":
      return { state: { ...state, client: null }, effects: [] };
    default:
      return { state, effects: [] };
  }
}
