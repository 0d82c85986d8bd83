// The models that an agent may name.
import type { Resource } from "../resource.ts";

export const MODELS = {
  fieldDescriptions: {
    context_size: "The model's context window in tokens.",
    provider: "Who runs the model.",
    "OpenAiModel.api": "Which API of the endpoint is called; `chat_completions` when left out.",
    "OpenAiModel.base_url":
      "Where the endpoint is, up to and without `/chat/completions` or `/responses`.",
    send_reasoning:
      "How much of the reasoning that the model gave without a signature is sent back to it, and to no other: `never`, `tool_loop` (since the user's last message) or `always`. When left out, `always` for the hosts of DeepSeek and Kimi, else `never`; an endpoint that refuses a request for it is asked again the other way.",
    "OpenAiModel.name": "The model's name at the provider.",
    "OpenAiModel.parameters":
      "Additional members of the request, such as temperature. `stream_options: null` leaves that member out.",
    "OpenAiModel.stall_ms":
      "Milliseconds without a byte after which a call is aborted and retried. When left out, 300,000 before the first byte and 120,000 after it. A stream with only comments or empty events is aborted after ten times as long, 600,000 at most.",
    "AnthropicModel.stall_ms":
      "Milliseconds without a byte after which a call is aborted and retried. When left out, 300,000 before the first byte and 120,000 after it. A stream with only comments or empty events is aborted after ten times as long, 600,000 at most.",
    "AnthropicModel.base_url":
      "Where the endpoint is, up to and without `/v1/messages`; `https://api.anthropic.com` when left out.",
    "AnthropicModel.name": "The model's name at the provider.",
    "AnthropicModel.parameters":
      "Additional members of the request, such as `max_tokens` or `thinking`.",
    "ScriptedModel.name": "Which script.",
    "ScriptedModel.parameters": "Settings of the playback.",
    "ScriptedModel.parameters.tokens_per_second": "Pace of the stream; 0 is as fast as it can.",
  },
} as const satisfies Resource;
