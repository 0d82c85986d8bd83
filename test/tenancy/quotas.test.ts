// A tenant whose quotas are all used up: every route, with a key and with a client token.
import { beforeAll, describe, expect, test } from "vitest";

import { VerbSchema } from "../../protocol/client-tokens/contract.ts";
import { COUNTED_QUOTAS, type QuotaName } from "../../protocol/quotas/contract.ts";
import { hearLog } from "../support/hear-log.ts";
import type { Call } from "../worker/support/api.ts";
import { refusalOf } from "../worker/support/api.ts";
import { mintCall } from "../worker/support/client-token.ts";
import { changeTenant, readLimits } from "../worker/support/tenant-use.ts";
import { CASES, findTraces, GUARDED, request, type Case } from "./request.ts";
import type { World } from "./world.ts";
import { makeWorld } from "./world.ts";

/** The quota that is met first when all but the bytes are used up; those of bytes alone are in `stored.test.ts`. */
function firstQuotaOf({ row: { refusedBy = [] } }: Case): string | undefined {
  return refusedBy.find((quota) => !BYTES.includes(quota));
}

const BYTES: readonly QuotaName[] = ["stored_bytes", "database_bytes"];
const REFUSED = GUARDED.flatMap(([title, tested]) => {
  const quota = firstQuotaOf(tested);
  return quota === undefined ? [] : [[title, tested, quota] as const];
});
const READS = CASES.filter(
  ([, { route }]) => route.method === "GET" && route.access !== "operator",
);

/** Of an error of A2A: `details` of its HTTP+JSON, `data` of its JSON-RPC. */
interface A2aFailure {
  readonly details?: readonly A2aDetail[];
  readonly data?: readonly A2aDetail[];
}

interface A2aDetail {
  readonly metadata?: { readonly cause?: string; readonly quota?: string };
}

/** The code of a refusal, and the quota that it names: members of a problem, or in the details of an error of A2A. */
function namedIn(json: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { details, data } = (json["error"] ?? {}) as A2aFailure;
  const metadata = (details ?? data)?.find((detail) => detail.metadata)?.metadata;
  return metadata ? [metadata.cause, metadata.quota] : [json["code"], json["quota"]];
}

let world: World;
let token: Call;

beforeAll(async () => {
  world = await makeWorld();
  token = await mintCall(`/v1/sessions/${world.ids.session_id}`, world.call, {
    verbs: VerbSchema.options,
  });
  const none = Object.fromEntries(COUNTED_QUOTAS.map((quota) => [quota, 0]));
  await changeTenant(world.ids.tenant_id, {
    quotas: {
      ...none,
      api_keys: 1,
      stored_bytes: null,
      database_bytes: null,
      running_replies: 0,
      tokens_per_day: 0,
    },
  });
});

describe("a tenant whose quotas are used up", () => {
  test.each(REFUSED)("%s is refused to its key, by name", async (_, tested, quota) => {
    const log = hearLog();

    const answer = await request(tested, world, world.call);

    expect([answer.status, ...namedIn(answer.json)]).toEqual([429, "quota_exceeded", quota]);
    expect(refusalOf(answer as never).pointers).toBeUndefined();
    expect(findTraces(answer, world)).toEqual([]);
    const isSummary = tested.route.name === "compress";
    expect(log).toEqual(isSummary ? ["a summary could not be made"] : []);
  });

  test.each(REFUSED.filter(([, { route }]) => route.verb !== undefined))(
    "%s is refused to its client token",
    async (_, tested, quota) => {
      const answer = await request(tested, world, token);

      expect([answer.status, ...namedIn(answer.json)]).toEqual([429, "quota_exceeded", quota]);
    },
  );

  test("is shown what it has, and nothing was added to it", async () => {
    const before = await readUse();

    const answers = [];
    for (const [title, tested] of READS) {
      answers.push([title, (await request(tested, world, world.call)).status]);
    }

    expect(answers).toEqual(READS.map(([title, { row }]) => [title, row.answers]));
    expect(await readUse()).toEqual(before);
  });
});

async function readUse() {
  const { used } = await readLimits(world.call);
  return COUNTED_QUOTAS.map((quota) => used[quota]);
}
