// Every route that writes: what it stores, and that all of it is counted or has a bound of its own.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";

import { sessionObjectName } from "../../durable-objects/api/session-api.ts";
import type { Route, RouteName } from "../../protocol/routes.ts";
import type { QuotaName } from "../../protocol/quotas/contract.ts";
import { BROAD, walk } from "../support/breadth.ts";
import { waitUntil } from "../support/wait-for.ts";
import { DATABASE_BYTES, sumDatabaseBytes } from "../worker/support/database-bytes.ts";
import { keyed } from "../worker/support/keyed.ts";
import { changeTenant } from "../worker/support/tenant-use.ts";
import { callerOf, CASES, request, type Case } from "./request.ts";
import { freshWorld, STAGES } from "./stages.ts";
import { changesOf, isQuiet, readCounts, readStores, type StoreChange } from "./stores.ts";
import { makeWorld, type World } from "./world.ts";

const isWriting = ({ route }: Case) => route.method !== "GET";

/** One of each scope that writes: what makes something, where there is such a one, since all of them share a tenant. */
const ONE_OF_EACH = CASES.filter(([, tested], place) => {
  const isFirst = CASES.findIndex(([, other]) => isMaking(other) && isOfScope(other, tested));
  return isFirst === place;
});

function isMaking({ route }: Case): boolean {
  return isWriting({ route } as Case) && route.method !== "DELETE" && route.access !== "operator";
}

function isOfScope(one: Case, other: Case): boolean {
  return one.route.access === other.route.access;
}

/** Routes whose writes D1 is told only of a session without a later report, as there is of the world's. */
const FRESH: readonly RouteName[] = [
  "callA2a",
  "createReply",
  "observe",
  "runAgUi",
  "sendA2aMessage",
  "streamA2aMessage",
];

/** Its sessions are announced to endpoints that an earlier route may have made in a world that is shared. */
const UNSHARED: readonly RouteName[] = ["createRoom"];

function placeOf(name: RouteName): () => Promise<World> {
  return FRESH.includes(name) ? freshWorld : (STAGES[name] ?? makeWorld);
}

const made = new Set<string>();
let shared: World;

async function newWorld({ route }: Case): Promise<World> {
  const world = await placeOf(route.name)();
  await waitUntil(async () => (await isQuiet(world)) || undefined);
  return world;
}

/** Sends the request of the row, with an Idempotency-Key where the route keeps one. */
function send(tested: Case, world: World) {
  const call = callerOf(tested, world);
  const keeps = (tested.route as Route).keeps_keys !== undefined;
  return request(tested, world, keeps ? keyed(call, `${world.word}-${tested.route.name}`) : call);
}

/** The changes of the row, and the key's row where the route keeps one: a request that is refused is not done, and keeps none. */
function expectedOf({ route, row }: Case): readonly StoreChange[] {
  const place = { session: "session.idempotency_keys", database: "idempotency_keys" } as const;
  const { keeps_keys } = route as Route;
  const kept: readonly StoreChange[] =
    keeps_keys && ![404, 409].includes(row.answers) ? [`+${place[keeps_keys]}`] : [];
  return [...new Set([...(row.stores ?? []), ...kept])].toSorted((one, other) =>
    one.slice(1) < other.slice(1) ? -1 : 1,
  );
}

/** A deletion or a revocation is recorded whatever the quota says. */
function isEnding({ method, name }: Case["route"]): boolean {
  return method === "DELETE" || name === "revokeApiKeys";
}

async function checkStores(tested: Case, world: World): Promise<void> {
  const others = new Set([...made].filter((id) => id !== world.ids.tenant_id));
  made.add(world.ids.tenant_id);
  // The making of the world goes on for a while: D1 and webhook endpoints are told of its room.
  await expect.poll(() => isQuiet(world)).toBe(true);
  const before = await readStores(world, others);

  const { status } = await send(tested, world);

  expect(status).toBe(tested.row.answers);
  const look = async () =>
    (await isQuiet(world)) ? changesOf(before, await readStores(world, others)) : "not quiet";
  await expect.poll(look).toEqual(expectedOf(tested));
  const counts = await readCounts(world);
  expect(counts?.database_bytes).toBe(
    counts ? await sumDatabaseBytes(world.ids.tenant_id) : undefined,
  );
}

