// Words of fields that the schemas of this room have.
export const USAGE_WORDS = {
  "UsageRow.agent_id": "The agent, or null when the sums are not taken by agent.",
  "UsageRow.day": "The day in UTC, or null when the sums are not taken by day.",
  "UsageRow.end_user_id":
    "The end user, or null when the sums are not taken by end user, and for what belongs to none.",
  "UsageRow.model_name": "The model, or null when the sums are not taken by model.",
  "UsageRow.cost_usd":
    "What the replies cost by the vendors' list prices, in US dollars, rounded to a billionth; null when the cost of one of them is not known.",
  "UsageRow.replies": "Replies that called a model.",
} as const;
