// Token issuers: identity providers whose JWTs a tenant accepts.
import {
  TokenIssuerPageSchema,
  TokenIssuerCreateSchema,
  TokenIssuerSchema,
} from "../../../protocol/token-issuers/contract.ts";
import { PageQuerySchema } from "../../../protocol/schemas/common.ts";
import { MAX_TOKEN_ISSUERS } from "../../../protocol/token-issuers/limits.ts";
import { ASKED_AT } from "../../../protocol/refund-desk.ts";
import type { Resource } from "../../resource.ts";

const settings = {
  name: "The shop's sign-in",
  issuer: "https://login.shop.example",
  jwks_url: "https://login.shop.example/keys.json",
};

export const TOKEN_ISSUERS = {
  tags: {
    "Token issuers": "Identity providers whose JWTs end users may send to an agent's MCP endpoint.",
  },
  operations: {
    createTokenIssuer: {
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
    listTokenIssuers: {
      tag: "Token issuers",
      summary: "List token issuers",
      description: "Newest first.",
      query: PageQuerySchema,
      answers: { 200: { description: "A page of issuers.", json: TokenIssuerPageSchema } },
    },
    readTokenIssuer: {
      tag: "Token issuers",
      summary: "Get a token issuer",
      description: "As it was registered.",
      answers: { 200: { description: "The issuer.", json: TokenIssuerSchema } },
    },
    deleteTokenIssuer: {
      tag: "Token issuers",
      summary: "Delete a token issuer",
      description: "Its tokens are refused after 30 seconds at the latest; sessions stay.",
      answers: { 204: { description: "The issuer is removed." } },
    },
  },
  pathParameters: { token_issuer_id: "The token issuer." },

  fieldDescriptions: {
    "TokenIssuer.agent_ids": "The agents that its tokens may ask; null for all.",
    "TokenIssuer.allowed_origins":
      "Origins of pages that may send its tokens; null for none but the platform's own and those of the user's machine.",
    "TokenIssuer.audience":
      "What the claim `aud` has to contain; null for the address of the MCP endpoint that is asked.",
    "TokenIssuer.created_by":
      "The API key that registered it. Revoking that key with everything made with it ends the issuer.",
    "TokenIssuer.end_user_claim": "The claim whose text is the end user's id.",
    "TokenIssuer.end_user_share":
      "What each of its end users may have, where that is not as the tenant's `quotas.end_user_share` says; null for nothing of its own.",
    "TokenIssuer.end_user_prefix":
      "Put before the claim's text, so that the end users of two issuers differ.",
    "TokenIssuer.issuer": "The claim `iss`, character by character.",
    "TokenIssuer.jwks_url": "Where the issuer publishes its keys, as a JSON Web Key Set.",
    "TokenIssuer.verbs":
      "What the end user may do. Without `confirm` and `tool_result` they see what waits, and others answer it.",
  },
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
} as const satisfies Resource;
