// The models that an agent may name.
import { ModelSchema } from "../../protocol/api/agents.ts";
import type { Resource } from "../resource.ts";

const [ScriptedModelSchema, OpenAiModelSchema] = ModelSchema.options;

export const MODELS = {
  requestSchemas: {
    ModelInput: ModelSchema,
    ScriptedModelInput: ScriptedModelSchema,
    OpenAiModelInput: OpenAiModelSchema,
  },
  answerSchemas: {
    Model: ModelSchema,
    ScriptedModel: ScriptedModelSchema,
    OpenAiModel: OpenAiModelSchema,
  },
  schemaDescriptions: {
    ScriptedModel: "The embedded, deterministic model: no key, no network.",
    OpenAiModel: "Any OpenAI-compatible chat completions endpoint.",
  },
  fieldDescriptions: {
    context_size: "The model's context window in tokens.",
    provider: "Who runs the model.",
    "OpenAiModel.base_url": "Where the endpoint is, up to and without `/chat/completions`.",
    "OpenAiModel.name": "The model's name at the provider.",
    "OpenAiModel.parameters": "Additional members of the request, such as temperature.",
    "OpenAiModel.stall_ms":
      "Milliseconds without a byte after which a call is aborted and retried. When left out, 300,000 before the first byte and 120,000 after it. A stream with only comments or empty events is aborted after ten times as long, 600,000 at most.",
    "ScriptedModel.name": "Which script.",
    "ScriptedModel.parameters": "Settings of the playback.",
    "ScriptedModel.parameters.tokens_per_second": "Pace of the stream; 0 is as fast as it can.",
  },
} as const satisfies Resource;
