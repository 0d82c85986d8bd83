// Credentials of a test's tenant, and keys that may do less than everything.
import { env } from "cloudflare:workers";
import { expect } from "vitest";

import type { CreatedApiKey, Scope } from "../../../protocol/keys/contract.ts";
import type { Credential } from "../../../protocol/credentials/contract.ts";
import { ask, type Call } from "./api.ts";

export async function makeCredential(call: Call, json: object = {}): Promise<Credential> {
  const body = { name: "Key", type: "model", secret: "sk-PROD", allowed_hosts: ["api.openai.com"] };
  const made = await ask<Credential>("POST", "/v1/credentials", {
    ...call,
    json: { ...body, ...json },
  });
  expect(made.status).toBe(201);
  return made.json;
}

/** A key of the caller's tenant with these scopes and no others. */
export async function keyWith(call: Call, scopes: readonly Scope[]): Promise<Call> {
  const json = { scopes };
  return {
    key: (await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json })).json.api_key,
  };
}

/** Changes a credential's row where no route would. */
export async function forgeHosts(credentialId: string, hosts: readonly string[] | null) {
  await env.DB.prepare("UPDATE credentials SET allowed_hosts = ? WHERE id = ?")
    .bind(hosts && JSON.stringify(hosts), credentialId)
    .run();
}
