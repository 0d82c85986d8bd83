// The adapter for an agent's voice, with one more: a voice whose name is an address is the echo there. The bundle of the
// bench has it in the place of the platform's (`bench/runtime/bench-voice.ts`).
import type { VoiceModel } from "../../agent/voice/voice-model.ts";
import {
  createVoiceModel as createPlatformVoice,
  type VoiceModelContext,
} from "../../model/voice/create-voice-model.ts";
import type { VoiceSettings } from "../../protocol/voice/contract.ts";
import { createEchoVoice } from "./echo-voice.ts";

export function createVoiceModel(settings: VoiceSettings, context: VoiceModelContext): VoiceModel {
  const { voice } = settings;
  if (voice.startsWith("http://")) return createEchoVoice(voice, context.outgoing);
  return createPlatformVoice(settings, context);
}
