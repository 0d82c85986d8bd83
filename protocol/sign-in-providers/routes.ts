// Routes on sign-in providers.
import { ASKED_AT, KEY_ID } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { PageQuerySchema } from "../schemas/common.ts";
import {
  SignInProviderCreateSchema,
  SignInProviderPageSchema,
  SignInProviderSchema,
} from "./contract.ts";
import { MAX_SIGN_IN_PROVIDERS } from "./limits.ts";
import {
  OPERATOR_SIGN_IN_PROVIDER_EXAMPLES,
  OPERATOR_SIGN_IN_PROVIDER_ROUTES,
} from "./operator-routes.ts";
import { SIGN_IN_PROVIDER_WORDS } from "./words.ts";

const settings = {
  name: "The shop's sign-in",
  issuer: "https://login.shop.example",
  client_id: "reprise-console",
};

const SIGN_IN_PROVIDER_ROUTES = [
  {
    name: "createSignInProvider",
    method: "POST",
    path: "/v1/sign-in-providers",
    access: "members:write",
    keeps_keys: "database",
    body: "small",
    tag: "Sign-in providers",
    summary: "Register a sign-in provider",
    description: `Reads the provider's configuration first, and says what is wrong with it. Its members may become owners, so who registers one needs the scopes of an owner. ${MAX_SIGN_IN_PROVIDERS} at most.`,
    request: { json: SignInProviderCreateSchema, examples: ["newSignInProvider"] },
    answers: {
      201: {
        description: "The provider, with the address to register there.",
        json: SignInProviderSchema,
        headers: ["Location"],
        examples: ["signInProvider"],
      },
    },
    errors: ["quota_exceeded"],
  },

  {
    name: "listSignInProviders",
    method: "GET",
    path: "/v1/sign-in-providers",
    access: "members:read",
    body: "none",
    tag: "Sign-in providers",
    summary: "List sign-in providers",
    description: "Newest first.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of providers.", json: SignInProviderPageSchema } },
  },

  {
    name: "readSignInProvider",
    method: "GET",
    path: "/v1/sign-in-providers/{sign_in_provider_id}",
    access: "members:read",
    body: "none",
    tag: "Sign-in providers",
    summary: "Get a sign-in provider",
    description: "As it was registered.",
    answers: { 200: { description: "The provider.", json: SignInProviderSchema } },
  },

  {
    name: "deleteSignInProvider",
    method: "DELETE",
    path: "/v1/sign-in-providers/{sign_in_provider_id}",
    access: "members:write",
    body: "none",
    tag: "Sign-in providers",
    summary: "Delete a sign-in provider",
    description: [
      "Removes the identities of its members and ends their console sessions; each needs a new link. The answer says how many",
      "they are, as `member_count` did before. The last way in of an owner stays: 409. Who deletes one needs the scopes of",
      "an owner.",
    ].join(" "),
    answers: {
      200: {
        description: "The provider as it was, with the number of its members.",
        json: SignInProviderSchema,
      },
    },
    errors: ["conflict"],
  },
] as const satisfies readonly DocumentedRoute[];

export const SIGN_IN_PROVIDER_CONTRACT = {
  tags: { "Sign-in providers": "OpenID providers at which members sign in to the console." },
  routes: [...SIGN_IN_PROVIDER_ROUTES, ...OPERATOR_SIGN_IN_PROVIDER_ROUTES],
  pathParameters: {
    sign_in_provider_id: { form: "sip", description: "The sign-in provider." },
  },
  fields: SIGN_IN_PROVIDER_WORDS,
  examples: {
    newSignInProvider: { summary: "The shop's own sign-in", value: settings },
    signInProvider: {
      summary: "The shop's own sign-in, of a client without a secret",
      value: {
        id: "sip_01kaj2vm5p8r2t6v9x3z7b1d4f",
        ...settings,
        credential_id: null,
        redirect_url:
          "https://agents.example.com/console/sign-in/sip_01kaj2vm5p8r2t6v9x3z7b1d4f/callback",
        member_count: 0,
        created_at: ASKED_AT,
        created_by: KEY_ID,
      },
    },
    ...OPERATOR_SIGN_IN_PROVIDER_EXAMPLES,
  },
} as const satisfies Contract;
