// Whose an Idempotency-Key is: the tenant's, or that of one end user's session.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { CreatedApiKey } from "../../../protocol/keys/contract.ts";
import type { Room } from "../../../protocol/rooms/contract.ts";
import { RoomVerbSchema, type RoomToken } from "../../../protocol/rooms/room-tokens.ts";
import { VerbSchema } from "../../../protocol/client-tokens/contract.ts";
import { ROUTES, type Route, type RouteName } from "../../../protocol/routes.ts";
import { sampled } from "../../support/breadth.ts";
import { ask, makeAgent, makeSession, makeTenant, openSession, type Call } from "../support/api.ts";
import { mintCall } from "../support/client-token.ts";
import { keyed } from "../support/keyed.ts";
import { KEYED_REQUESTS } from "../../tenancy/concepts.ts";
import type { KeyedRequest } from "../support/keyed-request.ts";

const rows = ROUTES as readonly (Route & { name: RouteName })[];
const keepers = rows.filter(({ keeps_keys }) => keeps_keys !== undefined);
// A callback's key is that of its address: callbacks.test.ts.
const ofTenants = keepers
  .filter(({ access }) => access !== "operator" && access !== "public")
  .map(({ name }) => name);
const ofEndUsers = keepers
  .filter(({ verb, takes_issued_tokens }) => verb !== undefined || takes_issued_tokens === true)
  .map(({ name }) => name);

const send = ({ path, json, bindings }: KeyedRequest, call: Call) =>
  ask<Record<string, unknown>>("POST", path, { ...keyed(call), json, bindings });

/** The outcome of a request: `acted`, `replayed`, or the code of its refusal. */
function outcomeOf({ status, headers, json }: Awaited<ReturnType<typeof send>>): unknown {
  if (status >= 400) return json["code"];
  return headers.get("Idempotent-Replayed") === "true" ? "replayed" : "acted";
}

/** A client token that may do all that one can, for the session of the path or else a new one. */
async function mintFor({ path, call }: Pick<KeyedRequest, "path" | "call">): Promise<Call> {
  const room = /^\/v1\/rooms\/[^/]+/.exec(path)?.[0];
  if (room !== undefined) return mintForRoom(room, call);
  const named = /^\/v1\/sessions\/[^/]+/.exec(path)?.[0];
  return mintCall(named ?? (await openPath(call)), call, { verbs: VerbSchema.options });
}

/** The same for a room: its one person's. */
async function mintForRoom(path: string, call: Call): Promise<Call> {
  const { json: room } = await ask<Room>("GET", path, call);
  const participant = room.participants.find(({ kind }) => kind === "person")?.name;
  const json = { verbs: RoomVerbSchema.options, ...(participant !== undefined && { participant }) };
  const made = await ask<RoomToken>("POST", `${path}/tokens`, { ...call, json });
  return { key: made.json.token };
}

async function openPath(call: Call): Promise<string> {
  const { id } = await makeSession(call, { agent_id: (await makeAgent(call)).id });
  return `/v1/sessions/${id}`;
}

for (const [rows, breadth] of sampled(ofTenants, 3))
  describe.each(rows)("an API key's Idempotency-Key at %s", breadth, (name) => {
    test("is the tenant's: another key of the same rights repeats the request", async () => {
      const request = await KEYED_REQUESTS[name]!();
      const made = await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...request.call, json: {} });

      const first = await send(request, request.call);
      const again = await send(request, { key: made.json.api_key });

      expect([first, again].map(outcomeOf)).toEqual(["acted", "replayed"]);
    });

    test("is no other tenant's", async () => {
      const request = await KEYED_REQUESTS[name]!();
      const other = await KEYED_REQUESTS[name]!();

      const outcomes = [await send(request, request.call), await send(other, other.call)];

      expect(outcomes.map(outcomeOf)).toEqual(["acted", "acted"]);
    });
  });

for (const [rows, breadth] of sampled(ofEndUsers, 3))
  describe.each(rows)("an end user's Idempotency-Key at %s", breadth, (name) => {
    test("is found with a renewed token, and hides nothing from the tenant's own", async () => {
      const request = await KEYED_REQUESTS[name]!();
      const session = { path: request.path, call: request.call };
      const isOfOne = /^\/v1\/(?:sessions|rooms)\//.test(request.path);
      if (!isOfOne) session.path = await openPath(request.call);

      const first = await send(request, await mintFor(session));
      const again = await send(request, await mintFor(session));
      const ofTenant = await send(request, request.call);

      expect([first, again].map(outcomeOf)).toEqual(["acted", "replayed"]);
      // The act may have been done already; but it is no repetition.
      expect(["replayed", "idempotency_key_reused"]).not.toContain(outcomeOf(ofTenant));
    });
  });

describe("two end users with the same key", () => {
  test("each have their own file", async () => {
    const { call } = await makeTenant();
    const people = [await mintFor({ path: "", call }), await mintFor({ path: "", call })];
    const upload = (person: Call) =>
      ask<{ id: string; session_id: string }>("POST", "/v1/files", {
        ...keyed(person),
        json: { note: "buy shoes" },
      });

    const first = [await upload(people[0]!), await upload(people[1]!)];
    const again = [await upload(people[0]!), await upload(people[1]!)];

    expect(new Set(first.map(({ json }) => json.id)).size).toBe(2);
    expect(new Set(first.map(({ json }) => json.session_id)).size).toBe(2);
    expect(again.map(({ json }) => json)).toEqual(first.map(({ json }) => json));
  });
});

describe("a key that was kept before keys had senders", () => {
  test("answers the token of the session that the file is of, and no other", async () => {
    const { id, call } = await makeTenant();
    const [ada, bob] = [await mintFor({ path: "", call }), await mintFor({ path: "", call })];
    const upload = (person: Call) =>
      ask<Record<string, unknown>>("POST", "/v1/files", {
        ...keyed(person),
        json: { note: "buy shoes" },
      });
    const first = await upload(ada);
    await env.DB.prepare("UPDATE idempotency_keys SET key = 'order-1' WHERE tenant_id = ?")
      .bind(id)
      .run();

    const outcomes = [await upload(bob), await upload(ada)];

    expect(outcomes.map(outcomeOf)).toEqual(["acted", "replayed"]);
    expect(outcomes[1]!.json).toEqual(first.json);
  });

  test("answers the tokens of its session", async () => {
    const { call, path, tenantId, session } = await openSession();
    const token = await mintFor({ path, call });
    const reply = () =>
      ask<Record<string, unknown>>("POST", `${path}/replies`, {
        ...keyed(token),
        json: { input: "/say hello" },
      });
    const first = await reply();
    const stub = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
    await runInDurableObject(stub, (_, { storage }) => {
      storage.sql.exec("UPDATE idempotency_keys SET key = 'createReply order-1'");
    });

    expect([first, await reply()].map(outcomeOf)).toEqual(["acted", "replayed"]);
  });
});
