// A Gemini voice for tests, against the server of this machine that speaks its wire.
import type { Model, ModelRequest } from "../../../agent/ports.ts";
import type { VoiceSetup } from "../../../agent/voice/voice-model.ts";
import { createGeminiVoice } from "../../../model/voice/gemini/gemini-voice.ts";
import type { SessionHandles } from "../../../model/voice/gemini/session-handles.ts";
import { createSecretSource } from "../../../outgoing/secret-source.ts";
import type { Msg } from "../../../protocol/messages/messages.ts";
import { nodeUpgrade } from "./node-upgrade.ts";
import { openVoice, type OpenedVoice } from "./opened-voice.ts";
import { askVoice } from "./opened-voice.ts";
import type { FakeGemini } from "./providers/gemini-realtime.ts";

export const GEMINI_KEY = "AIzaSecretOfTheTests0123456789";

type Options = Parameters<typeof createGeminiVoice>[0];

export function geminiModel(
  { url }: Pick<FakeGemini, "url">,
  options: Partial<Options> & { readonly handles?: SessionHandles } = {},
) {
  return createGeminiVoice({
    model: {
      provider: "gemini",
      name: "gemini-3.8-live",
      base_url: url,
      credential_id: "cred_gemini",
      parameters: {},
    },
    truncation: undefined,
    outgoing: nodeUpgrade,
    secrets: createSecretSource(
      new Map([["cred_gemini", { secret: GEMINI_KEY, allowed_hosts: null }]]),
    ),
    ...options,
  });
}

export interface OpenedGemini extends OpenedVoice {
  readonly model: Model;
  readonly ask: (
    messages: readonly Msg[],
    request?: Partial<ModelRequest> & { readonly stop?: AbortSignal },
  ) => Promise<string[]>;
}

export async function openGemini(
  server: Pick<FakeGemini, "url">,
  setup: Partial<VoiceSetup> = {},
  options: Partial<Options> = {},
): Promise<OpenedGemini> {
  const opened = await openVoice(geminiModel(server, options), setup);
  const [model] = opened.connection.speaks([NOBODY]);
  return { ...opened, model, ask: (messages, request) => askVoice(model, messages, request) };
}

const NOBODY: Model = {
  name: "nobody",
  async *stream() {
    yield { text: "nobody is asked" };
  },
};
