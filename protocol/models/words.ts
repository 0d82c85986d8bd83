// Words of fields that the schemas of this room have.
export const MODEL_WORDS = {
  "KnownModel.provider": "The provider of an agent's definition.",
  "KnownModel.name": "The name of an agent's definition.",
  "KnownModel.hosts":
    "The hosts at which it is this model; one of the same name elsewhere may be another.",
  "KnownModel.context_size": "Tokens that it can read at once.",
  "KnownModel.max_output_tokens": "Tokens that it can write in one answer.",
  "KnownModel.media_types": "Types of media that it is shown; others become a note.",
  "KnownModel.prices":
    "List prices by size of the input, the smallest first; null when they are not known.",
  "KnownModel.source":
    "The page that this is from: the vendor's, or a public table of vendors' pages.",
  "KnownModel.prices_source": "The page of the prices, or null without any.",
  "KnownModel.read_on":
    "The day on which a copy of the page was read; of a table the day of its last change.",
  "ModelPrice.up_to_input_tokens":
    "The price holds for calls with an input up to so many tokens; null for any greater one.",
  "ModelPrice.input": "Input that is neither read from the provider's cache nor written to it.",
  "ModelPrice.output": "Output, thinking included.",
  "ModelPrice.cached_input": "Input that is read from the cache, or null when it is not known.",
  "ModelPrice.cache_write": "Input that is written to the cache, or null when it is not known.",
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
} as const;
