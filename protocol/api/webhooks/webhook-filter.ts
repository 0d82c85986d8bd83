// Which events an endpoint wants. No zod.

/** Filters that stand for more than one type; others are types themselves. */
export const WEBHOOK_WILDCARDS = ["*", "reply.*", "session.*"] as const;

/** Whether one of the filters lets events of `type` through: the type itself, its group as `group.*`, or `*`. */
export function matchesWebhookFilter(filters: readonly string[], type: string): boolean {
  const group = `${type.slice(0, type.indexOf("."))}.*`;
  return filters.some((filter) => filter === type || filter === group || filter === "*");
}
