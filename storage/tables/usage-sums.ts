interface UsageSum {
  /** The column of the sums. */
  readonly name: string;
  /** What a delivered entry adds, of the parameters of `storage/outbox/usage-delivery.ts`. */
  readonly added: string;
  /** What a row of `usage` has. */
  readonly stored: string;
}

/** What is summed of each row of `usage`, by day and for end users. */
export const USAGE_SUMS: readonly UsageSum[] = [
  { name: "replies", added: "?13", stored: "replies" },
  { name: "input_tokens", added: "?8", stored: "input_tokens" },
  { name: "output_tokens", added: "?9", stored: "output_tokens" },
  { name: "cache_input_tokens", added: "?10", stored: "cache_input_tokens" },
  { name: "cache_creation_input_tokens", added: "?11", stored: "cache_creation_input_tokens" },
  { name: "cost", added: "ifnull(?12, 0)", stored: "ifnull(cost, 0)" },
  { name: "unpriced", added: "?12 IS NULL", stored: "cost IS NULL" },
];
