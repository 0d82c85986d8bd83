// Client tokens of a session.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { ClientToken } from "../../../protocol/client-tokens/contract.ts";
import { MAX_TOKEN_TTL_SECONDS } from "../../../protocol/keys/limits.ts";
import { type Route, type RouteName, ROUTES } from "../../../protocol/routes.ts";
import { type Call, openSession } from "../../worker/support/api.ts";
import { mintCall } from "../../worker/support/client-token.ts";
import type { DocumentedApi } from "../../worker/support/documented-api.ts";
import type { KeyedRequests } from "../../worker/support/keyed-request.ts";
import { openParked } from "../../worker/support/parked-session.ts";
import type { ConceptRows } from "../row.ts";

export const ROWS = {
  createClientToken: {
    answers: 201,
    isSilent: true,
    body: () => ({}),
    besides: ["sessions:read", "replies:write"],
    shows: [],
    stores: ["+session.client_tokens"],
    bounds: { "session.client_tokens": `those of ${MAX_TOKEN_TTL_SECONDS} s` },
  },
  listClientTokens: { answers: 200, isSilent: true, shows: [] },
  revokeClientToken: {
    answers: 204,
    isSilent: true,
    shows: [],
    stores: ["~session.client_tokens"],
  },
} satisfies ConceptRows;

export const KEYED = {
  async createClientToken() {
    const { call, path, tenantId, session } = await openSession();
    return {
      path: `${path}/tokens`,
      call,
      json: { verbs: ["read"] },
      other: { verbs: ["reply"] },
      secrets: ["token"],
      count: () => countTokens(tenantId, session.id),
    };
  },
} satisfies KeyedRequests;

function countTokens(tenantId: string, sessionId: string): Promise<number> {
  const stub = env.SESSION.getByName(sessionObjectName(tenantId, sessionId));
  return runInDurableObject(
    stub,
    (_, { storage }) =>
      storage.sql.exec<{ found: number }>("SELECT count(*) AS found FROM client_tokens").one()
        .found,
  );
}

export async function askAll(api: DocumentedApi): Promise<void> {
  const { call, path, session } = await openParked();
  const place = { session_id: session.id };
  const json = { verbs: ["read"], allowed_origins: ["https://shop.example"] };
  const token = await api.ask<ClientToken>("createClientToken", place, { ...call, json });
  await api.ask("listClientTokens", { ...place, query: "?limit=1" }, call);
  await api.ask("listClientTokens", { ...place, query: "?page=x" }, call);
  await api.ask("revokeClientToken", { ...place, token_id: token.json.id }, call);
  await askWithTokens(api, { call, path, place });
}

/** Every route that takes client tokens, with one that may not use it and one of another page. */
async function askWithTokens(
  api: DocumentedApi,
  opened: { readonly call: Call; readonly path: string; readonly place: { session_id: string } },
): Promise<void> {
  const { call, path, place } = opened;
  const nothing = await mintCall(path, call, { verbs: ["tool_result"] });
  const reader = await mintCall(path, call, { verbs: ["read"] });
  const uploader = await mintCall(path, call, { verbs: ["upload"] });
  const page = await mintCall(path, call, {
    verbs: ["read"],
    allowed_origins: ["https://shop.example"],
  });
  for (const route of ROUTES as readonly (Route & { name: RouteName })[]) {
    if (route.verb === undefined) continue;
    const ids = { ...place, reply_id: `rep_${"0".repeat(26)}`, message_id: "none" };
    const body = route.body === "none" ? {} : { json: { input: "Hi" } };
    const isResults = route.verb === "input_event" || route.verb === "tool_result";
    const unable = route.verb === "a2a_call" ? uploader : isResults ? reader : nothing;
    await api.ask(route.name, ids, { ...unable, ...body });
    await api.ask(route.name, ids, { ...page, ...body });
  }
}