describe("what a route stores", () => {
  beforeAll(async () => {
    shared = await newWorld(CASES[0]![1]);
  });

  test.each(ONE_OF_EACH)("%s stores what its row says", (_, tested) =>
    placeOf(tested.route.name) !== makeWorld || UNSHARED.includes(tested.route.name)
      ? newWorld(tested).then((world) => checkStores(tested, world))
      : checkStores(tested, shared),
  );

  test.each(walk(CASES))(
    "%s stores what its row says, in a tenant of its own",
    BROAD,
    async (_, tested) => {
      await checkStores(tested, await newWorld(tested));
    },
  );
});

const REFUSED = CASES.flatMap(([title, tested]) => {
  const { refusedBy = [] } = tested.row;
  return refusedBy.length > 0 ? [[title, tested, refusedBy] as const] : [];
});

describe("who counts it", () => {
  test.each(REFUSED)("%s is refused by each quota of its row", BROAD, async (_, tested, quotas) => {
    const world = await newWorld(tested);
    const { tenant_id, session_id } = world.ids;
    const seen = [];
    for (const quota of quotas) {
      await changeTenant(tenant_id, { quotas: { [quota]: LEAST[quota] ?? 0 } });
      await forgetRoom(env.SESSION.getByName(sessionObjectName(tenant_id, session_id)));
      const { status, json } = await request(tested, world, world.call);
      seen.push([quota, status, json["quota"] ?? quotaOf(json)]);
      await changeTenant(tenant_id, { quotas: { [quota]: null } });
    }

    expect(seen).toEqual(quotas.map((quota) => [quota, 429, quota]));
  });

  test("whatever grows is refused by a quota, or has a bound of its own", () => {
    const uncounted = CASES.flatMap(([title, { route, row }]) => {
      const { stores = [], refusedBy = [], bounds = {} } = row;
      return stores
        .filter((change) => change.startsWith("+"))
        .map((change) => change.slice(1))
        .filter((place) => !isCounted(place, refusedBy) && bounds[place] === undefined)
        .filter((place) => route.access !== "operator" && !(place in REPORTED))
        .filter((place) => place !== "audit_entries" || !isEnding(route))
        .map((place) => [title, place]);
    });

    expect(uncounted).toEqual([]);
  });
});

/** In the details of an error of A2A. */
function quotaOf({ error }: Record<string, unknown>): unknown {
  const { data, details = data } = (error ?? {}) as Record<string, readonly object[] | undefined>;
  const [{ metadata = {} } = {}] = (details ?? []) as readonly {
    metadata?: Readonly<Record<string, unknown>>;
  }[];
  return metadata["quota"];
}

/** A session that runs knows of room that it was given before. */
async function forgetRoom(session: DurableObjectStub): Promise<void> {
  await runInDurableObject(session, () => undefined);
  await evictDurableObject(session);
}

/** A tenant has a key from the beginning. */
const LEAST: Partial<Readonly<Record<QuotaName, number>>> = { api_keys: 1 };

/** Places that the platform writes of what has happened, and who counts them: never refused. */
const REPORTED: Readonly<Record<string, string>> = {
  decisions: "database_bytes",
  pending_calls: "database_bytes",
  reply_hours: "database_bytes",
  session_states: "database_bytes",
  usage: "database_bytes",
  usage_days: "database_bytes",
  usage_end_users: "database_bytes",
  webhook_attempts: "database_bytes",
  webhook_deliveries: "database_bytes",
  // Of the tenant's object.
  "tenant.cut_keys": "one for each key, as long as it may be cached",
  "tenant.replies": "one for each reply, for a month",
  "tenant.revoked_makers": "one for each key, as long as its tokens may live",
};

/** Whether one of the quotas that refuse the request counts the rows of the place. */
function isCounted(place: string, refusedBy: readonly QuotaName[]): boolean {
  const counters: readonly QuotaName[] = place.startsWith("session.")
    ? // A reply begins with neither quota used up, and reports the size when it ends.
      ["stored_bytes", "running_replies", "sessions"]
    : place === "trigger.trigger_state"
      ? ["triggers"]
      : place in DATABASE_BYTES
        ? ["database_bytes"]
        : ["stored_bytes"];
  return counters.some((quota) => refusedBy.includes(quota));
}
