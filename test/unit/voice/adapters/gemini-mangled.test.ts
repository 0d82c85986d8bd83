/** @module-tag broad */
import { geminiSuite } from "../../../support/voice/gemini-suite.ts";
import { describeMangled } from "../../../support/voice/provider-mangler.ts";

describeMangled(geminiSuite);
