// A tenant that is suspended, and one that is closed: every route with every credential of theirs.
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { VerbSchema } from "../../protocol/client-tokens/contract.ts";
import type { Call } from "../worker/support/api.ts";
import { ask, OPERATOR, refusalOf } from "../worker/support/api.ts";
import { mintCall } from "../worker/support/client-token.ts";
import { changeTenant } from "../worker/support/tenant-use.ts";
import { CASES, findTraces, GUARDED, request, type Case } from "./request.ts";
import type { World } from "./world.ts";
import { makeWorld } from "./world.ts";

let world: World;
let token: Call;

const OWN = GUARDED.filter(([, { route }]) => route.access !== "operator");
const WITH_VERB = OWN.filter(([, { route }]) => route.verb !== undefined);
const BY_CALLBACK = CASES.filter(([, { route }]) => route.path.includes("{callback_token}"));

const SUSPENDED = { status: 403, code: "tenant_suspended", pointers: undefined };

async function refused(tested: Case, call: Call) {
  const answer = await request(tested, world, call);
  return [refusalOf(answer as never), findTraces(answer, world)];
}

beforeAll(async () => {
  world = await makeWorld();
  token = await mintCall(`/v1/sessions/${world.ids.session_id}`, world.call, {
    verbs: VerbSchema.options,
  });
  await changeTenant(world.ids.tenant_id, { status: "suspended" });
});

describe("a suspended tenant", () => {
  test.each(OWN)("%s refuses its key", async (_, tested) => {
    expect(await refused(tested, world.call)).toEqual([SUSPENDED, []]);
  });

  test.each(WITH_VERB)("%s refuses its client token", async (_, tested) => {
    expect(await refused(tested, token)).toEqual([SUSPENDED, []]);
  });

  test.each(BY_CALLBACK)("%s refuses its address", async (_, tested) => {
    expect(await refused(tested, {})).toEqual([SUSPENDED, []]);
  });

  test("the operator reads it as it is", async () => {
    const { json } = await ask("GET", `/v1/tenants/${world.ids.tenant_id}`, OPERATOR);
    expect(json).toMatchObject({ id: world.ids.tenant_id, status: "suspended" });
  });

  describe("when it is resumed", () => {
    beforeAll(() => changeTenant(world.ids.tenant_id, { status: "active" }));

    test("nothing of all this has changed anything", async () => {
      const reads = OWN.filter(([, { route }]) => route.method === "GET");
      const answers = [];
      for (const [title, tested] of reads) {
        answers.push([title, (await request(tested, world, world.call)).status]);
      }
      expect(answers).toEqual(reads.map(([title, { row }]) => [title, row.answers]));
    });
  });

  describe("when it is closed", () => {
    beforeAll(() => changeTenant(world.ids.tenant_id, { status: "closed" }));

    test.each([...WITH_VERB, ...BY_CALLBACK])("%s knows it no more", async (_, tested) => {
      const isCallback = tested.route.path.includes("{callback_token}");
      const [refusal, traces] = await refused(tested, isCallback ? {} : token);
      expect([refusal, traces]).toMatchObject([{ status: 401, code: "unauthenticated" }, []]);
    });
  });
});

afterAll(async () => {
  await ask("DELETE", `/v1/tenants/${world.ids.tenant_id}`, OPERATOR);
});
