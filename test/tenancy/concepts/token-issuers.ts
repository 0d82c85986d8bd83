// Token issuers of a tenant.
import type { Page } from "../../../protocol/schemas/common.ts";
import type { TokenIssuer } from "../../../protocol/token-issuers/contract.ts";
import { MAX_TOKEN_ISSUERS } from "../../../protocol/token-issuers/limits.ts";
import { ask, makeTenant } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { NEWEST, pageToken } from "../places.ts";
import type { ConceptRows } from "../row.ts";

const ISSUER = {
  name: "Sign-in",
  issuer: "https://login.example",
  jwks_url: "https://login.example/keys",
};
const issuer = (word: string) => ({ ...ISSUER, name: word });

export const ROWS = {
  createTokenIssuer: {
    answers: 201,
    body: ({ word }) => issuer(word),
    besides: ["sessions:read", "replies:write"],
    shows: [],
    stores: ["+audit_entries", "+token_issuers"],
    refusedBy: ["database_bytes"],
    bounds: { token_issuers: MAX_TOKEN_ISSUERS },
  },
  listTokenIssuers: { answers: 200, places: [pageToken(`tki_${NEWEST}`)], shows: ["issuer"] },
  readTokenIssuer: { answers: 200, shows: ["issuer"] },
  deleteTokenIssuer: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: ["+audit_entries", "-token_issuers"],
  },
} satisfies ConceptRows;

export const KEYED = {
  async createTokenIssuer() {
    const { call } = await makeTenant();
    const issuer = { issuer: "https://login.example", jwks_url: "https://login.example/keys" };
    return {
      path: "/v1/token-issuers",
      call,
      json: { name: "customers", ...issuer },
      other: { name: "staff", ...issuer },
      count: async () =>
        (await ask<Page<TokenIssuer>>("GET", "/v1/token-issuers", call)).json.data.length,
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  const created = await api.ask<TokenIssuer>("createTokenIssuer", {}, { ...call, json: ISSUER });
  const place = { token_issuer_id: created.json.id };
  await api.ask("createTokenIssuer", {}, { ...call, json: { ...ISSUER, mood: "good" } });
  for (let count = 1; count <= MAX_TOKEN_ISSUERS; count += 1) {
    await api.ask("createTokenIssuer", {}, { ...call, json: ISSUER });
  }
  await api.ask("listTokenIssuers", {}, call);
  await api.ask("listTokenIssuers", { query: "?limit=x" }, call);
  await api.ask("readTokenIssuer", place, call);
  await api.ask("deleteTokenIssuer", place, call);
  await api.ask("deleteTokenIssuer", place, call);
  await api.ask("readTokenIssuer", place, call);
}
