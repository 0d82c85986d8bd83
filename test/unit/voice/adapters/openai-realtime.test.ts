import { openAiSuite } from "../../../support/voice/openai-voice.ts";
import { describeFailures } from "../../../support/voice/provider-failures.ts";
import { describeProvider } from "../../../support/voice/provider-suite.ts";

for (const provider of ["openai", "xai"] as const) {
  describeProvider(openAiSuite(provider));
  describeFailures(openAiSuite(provider));
}
