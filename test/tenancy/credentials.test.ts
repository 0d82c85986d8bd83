import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";

import type { CreatedApiKey } from "../../protocol/keys/contract.ts";
import { SCOPES } from "../../protocol/keys/contract.ts";
import type { Call } from "../worker/support/api.ts";
import { ask, OPERATOR, refusalOf } from "../worker/support/api.ts";
import { mintTicket } from "../worker/support/client-token.ts";
import { sampled } from "../support/breadth.ts";
import { CASES, findTraces, GUARDED, ownScopeOf, request } from "./request.ts";
import type { World } from "./world.ts";
import { makeWorld } from "./world.ts";

/** Nothing in this file is allowed to change anything, so all of it looks at one tenant. */
let world: World;
/** Credentials that are worth nothing, by what is wrong with them. */
let worthless: readonly (readonly [string, Call])[];
/** For one stream of the tenant's session, which no row of the suite asks for. */
let ticket: string;

/** Keys with all scopes but one, by that one: a tenant has not enough for one each test. */
const narrowKeys = new Map<string, string>();

async function makeNarrowKey(without: string): Promise<string> {
  const scopes = SCOPES.filter((scope) => scope !== without);
  return (await makeKey(world.call, { scopes })).api_key;
}

async function makeKey(call: Call, json: object): Promise<CreatedApiKey> {
  return (await ask<CreatedApiKey>("POST", "/v1/api-keys", { ...call, json })).json;
}

beforeAll(async () => {
  world = await makeWorld();
  const [revoked, expired, rotated] = [
    await makeKey(world.call, {}),
    await makeKey(world.call, { expires_at: new Date(Date.now() + 86_400_000).toISOString() }),
    await makeKey(world.call, {}),
  ];
  await ask("DELETE", `/v1/api-keys/${revoked.id}`, world.call);
  await env.DB.prepare("UPDATE api_keys SET expires_at = ? WHERE id = ?")
    .bind(new Date(0).toISOString(), expired.id)
    .run();
  const json = { overlap_ms: 0 };
  await ask("POST", `/v1/api-keys/${rotated.id}/rotate`, { ...world.call, json });
  const closed = await makeWorld();
  await ask("DELETE", `/v1/tenants/${closed.ids.tenant_id}`, OPERATOR);
  const { key } = world.call;
  const path = `/v1/sessions/${world.ids.session_id}`;
  ({ ticket } = await mintTicket(path, world.call, `${path}/events?follow=session`));
  worthless = [
    ["none", {}],
    ["empty", { headers: { Authorization: "Bearer " } }],
    ["another scheme", { headers: { Authorization: `Basic ${btoa(key)}` } }],
    ["in the query", {}],
    ["cut off", { key: key.slice(0, -1) }],
    ["one character wrong", { key: key.slice(0, -1) + (key.endsWith("a") ? "b" : "a") }],
    ["upper case", { key: key.toUpperCase() }],
    ["of another platform", { key: "sk-proj-1234567890" }],
    ["the prefix of a key", { key: key.slice(0, 12) }],
    ["an id", { key: world.ids.key_id }],
    ["a stream ticket", { key: ticket }],
    ["of the right form, but nobody's", { key: "rk_live_0000000000000000000000000000AyOBS" }],
    ["revoked", { key: revoked.api_key }],
    ["expired", { key: expired.api_key }],
    ["rotated away", { key: rotated.api_key }],
    ["of a deleted tenant", closed.call],
    ["nearly the operator's", { key: `${env.OPERATOR_KEY}x` }],
  ];
});

describe("whoever may not", () => {
  for (const [rows, breadth] of sampled(GUARDED, 20, "each"))
    test.each(rows)("%s refuses credentials that are worth nothing", breadth, async (_, tested) => {
      const seen = [];
      for (const [what, call] of worthless) {
        const query = what === "in the query" ? `token=${world.call.key}` : undefined;
        const answer = await request(tested, world, call, { query });
        seen.push([what, refusalOf(answer as never), findTraces(answer, world)]);
      }

      const refusal = { status: 401, code: "unauthenticated", pointers: undefined };
      expect(seen).toEqual(worthless.map(([what]) => [what, refusal, []]));
    });

  for (const [rows, breadth] of sampled(GUARDED, 20, "each"))
    test.each(rows)("%s takes no stream ticket for another stream", breadth, async (_, tested) => {
      const own = tested.row.query?.(world);
      const query = [...(own ? [own] : []), `token=${ticket}`].join("&");
      const answer = await request(tested, world, {}, { query });

      expect([refusalOf(answer as never), findTraces(answer, world)]).toEqual([
        tested.route.token_in_query
          ? { status: 403, code: "insufficient_scope", pointers: undefined }
          : { status: 401, code: "unauthenticated", pointers: undefined },
        [],
      ]);
    });

  for (const [rows, breadth] of sampled(GUARDED, 20, "each"))
    test.each(rows)(
      "%s refuses the tenant's own key without its scope",
      breadth,
      async (_, tested) => {
        const { access } = tested.route;
        const needed = access === "operator" || access === "public" ? access : ownScopeOf(access);
        const key = narrowKeys.get(needed) ?? (await makeNarrowKey(needed));
        narrowKeys.set(needed, key);

        const answer = await request(tested, world, { key });

        expect([refusalOf(answer as never), findTraces(answer, world)]).toEqual([
          { status: 403, code: "insufficient_scope", pointers: undefined },
          [],
        ]);
      },
    );

  test("nothing of all this has changed anything", async () => {
    const reads = CASES.filter(([, { route }]) => route.method === "GET");

    const answers = [];
    for (const [title, tested] of reads) {
      const isOperators = tested.route.access === "operator";
      const { status } = await request(tested, world, isOperators ? OPERATOR : world.call);
      answers.push([title, status]);
    }

    expect(answers).toEqual(reads.map(([title, { row }]) => [title, row.answers]));
  });
});
