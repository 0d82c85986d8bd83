interface UsageSum {
  /** The column of the sums. */
  readonly name: string;
  /** The value that a delivered entry adds, as a parameter of `storage/outbox/usage-delivery.ts`. */
  readonly added: string;
  /** The value in a row of `usage`. */
  readonly stored: string;
}

/** Sums of the rows of `usage`, by day and for end users. */
export const USAGE_SUMS: readonly UsageSum[] = [
  { name: "replies", added: "?13", stored: "replies" },
  { name: "input_tokens", added: "?8", stored: "input_tokens" },
  { name: "output_tokens", added: "?9", stored: "output_tokens" },
  { name: "cache_input_tokens", added: "?10", stored: "cache_input_tokens" },
  { name: "cache_creation_input_tokens", added: "?11", stored: "cache_creation_input_tokens" },
  { name: "cost", added: "ifnull(?12, 0)", stored: "ifnull(cost, 0)" },
  { name: "unpriced", added: "?12 IS NULL", stored: "cost IS NULL" },
  { name: "audio_input_ms", added: "?14", stored: "audio_input_ms" },
  { name: "audio_output_ms", added: "?15", stored: "audio_output_ms" },
  { name: "audio_input_tokens", added: "?16", stored: "audio_input_tokens" },
  { name: "audio_output_tokens", added: "?17", stored: "audio_output_tokens" },
];
