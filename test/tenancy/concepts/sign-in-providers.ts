// Sign-in providers of a tenant.
import { inject } from "vitest";

import { SCOPES } from "../../../protocol/keys/contract.ts";
import type { SignInProvider } from "../../../protocol/sign-in-providers/contract.ts";
import { MAX_SIGN_IN_PROVIDERS } from "../../../protocol/sign-in-providers/limits.ts";
import { makeTenant } from "../../worker/support/api.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { countRows } from "../../worker/support/read-cell.ts";
import { NEWEST, pageToken } from "../places.ts";
import type { ConceptRows } from "../row.ts";

// A provider may let in an owner.
const besides = SCOPES;
const provider = (name: string) => ({
  name,
  issuer: `${inject("oidcServerUrl")}/tenancy`,
  client_id: "reprise-console",
});

export const ROWS = {
  createSignInProvider: {
    answers: 201,
    body: ({ word }) => provider(word),
    besides,
    shows: [],
    stores: ["+audit_entries", "+sign_in_providers"],
    refusedBy: ["database_bytes"],
    bounds: { sign_in_providers: MAX_SIGN_IN_PROVIDERS },
  },
  listSignInProviders: {
    answers: 200,
    places: [pageToken(`sip_${NEWEST}`)],
    shows: ["provider"],
  },
  readSignInProvider: { answers: 200, shows: ["provider"] },
  deleteSignInProvider: {
    answers: 200,
    besides,
    shows: ["provider"],
    stores: ["+audit_entries", "-sign_in_providers"],
  },
} satisfies ConceptRows;

export const KEYED = {
  async createSignInProvider() {
    const { id, call } = await makeTenant();
    return {
      path: "/v1/sign-in-providers",
      call,
      json: provider("staff"),
      other: provider("others"),
      count: () =>
        countRows("SELECT count(*) AS found FROM sign_in_providers WHERE tenant_id = ?", id),
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  const json = provider("staff");
  const created = await api.ask<SignInProvider>("createSignInProvider", {}, { ...call, json });
  const place = { sign_in_provider_id: created.json.id };
  await api.ask("createSignInProvider", {}, { ...call, json: { ...json, mood: "good" } });
  for (let count = 1; count <= MAX_SIGN_IN_PROVIDERS; count += 1) {
    await api.ask("createSignInProvider", {}, { ...call, json });
  }
  await api.ask("listSignInProviders", {}, call);
  await api.ask("listSignInProviders", { query: "?limit=x" }, call);
  await api.ask("readSignInProvider", place, call);
  await api.ask("deleteSignInProvider", place, call);
  await api.ask("deleteSignInProvider", place, call);
  await api.ask("readSignInProvider", place, call);
}
