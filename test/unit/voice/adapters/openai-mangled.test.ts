/** @module-tag broad */
import { describeMangled } from "../../../support/voice/provider-mangler.ts";
import { openAiSuite } from "../../../support/voice/openai-voice.ts";

describeMangled(openAiSuite("openai"));
describeMangled(openAiSuite("xai"));
