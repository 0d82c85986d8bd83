// Routes on links that open the console.
import {
  ConsoleLinkCreateSchema,
  ConsoleLinkSchema,
  CreatedConsoleLinkSchema,
} from "./contract.ts";
import { EXAMPLE_TIME, TENANT_ID } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { CONSOLE_WORDS } from "./words.ts";

const link = {
  id: "cse_01kaj2x9b4d6f8h0k2m5p7r9t1",
  tenant_id: TENANT_ID,
  scopes: ["agents:read", "sessions:read", "replies:read"],
  created_at: EXAMPLE_TIME,
  expires_at: "2026-11-21T09:40:00.000Z",
};

const CONSOLE_ROUTES = [
  {
    name: "createConsoleLink",
    method: "POST",
    path: "/v1/console-links",
    access: "keys:write",
    operator_right: "people:write",
    keeps_keys: "database",
    body: "small",
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
] as const satisfies readonly DocumentedRoute[];

export const CONSOLE_CONTRACT = {
  routes: CONSOLE_ROUTES,
  fields: CONSOLE_WORDS,
  examples: {
    newConsoleLink: { summary: "A console that changes nothing", value: { scopes: link.scopes } },
    createdConsoleLink: {
      summary: "The link, shown this once",
      value: { ...link, url: "https://agents.example.com/console/sign-in#cl_…" },
    },
  },
} as const satisfies Contract;
