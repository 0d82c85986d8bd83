// Routes on sign-in providers of the operator's own people.
import { ASKED_AT } from "../refund-desk.ts";
import type { DocumentedRoute, Example } from "../requests/contract.ts";
import { PageQuerySchema } from "../schemas/common.ts";
import { MAX_SIGN_IN_PROVIDERS } from "./limits.ts";
import {
  OperatorSignInProviderCreateSchema,
  OperatorSignInProviderPageSchema,
  OperatorSignInProviderSchema,
} from "./operator-contract.ts";

const settings = {
  name: "Staff sign-in",
  issuer: "https://login.platform.example",
  client_id: "reprise-operator",
};

export const OPERATOR_SIGN_IN_PROVIDER_ROUTES = [
  {
    name: "createOperatorSignInProvider",
    method: "POST",
    path: "/v1/operator/sign-in-providers",
    access: "operator",
    operator_right: "people:write",
    keeps_keys: "database",
    body: "small",
    tag: "Operator's people",
    summary: "Register a sign-in provider of the operator's people",
    description: `Reads the provider's configuration first, and says what is wrong with it. ${MAX_SIGN_IN_PROVIDERS} at most.`,
    request: {
      json: OperatorSignInProviderCreateSchema,
      examples: ["newOperatorSignInProvider"],
    },
    answers: {
      201: {
        description: "The provider, with the address to register there, without the secret.",
        json: OperatorSignInProviderSchema,
        headers: ["Location"],
        examples: ["operatorSignInProvider"],
      },
    },
    errors: ["quota_exceeded"],
  },

  {
    name: "listOperatorSignInProviders",
    method: "GET",
    path: "/v1/operator/sign-in-providers",
    access: "operator",
    operator_right: "people:read",
    body: "none",
    tag: "Operator's people",
    summary: "List the sign-in providers of the operator's people",
    description: "Newest first.",
    query: PageQuerySchema,
    answers: {
      200: { description: "A page of providers.", json: OperatorSignInProviderPageSchema },
    },
  },

  {
    name: "readOperatorSignInProvider",
    method: "GET",
    path: "/v1/operator/sign-in-providers/{sign_in_provider_id}",
    access: "operator",
    operator_right: "people:read",
    body: "none",
    tag: "Operator's people",
    summary: "Get a sign-in provider of the operator's people",
    description: "As it was registered, without the secret.",
    answers: { 200: { description: "The provider.", json: OperatorSignInProviderSchema } },
  },

  {
    name: "deleteOperatorSignInProvider",
    method: "DELETE",
    path: "/v1/operator/sign-in-providers/{sign_in_provider_id}",
    access: "operator",
    operator_right: "people:write",
    body: "none",
    tag: "Operator's people",
    summary: "Delete a sign-in provider of the operator's people",
    description: [
      "Deletes its secret, removes the identities of its members and ends their console sessions; each needs a new link. The",
      "answer says how many they are, as `member_count` did before. The last way in of an owner stays: 409.",
    ].join(" "),
    answers: {
      200: {
        description: "The provider as it was, with the number of its members.",
        json: OperatorSignInProviderSchema,
      },
    },
    errors: ["conflict"],
  },
] as const satisfies readonly DocumentedRoute[];

const id = "sip_01kaj2vq7s0v4x8z2b6d0f4h8k";

export const OPERATOR_SIGN_IN_PROVIDER_EXAMPLES = {
  newOperatorSignInProvider: {
    summary: "The operator's own sign-in, of a client with a secret",
    value: { ...settings, client_secret: "…" },
  },
  operatorSignInProvider: {
    summary: "The operator's own sign-in",
    value: {
      id,
      ...settings,
      has_client_secret: true,
      redirect_url: `https://agents.example.com/operator/sign-in/${id}/callback`,
      member_count: 0,
      created_at: ASKED_AT,
      created_by: "operator",
    },
  },
} as const satisfies Readonly<Record<string, Example>>;
