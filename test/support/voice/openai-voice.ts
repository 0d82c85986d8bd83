// The voices of OpenAI and of xAI at the fake Realtime API.
import { createOpenAiVoice } from "../../../model/voice/openai/openai-voice.ts";
import { createOutgoing } from "../../../outgoing/outgoing.ts";
import type { SecretSource } from "../../../outgoing/secret-source.ts";
import { RealtimeModelSchema } from "../../../protocol/voice/realtime-models.ts";
import { nodeUpgrade } from "./node-upgrade.ts";
import { SUITE_CREDENTIAL, SUITE_SECRET, type ProviderSuite } from "./provider-suite.ts";
import { startFakeOpenAi } from "./providers/openai-realtime.ts";

export function openAiSuite(provider: "openai" | "xai"): ProviderSuite {
  return {
    name: provider === "openai" ? "OpenAI" : "xAI",
    inputRate: 24_000,
    takesText: true,
    start: async () => {
      const fake = await startFakeOpenAi(provider);
      return {
        ...fake,
        makeVoice: ({ limits, secrets = grant } = {}) => {
          const model = RealtimeModelSchema.parse({
            provider,
            name: "speaker",
            base_url: fake.url,
            credential_id: SUITE_CREDENTIAL,
          });
          const outgoing = createOutgoing({ fetch: nodeUpgrade, environment: "local" });
          const shared = { truncation: undefined, outgoing, secrets, ...(limits && { limits }) };
          if (model.provider === "openai") return createOpenAiVoice({ model, ...shared });
          if (model.provider === "xai") return createOpenAiVoice({ model, ...shared });
          throw new Error("another model");
        },
      };
    },
  };
}

function grant(): ReturnType<SecretSource> {
  return { ok: true, secret: SUITE_SECRET };
}
