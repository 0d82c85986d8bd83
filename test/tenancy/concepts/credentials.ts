// Credentials of a tenant for models and tools.
import type { Credential } from "../../../protocol/credentials/contract.ts";
import { makeTenant } from "../../worker/support/api.ts";
import { countListed } from "../../worker/support/count-listed.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { NEWEST, pageToken } from "../places.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  createCredential: {
    answers: 201,
    body: ({ word }) => ({
      name: word,
      type: "model",
      secret: "sk-1",
      allowed_hosts: ["api.openai.com"],
    }),
    shows: [],
    stores: ["+audit_entries", "+credentials"],
    refusedBy: ["credentials", "database_bytes"],
  },
  listCredentials: { answers: 200, places: [pageToken(`crd_${NEWEST}`)], shows: ["credential"] },
  readCredential: { answers: 200, shows: ["credential"] },
  updateCredential: {
    answers: 200,
    body: ({ word }) => ({ name: `New ${word}` }),
    shows: [],
    stores: ["+audit_entries", "~credentials"],
    refusedBy: ["database_bytes"],
  },
  deleteCredential: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: ["+audit_entries", "-credentials"],
  },
} satisfies ConceptRows;

export const KEYED = {
  async createCredential() {
    const { call } = await makeTenant();
    const allowed_hosts = ["api.openai.com"];
    return {
      path: "/v1/credentials",
      call,
      json: { name: "model", type: "model", secret: "sk-the-secret-of-the-test", allowed_hosts },
      other: { name: "model", type: "model", secret: "sk-another", allowed_hosts },
      count: () => countListed("/v1/credentials", call),
    };
  },
} satisfies KeyedRequests;

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call } = await makeTenant();
  const json = api.exampleOf("createCredential", "newCredential");
  const made = await api.ask<Credential>("createCredential", {}, { ...call, json });
  await api.ask("listCredentials", {}, call);
  const place = { credential_id: made.json.id };
  await api.ask("readCredential", place, call);
  const rotated = api.exampleOf("updateCredential", "rotatedCredential");
  await api.ask("updateCredential", place, { ...call, json: rotated });
  await api.ask("deleteCredential", place, call);
}
