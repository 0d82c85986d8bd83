// Warnings of writes of one session: what the SDK's methods resolve to, and how they ask.
import { expect, expectTypeOf, onTestFinished, test } from "vitest";

import { Reprise, type SessionRule, type TenantSession } from "../../sdk/index.ts";
import { startLoopbackServer } from "../support/loopback-server.ts";

const WARNINGS = [
  { pointer: "#/rules/0/tool_name", detail: "the session has no tool refund_ordr" },
];
const RULE = { tool_name: "refund_ordr", behavior: "deny" } as const;

async function openServer(answer: object) {
  const asked: string[] = [];
  const server = await startLoopbackServer(({ method, path }, response) => {
    asked.push(`${method} ${path}`);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer));
  });
  onTestFinished(() => server.stop());
  const reprise = new Reprise({ apiKey: "rk_test_x", baseUrl: server.url });
  return { asked, reprise };
}

test("added rules are an array with the warnings beside its items, and a plain one without any", async () => {
  const warned = await openServer({ data: [{ id: "rul_1" }], warnings: WARNINGS });
  const plain = await openServer({ data: [{ id: "rul_1" }] });

  const rules = await warned.reprise.session("ses_1").permissionRules.create([RULE]);
  const sound = await plain.reprise.session("ses_1").permissionRules.create([RULE]);

  expect([[...rules], rules.warnings]).toEqual([[{ id: "rul_1" }], WARNINGS]);
  expect(JSON.stringify(rules)).toBe('[{"id":"rul_1"}]');
  expect(Object.keys(sound)).toEqual(["0"]);
});

test("a session that is created or forked has the warnings of the answer", async () => {
  const { reprise } = await openServer({ id: "ses_2", warnings: WARNINGS });

  const created = await reprise.sessions.create({ agent_id: "agt_1" });
  const forked = await reprise.session("ses_1").fork({ agent_version: 1 });

  expect([created.id, created.warnings]).toEqual(["ses_2", WARNINGS]);
  expect([forked.id, forked.warnings]).toEqual(["ses_2", WARNINGS]);
  expect(reprise.session("ses_1")).not.toHaveProperty("warnings");
});

test("strict and validate are parameters of the request", async () => {
  const { asked, reprise } = await openServer({ data: [], id: "ses_1" });
  const { permissionRules, hooks } = reprise.session("ses_1");
  const strict = true;

  await permissionRules.create([RULE], { strict });
  await permissionRules.create([RULE], { strict: false });
  await permissionRules.validate([RULE]);
  await hooks.set([], { strict, ifVersion: 1 });
  await hooks.validate([]);
  await reprise.sessions.create({ agent_id: "agt_1" }, { strict });
  await reprise.sessions.update("ses_1", { agent_version: 2 }, { strict });
  await reprise.agents.create({ name: "A" }, { strict });
  await reprise.agents.update("agt_1", { name: "B" }, { strict });

  expect(asked).toEqual([
    "POST /v1/sessions/ses_1/permission-rules?strict=true",
    "POST /v1/sessions/ses_1/permission-rules",
    "POST /v1/sessions/ses_1/permission-rules?validate_only=true",
    "PUT /v1/sessions/ses_1/hooks?strict=true",
    "PUT /v1/sessions/ses_1/hooks?validate_only=true",
    "POST /v1/sessions?strict=true",
    "PATCH /v1/sessions/ses_1?strict=true",
    "POST /v1/agents?strict=true",
    "PATCH /v1/agents/agt_1?strict=true",
  ]);
});

test("the types of earlier releases are assignable to those of now, and the other way round", () => {
  type Create = TenantSession["permissionRules"]["create"];
  type Now = Awaited<ReturnType<Create>>;

  expectTypeOf<Now>().toExtend<readonly SessionRule[]>();
  expectTypeOf<readonly SessionRule[]>().toExtend<Now>();
  expectTypeOf<Awaited<ReturnType<Reprise["sessions"]["create"]>>>().toExtend<TenantSession>();
  expectTypeOf<TenantSession>().toExtend<Awaited<ReturnType<Reprise["sessions"]["create"]>>>();
});
