// The headings of the document.

export const TAGS = {
  "Client tokens":
    "What an app holds instead of an API key: one session, some verbs, some minutes.",
  Callbacks: "Signed addresses that webhooks carry, to answer the calls that they announce.",
  "Inbound endpoints": "Where a tenant's own systems post events, signed.",
  Permissions: "Which calls may run, may not, or are asked about, and what was decided.",
  Confirmations: "What waits for people and for systems outside, across sessions.",
  Webhooks: "Where a tenant hears of events, signed, and what became of each message.",
} as const;
