// Gemini as the suites of providers meet it.
import { createGeminiVoice } from "../../../model/voice/gemini/gemini-voice.ts";
import { createOutgoing } from "../../../outgoing/outgoing.ts";
import type { SecretSource } from "../../../outgoing/secret-source.ts";
import { RealtimeModelSchema } from "../../../protocol/voice/realtime-models.ts";
import { nodeUpgrade } from "./node-upgrade.ts";
import { SUITE_CREDENTIAL, SUITE_SECRET, type ProviderSuite } from "./provider-suite.ts";
import { startFakeGemini } from "./providers/gemini-realtime.ts";

const suiteSecrets: SecretSource = () => ({ ok: true, secret: SUITE_SECRET });

export const geminiSuite: ProviderSuite = {
  name: "Gemini",
  inputRate: 16_000,
  takesText: true,
  hasObjectInputs: true,
  start: async () => {
    const fake = await startFakeGemini();
    return {
      server: fake.server,
      traps: fake.traps,
      stop: () => fake.stop(),
      makeVoice: ({ limits, secrets = suiteSecrets } = {}) => {
        const model = RealtimeModelSchema.parse({
          provider: "gemini",
          name: "speaker",
          base_url: fake.url,
          credential_id: SUITE_CREDENTIAL,
        });
        if (model.provider !== "gemini") throw new Error("another model");
        const outgoing = createOutgoing({ fetch: nodeUpgrade, environment: "local" });
        const shared = { truncation: undefined, outgoing, secrets };
        return createGeminiVoice({ model, ...shared, ...(limits && { limits }) });
      },
    };
  },
};
