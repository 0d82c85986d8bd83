// One-time links that sign a browser in to the console.
import {
  ConsoleLinkCreateSchema,
  ConsoleLinkSchema,
  CreatedConsoleLinkSchema,
} from "../../protocol/console/contract.ts";
import { EXAMPLE_TIME, TENANT_ID } from "../../protocol/refund-desk.ts";
import type { Resource } from "../resource.ts";

const link = {
  id: "cse_01kaj2x9b4d6f8h0k2m5p7r9t1",
  tenant_id: TENANT_ID,
  scopes: ["agents:read", "sessions:read", "replies:read"],
  created_at: EXAMPLE_TIME,
  expires_at: "2026-11-21T09:40:00.000Z",
};

export const CONSOLE_LINKS = {
  operations: {
    createConsoleLink: {
      tag: "API keys",
      summary: "Create a sign-in link for the console",
      description: [
        "The link signs one browser in, once, within ten minutes. The console's session may do what the key may, or only",
        "`scopes`; it ends after twelve hours, after an hour without use, by signing out, and when the key is revoked.",
        "The operator's key makes a link to the operator's console, which has no scopes. No console session can make a link.",
      ].join(" "),
      request: { json: ConsoleLinkCreateSchema, examples: ["newConsoleLink"] },
      answers: {
        201: {
          description: "The link, this once.",
          json: CreatedConsoleLinkSchema,
          replayed: ConsoleLinkSchema,
          examples: ["createdConsoleLink"],
        },
      },
    },
  },

  fieldDescriptions: {
    "ConsoleLink.id":
      "Names the console session that the link opens; entries of the audit have it.",
    "ConsoleLink.tenant_id": "The tenant of the console; null for the operator's.",
    "ConsoleLink.scopes":
      "What the console may do: all scopes of the key when left out; null for the operator's console.",
    "ConsoleLink.expires_at": "The link opens a session before this moment, and none after it.",
    "ConsoleLink.url":
      "To be opened in a browser, once. The secret is in the fragment, which browsers do not send.",
  },
  examples: {
    newConsoleLink: { summary: "A console that changes nothing", value: { scopes: link.scopes } },
    createdConsoleLink: {
      summary: "The link, shown this once",
      value: { ...link, url: "https://agents.example.com/console/sign-in#cl_…" },
    },
  },
} as const satisfies Resource;
