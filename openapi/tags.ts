// The headings of the document.

export const TAGS = {
  Webhooks: "Where a tenant hears of events, signed, and what became of each message.",
} as const;
