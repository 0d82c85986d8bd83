import { startDashScopeVoice } from "../../../support/voice/dashscope-voice.ts";
import { describeFailures } from "../../../support/voice/provider-failures.ts";
import { describeProvider } from "../../../support/voice/provider-suite.ts";

const SUITE = {
  name: "Qwen-Omni",
  inputRate: 16_000,
  takesText: false,
  start: startDashScopeVoice,
};

describeProvider(SUITE);
describeFailures(SUITE);
