import { geminiSuite } from "../../../support/voice/gemini-suite.ts";
import { describeProvider } from "../../../support/voice/provider-suite.ts";

describeProvider(geminiSuite);
