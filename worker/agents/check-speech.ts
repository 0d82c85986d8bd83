import type { StopSignal } from "../../agent/ports.ts";
import { probeSpeech } from "../../model/voice/probe-speech.ts";
import { hostOf } from "../../outgoing/allowed-hosts.ts";
import type { ModelCheck } from "../../protocol/agents/agent-check.ts";
import {
  speechEndpointsOf,
  type SpeechEndpoint,
  type VoiceSettings,
} from "../../protocol/voice/contract.ts";
import { type CheckAccess, NOT_SENT } from "../../tools/tool-kind.ts";

/** A model of a voice that is asked; the embedded ones need no network, and are not. */
export interface SpeechProbe {
  readonly shown: Pick<ModelCheck, "name" | "provider" | "credential_id">;
  readonly run: (
    stop: StopSignal,
  ) => Promise<Omit<ModelCheck, "name" | "provider" | "credential_id" | "duration_ms">>;
}

export function speechProbes(
  voice: VoiceSettings | null | undefined,
  access: Pick<CheckAccess, "outgoing" | "secrets">,
): readonly SpeechProbe[] {
  if (!voice) return [];
  return speechEndpointsOf(voice).map((endpoint) => {
    const { name, provider, credential_id = null } = endpoint;
    return {
      shown: { name, provider, credential_id },
      run: (stop) => check(voice, endpoint, { ...access, stop }),
    };
  });
}

const NOTES = {
  model: "The model could be connected.",
  transcription: "The model listened.",
  speech: "The model spoke.",
} as const satisfies Record<SpeechEndpoint["place"], string>;

async function check(
  voice: VoiceSettings,
  endpoint: SpeechEndpoint,
  { stop, ...access }: Pick<CheckAccess, "outgoing" | "secrets"> & { readonly stop: StopSignal },
): ReturnType<SpeechProbe["run"]> {
  const { place } = endpoint;
  const host = hostOf(endpoint.address);
  const failure = await probeSpeech(voice, endpoint, access, stop);
  if (failure) {
    const { code, message: note } = failure;
    return { ...NOT_SENT, host, status: "failed", code, note, hint: null };
  }
  if (stop.aborted) {
    const note = `The ${place} endpoint ${host} did not answer in time.`;
    return { ...NOT_SENT, host, status: "failed", kind: "timeout", note, hint: null };
  }
  const note = NOTES[place];
  return { ...NOT_SENT, host, status: "ok", note, hint: null };
}
