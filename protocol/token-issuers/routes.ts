// Routes on token issuers.
import { TokenIssuerPageSchema, TokenIssuerCreateSchema, TokenIssuerSchema } from "./contract.ts";
import { PageQuerySchema } from "../schemas/common.ts";
import { MAX_TOKEN_ISSUERS } from "./limits.ts";
import { ASKED_AT } from "../refund-desk.ts";
import type { Contract, DocumentedRoute } from "../requests/contract.ts";
import { TOKEN_ISSUER_WORDS } from "./words.ts";

const settings = {
  name: "The shop's sign-in",
  issuer: "https://login.shop.example",
  jwks_url: "https://login.shop.example/keys.json",
};

const TOKEN_ISSUER_ROUTES = [
  {
    name: "createTokenIssuer",
    method: "POST",
    path: "/v1/token-issuers",
    access: "keys:write",
    keeps_keys: "database",
    body: "small",
    tag: "Token issuers",
    summary: "Register a token issuer",
    description: `Its JWTs are accepted from then on. The key needs the scope of each verb too. ${MAX_TOKEN_ISSUERS} at most.`,
    request: { json: TokenIssuerCreateSchema, examples: ["newTokenIssuer"] },
    answers: {
      201: {
        description: "The issuer.",
        json: TokenIssuerSchema,
        headers: ["Location"],
        examples: ["tokenIssuer"],
      },
    },
    errors: ["quota_exceeded"],
  },

  {
    name: "listTokenIssuers",
    method: "GET",
    path: "/v1/token-issuers",
    access: "keys:read",
    body: "none",
    tag: "Token issuers",
    summary: "List token issuers",
    description: "Newest first.",
    query: PageQuerySchema,
    answers: { 200: { description: "A page of issuers.", json: TokenIssuerPageSchema } },
  },

  {
    name: "readTokenIssuer",
    method: "GET",
    path: "/v1/token-issuers/{token_issuer_id}",
    access: "keys:read",
    body: "none",
    tag: "Token issuers",
    summary: "Get a token issuer",
    description: "As it was registered.",
    answers: { 200: { description: "The issuer.", json: TokenIssuerSchema } },
  },

  {
    name: "deleteTokenIssuer",
    method: "DELETE",
    path: "/v1/token-issuers/{token_issuer_id}",
    access: "keys:write",
    body: "none",
    tag: "Token issuers",
    summary: "Delete a token issuer",
    description: "Its tokens are refused after 30 seconds at the latest; sessions stay.",
    answers: { 204: { description: "The issuer is removed." } },
  },
] as const satisfies readonly DocumentedRoute[];

export const TOKEN_ISSUER_CONTRACT = {
  tags: {
    "Token issuers": "Identity providers whose JWTs end users may send to an agent's MCP endpoint.",
  },
  routes: TOKEN_ISSUER_ROUTES,
  pathParameters: {
    token_issuer_id: { form: "tki", description: "The token issuer." },
  },
  fields: TOKEN_ISSUER_WORDS,
  examples: {
    newTokenIssuer: { summary: "The shop's own sign-in", value: settings },
    tokenIssuer: {
      summary: "The shop's own sign-in, with its defaults",
      value: {
        id: "tki_01kaj2vm5p8r2t6v9x3z7b1d4f",
        ...settings,
        audience: null,
        end_user_claim: "sub",
        end_user_prefix: "",
        verbs: ["reply", "interrupt"],
        agent_ids: null,
        allowed_origins: null,
        created_at: ASKED_AT,
        created_by: "key_01m6w9v3n8k2r5t7x0z4c6d8f1",
        end_user_share: null,
      },
    },
  },
} as const satisfies Contract;
