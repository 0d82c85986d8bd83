/** @module-tag broad */
import { startDashScopeVoice } from "../../../support/voice/dashscope-voice.ts";
import { describeMangled } from "../../../support/voice/provider-mangler.ts";

describeMangled({
  name: "Qwen-Omni",
  inputRate: 16_000,
  takesText: false,
  start: startDashScopeVoice,
});
