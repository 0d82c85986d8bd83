import { createOpenAiVoice } from "../../../../model/voice/openai/openai-voice.ts";
import { RealtimeModelSchema } from "../../../../protocol/voice/realtime-models.ts";
import { createOutgoing } from "../../../../outgoing/outgoing.ts";
import {
  describeProvider,
  SUITE_CREDENTIAL,
  SUITE_SECRET,
  type StartedProvider,
} from "../../../support/voice/provider-suite.ts";
import { nodeUpgrade } from "../../../support/voice/node-upgrade.ts";
import { startFakeOpenAi } from "../../../support/voice/providers/openai-realtime.ts";

async function start(provider: "openai" | "xai"): Promise<StartedProvider> {
  const fake = await startFakeOpenAi(provider);
  return {
    ...fake,
    makeVoice: ({ limits, secrets = () => ({ ok: true, secret: SUITE_SECRET }) } = {}) => {
      const model = RealtimeModelSchema.parse({
        provider,
        name: "speaker",
        base_url: fake.url,
        credential_id: SUITE_CREDENTIAL,
      });
      if (model.provider !== "openai" && model.provider !== "xai") throw new Error("another model");
      const outgoing = createOutgoing({ fetch: nodeUpgrade, environment: "local" });
      const shared = { truncation: undefined, outgoing, secrets, ...(limits && { limits }) };
      return model.provider === "openai"
        ? createOpenAiVoice({ model, ...shared })
        : createOpenAiVoice({ model, ...shared });
    },
  };
}

describeProvider({
  name: "OpenAI",
  inputRate: 24_000,
  takesText: true,
  start: () => start("openai"),
});

describeProvider({ name: "xAI", inputRate: 24_000, takesText: true, start: () => start("xai") });
