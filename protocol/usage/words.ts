// Words of fields that the schemas of this room have.
export const USAGE_WORDS = {
  "UsageRow.agent_id":
    "The agent, or the room in which people have spoken; null when the sums are not taken by agent.",
  "UsageRow.day": "The day in UTC, or null when the sums are not taken by day.",
  "UsageRow.end_user_id":
    "The end user, or null when the sums are not taken by end user, and for what belongs to none.",
  "UsageRow.model_name": "The model, or null when the sums are not taken by model.",
  "UsageRow.cost_usd":
    "What the replies cost by the vendors' list prices, in US dollars, rounded to a billionth; null when the cost of one of them is not known.",
  "UsageRow.audio_input_ms":
    "Milliseconds of speech that were heard and written down; those of typed replies are none.",
  "UsageRow.audio_output_ms":
    "Milliseconds of speech that were said, also those that nobody played.",
  "UsageRow.audio_input_tokens":
    "Tokens of `input_tokens` that were audio, where the provider tells them.",
  "UsageRow.audio_output_tokens":
    "Tokens of `output_tokens` that were audio, where the provider tells them.",
  "UsageRow.replies": "Replies that called a model.",
  "UsageSeries.interval": "The time of one point.",
  "UsageSeries.first_output_bounds_ms":
    "Bounds of the buckets of `first_output`, in milliseconds: each bucket ends before its bound, the last has none.",
  "UsageSeries.wait_bounds_ms": "Likewise of `waits` and `waiting`.",
  "UsageSeries.points": "Newest first.",
  "UsageSeries.is_whole":
    "False when the oldest points are left out: ask for fewer days or one agent.",
  "UsageSeries.waiting": "Calls that wait now, by how long they do.",
  "UsageSeries.waiting.permission": "For a person's decision.",
  "UsageSeries.waiting.external_result": "For a result from outside.",
  "UsageSeriesPoint.at": "When the hour or day began.",
  "UsageSeriesPoint.agent_id":
    "The agent, or the room in which people have spoken; null when the series are not taken by agent.",
  "UsageSeriesPoint.model_name": "The model, or null when the series are not taken by model.",
  "UsageSeriesPoint.replies": "Replies that ended.",
  "UsageSeriesPoint.completed": "Those that were completed.",
  "UsageSeriesPoint.interrupted": "Those that were interrupted.",
  "UsageSeriesPoint.error": "Those that ended with an error.",
  "UsageSeriesPoint.exceed_max_iters": "Those that reached the most rounds.",
  "UsageSeriesPoint.error_types": "Errors by their type.",
  "UsageSeriesPoint.first_output":
    "Replies by the time from the start of their first model call to its first output.",
  "UsageSeriesPoint.waits": "Calls of these replies by how long they had waited.",
  "UsageSeriesPoint.waits.permission": "For a person's decision.",
  "UsageSeriesPoint.waits.external_result": "For a result from outside.",
  "UsageSeriesPoint.input_tokens": "Tokens of all calls of these replies.",
  "UsageSeriesPoint.output_tokens": "Likewise.",
  "UsageSeriesPoint.cost_usd":
    "What the replies cost by list prices; null when the cost of one of them is not known.",
  "UsageSeriesPoint.audio_input_ms":
    "Milliseconds of speech that were heard and written down; those of typed replies are none.",
  "UsageSeriesPoint.audio_output_ms":
    "Milliseconds of speech that were said, also those that nobody played.",
  "UsageSeriesPoint.audio_input_tokens":
    "Tokens of `input_tokens` that were audio, where the provider tells them.",
  "UsageSeriesPoint.audio_output_tokens":
    "Tokens of `output_tokens` that were audio, where the provider tells them.",
} as const;
