// Event filters of webhook endpoints. No zod here: the SDK uses this file.

/** Filters that match more than one type; all others are types. */
export const WEBHOOK_WILDCARDS = ["*", "reply.*", "session.*"] as const;

/** Whether one of the filters matches `type`: the type itself, its group as `group.*`, or `*`. */
export function matchesWebhookFilter(filters: readonly string[], type: string): boolean {
  const group = `${type.slice(0, type.indexOf("."))}.*`;
  return filters.some((filter) => filter === type || filter === group || filter === "*");
}
