// Words of fields that the schemas of this room have.
export const CONSOLE_WORDS = {
  "ConsoleLink.id": "Names the console session that the link opens; entries of the audit have it.",
  "ConsoleLink.tenant_id": "The tenant of the console; null for the operator's.",
  "ConsoleLink.scopes":
    "What the console may do: all scopes of the key when left out; null for the operator's console.",
  "ConsoleLink.expires_at": "The link opens a session before this moment, and none after it.",
  "ConsoleLink.url":
    "To be opened in a browser, once. The secret is in the fragment, which browsers do not send.",
} as const;
