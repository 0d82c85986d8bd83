// Every act that loosens: done by those alone who its row names, whoever tries.
import { beforeAll, describe, expect, inject, it } from "vitest";

import {
  VerbSchema,
  type ClientToken,
  type Verb,
} from "../../../protocol/client-tokens/contract.ts";
import { SCOPES, type Scope } from "../../../protocol/keys/contract.ts";
import { BROAD, sampled } from "../../support/breadth.ts";
import { request } from "../../support/platform-client.ts";
import { startTokenIssuer } from "../../support/token-issuer.ts";
import { LOOSENING_ACTS } from "./loosening-acts.ts";
import { openDesk, type Desk, type LooseningAct } from "./loosening-desk.ts";

/** The one who tries, and whether they may. */
interface Try {
  readonly who: string;
  readonly credential: (desk: Desk, sessionId: string) => Promise<string>;
  readonly may: boolean;
}

const keys = new Map<string, string>();
let desk: Desk;

/** A key of the desk's tenant with these scopes and no other. */
async function keyOf({ key }: Desk, scopes: readonly Scope[]): Promise<string> {
  const name = scopes.toSorted().join();
  const known = keys.get(name);
  if (known !== undefined) return known;
  const made = await request<{ api_key: string }>("POST", "/v1/api-keys", {
    key,
    body: { scopes },
  });
  expect(made.status).toBe(201);
  keys.set(name, made.body.api_key);
  return made.body.api_key;
}

async function tokenOf({ key }: Desk, sessionId: string, verbs: readonly Verb[]): Promise<string> {
  const path = `/v1/sessions/${sessionId}/tokens`;
  return (await request<ClientToken>("POST", path, { key, body: { verbs } })).body.token;
}

/** The largest sets that lack something of each set that is enough. */
function shortOf<Right>(all: readonly Right[], enough: readonly (readonly Right[])[]): Right[][] {
  const lacking = enough.reduce<readonly (readonly Right[])[]>(
    (sets, rights) => sets.flatMap((set) => rights.map((right) => [...set, right])),
    [[]],
  );
  return lacking.map((rights) => all.filter((right) => !rights.includes(right)));
}

function byKeys({ keys: enough }: LooseningAct): readonly Try[] {
  const of = (scopes: readonly Scope[], may: boolean): Try => ({
    who: may ? `a key with ${scopes.join()}` : `a key without ${missing(scopes)}`,
    credential: (of) => keyOf(of, scopes),
    may,
  });
  const missing = (scopes: readonly Scope[]) =>
    SCOPES.filter((scope) => !scopes.includes(scope)).join() || "nothing";
  // Each set that lacks one of twenty-five scopes says the same.
  const short = shortOf(SCOPES, enough).slice(0, 4);
  return [...enough.map((scopes) => of(scopes, true)), ...short.map((scopes) => of(scopes, false))];
}

function byTokens({ token }: LooseningAct): readonly Try[] {
  const of = (verbs: readonly Verb[], may: boolean): Try => ({
    who: `a client token with ${verbs.join()}`,
    credential: (desk, sessionId) => tokenOf(desk, sessionId, verbs),
    may,
  });
  const enough = token ? [token] : [];
  return [
    ...enough.map((verbs) => of(verbs, true)),
    ...shortOf(VerbSchema.options, enough).map((verbs) => of(verbs, false)),
  ];
}

describe("an act that loosens", () => {
  beforeAll(async () => {
    desk = await openDesk();
  });

  for (const [rows, breadth] of sampled(LOOSENING_ACTS, 6))
    it.each(rows)("$act: by those who may", breadth, async (row) => {
      const operator = { who: "the operator", credential: async () => inject("operatorKey") };
      const tries: readonly Try[] = [
        ...byKeys(row),
        ...byTokens(row),
        { ...operator, may: row.operator === true },
      ];
      const seen = [];
      for (const { who, credential } of tries) {
        const { method, path, body, sessionId } = await row.prepare(desk);
        const key = await credential(desk, sessionId);
        const { status } = await request(method, path, { key, body });
        seen.push([who, status < 300 ? "done" : status]);
      }

      expect(seen).toEqual(tries.map(({ who, may }) => [who, may ? "done" : 403]));
    });

  it(
    "is never done by an end user with a JWT, which is good for the agent's tools alone",
    BROAD,
    async () => {
      const { key, agentId } = desk;
      const { issuer, jwksUrl, sign } = await startTokenIssuer();
      const body = { name: "Sign-in", issuer, jwks_url: jwksUrl, verbs: ["reply", "confirm"] };
      expect((await request("POST", "/v1/token-issuers", { key, body })).status).toBe(201);
      const path = `/v1/agents/${agentId}/mcp`;
      const jwt = await sign({ sub: "ada", aud: `${inject("baseUrl")}${path}` });
      const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
      const headers = { accept: "application/json" };
      const listed = await request("POST", path, { key: jwt, body: list, headers });
      const seen = [];
      for (const { act, prepare } of LOOSENING_ACTS) {
        const asked = await prepare(desk);
        const { status } = await request(asked.method, asked.path, { key: jwt, body: asked.body });
        seen.push([act, status]);
      }

      expect(listed.status).toBe(200);
      expect(seen).toEqual(LOOSENING_ACTS.map(({ act }) => [act, 401]));
    },
  );
});
