// The client of an OpenAI-compatible endpoint, for both of its APIs.
import OpenAI from "openai";

import { baseUrlOf, type ModelDefinition } from "../../protocol/models/contract.ts";
import { MODEL_ANSWER_MS } from "../../protocol/models/limits.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import { withWholeLetters } from "../../outgoing/whole-letters.ts";
import { withReadRefusals } from "../stream/with-read-refusals.ts";

export type OpenAiModelDefinition = Extract<ModelDefinition, { provider: "openai" }>;

export function createOpenAiClient(
  definition: OpenAiModelDefinition,
  outgoing: OutgoingFetch,
  apiKey: string,
): OpenAI {
  // All set explicitly: the package reads absent options from environment variables.
  return new OpenAI({
    apiKey,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: baseUrlOf(definition),
    fetch: withReadRefusals(withWholeLetters(outgoing)),
    maxRetries: 0,
    // Time to the response headers, which may be long, unless the definition limits silence.
    timeout: definition.stall_ms ?? MODEL_ANSWER_MS,
    logLevel: "off",
  });
}
