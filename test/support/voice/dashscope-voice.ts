// Voices of Qwen-Omni for tests, against a fake of its server on this machine.
import type { Model } from "../../../agent/ports.ts";
import type { VoiceModel, VoiceSetup } from "../../../agent/voice/voice-model.ts";
import { refundDeskTurn } from "../../../demo/refund-desk-turn.ts";
import { createScriptedModel } from "../../../model/scripted/scripted-model.ts";
import { textToPcm } from "../../../model/voice/tones.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { waitUntil } from "../wait-for.ts";
import { openVoice, spokenMessage, type OpenedVoice } from "./opened-voice.ts";
import type { SpeechPort } from "../../../model/voice/cascade/ports.ts";
import { createDashScopeVoice } from "../../../model/voice/dashscope/dashscope-voice.ts";
import { createOutgoing } from "../../../outgoing/outgoing.ts";
import { RealtimeModelSchema } from "../../../protocol/voice/realtime-models.ts";
import { nodeUpgrade } from "./node-upgrade.ts";
import {
  SUITE_CREDENTIAL,
  SUITE_SECRET,
  type StartedProvider,
  type VoiceOptions,
} from "./provider-suite.ts";
import { startFakeDashScope, type FakeDashScope } from "./providers/dashscope-realtime.ts";

export interface DashScopeVoiceOptions extends VoiceOptions {
  readonly parameters?: object;
  readonly speech?: SpeechPort;
  readonly waits?: Parameters<typeof createDashScopeVoice>[0]["waits"];
}

export interface StartedDashScope
  extends Omit<StartedProvider, "traps" | "makeVoice">, Pick<FakeDashScope, "traps" | "brains"> {
  readonly makeVoice: (options?: DashScopeVoiceOptions) => VoiceModel;
}

export async function startDashScopeVoice(): Promise<StartedDashScope> {
  const fake = await startFakeDashScope();
  return { ...fake, makeVoice: (options) => makeDashScopeVoice(fake, options) };
}

function makeDashScopeVoice(
  { url }: FakeDashScope,
  {
    limits,
    parameters = {},
    speech,
    waits,
    secrets = () => ({ ok: true, secret: SUITE_SECRET }),
  }: DashScopeVoiceOptions = {},
): VoiceModel {
  const model = RealtimeModelSchema.parse({
    provider: "dashscope",
    name: "qwen3.8-omni-flash-realtime",
    base_url: url,
    credential_id: SUITE_CREDENTIAL,
    parameters,
  });
  if (model.provider !== "dashscope") throw new Error("another model");
  return createDashScopeVoice({
    model,
    truncation: undefined,
    outgoing: createOutgoing({ fetch: nodeUpgrade, environment: "local" }),
    secrets,
    speech: speech ?? null,
    ...(limits && { limits }),
    ...(waits && { waits }),
  });
}

/** Hertz that it hears. */
export const SPEECH_RATE = 16_000;

/** The agent's own model. */
const OWN = createScriptedModel({
  name: "own",
  tokensPerSecond: 0,
  decideTurn: refundDeskTurn,
});

export interface OpenedDashScope extends OpenedVoice {
  readonly model: Model;
  /** Says a turn to its end, and resolves with its message when it was heard. */
  readonly say: (text: string) => Promise<Msg>;
  /** Types of the frames that the server got, without audio. */
  readonly sent: () => readonly string[];
}

export async function openDashScope(
  { makeVoice, server }: StartedDashScope,
  setup: Partial<VoiceSetup> = {},
  options?: DashScopeVoiceOptions,
): Promise<OpenedDashScope> {
  const opened = await openVoice(makeVoice(options), setup);
  const { connection, events } = opened;
  const [model] = connection.speaks([OWN]);
  const client = server.clients.at(-1)!;
  return {
    ...opened,
    model,
    sent: () =>
      client.frames
        .map(({ type }) => String(type))
        .filter((type) => type !== "input_audio_buffer.append"),
    say: async (text) => {
      const before = events.filter(({ type }) => type === "input_done").length;
      connection.appendAudio(textToPcm(text, SPEECH_RATE));
      if (setup.turns) connection.appendAudio(silence(1_200));
      else connection.commit();
      await waitUntil(() => events.filter(({ type }) => type === "input_done")[before]);
      return spokenMessage(80 + 40 * text.length);
    },
  };
}

function silence(ms: number): Uint8Array {
  return new Uint8Array((ms * SPEECH_RATE * 2) / 1_000);
}
