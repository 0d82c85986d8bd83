// Every route, asked with every single scope: who is refused, and what is shown to those who are not.
import { beforeAll, describe, expect, test } from "vitest";

import { SCOPES, type Scope } from "../../protocol/keys/contract.ts";
import { BROAD, walk, sampled } from "../support/breadth.ts";
import { refusalOf, type Answer, type Call } from "../worker/support/api.ts";
import { keyWith } from "../worker/support/credentials.ts";
import { CASES, GUARDED, kindsIn, request, scopesFor, type Case } from "./request.ts";
import { STAGES } from "./stages.ts";
import { makeWorld, type World } from "./world.ts";

/** Nothing that is asked of it takes anything away: it reads, makes, or is refused. */
let world: World;
const single = new Map<Scope, Call>();

beforeAll(async () => {
  world = await makeWorld();
  for (const scope of SCOPES) single.set(scope, await keyWith(world.call, [scope]));
});

/** Whether a key with this scope alone may send the request of the row. */
function opens(scope: Scope, tested: Case): boolean {
  return scopesFor(tested)?.every((needed) => needed === scope) ?? false;
}

/** A tenant whose ids the request is about: one of its own, unless it only reads. */
function placeOf({ route }: Case): Promise<World> {
  const stage = STAGES[route.name];
  if (stage) return stage();
  return route.method === "GET" ? Promise.resolve(world) : makeWorld();
}

async function seenBy(tested: Case, place: World, call: Call) {
  const answer = await request(tested, place, call);
  return { status: answer.status, shows: kindsIn(tested, place, answer) };
}

function isRefused(answer: Answer<unknown>): boolean {
  const { status, code } = refusalOf(answer as never);
  return status === 403 && code === "insufficient_scope";
}

/** Routes that the key is not refused at, of these. */
async function openedBy(scope: Scope, cases: readonly (readonly [string, Case])[]) {
  const opened = [];
  for (const [title, tested] of cases) {
    const answer = await request(tested, world, single.get(scope) ?? {});
    if (!isRefused(answer)) opened.push([title, answer.status]);
  }
  return opened;
}

/** A route for each scope that opens it by itself: one that reads, where there is one. */
const OF_SCOPE: readonly (readonly [Scope, string, Case])[] = SCOPES.flatMap((scope) => {
  const own = GUARDED.filter(([, tested]) => opens(scope, tested));
  const [title, tested] = own.find(([, { route }]) => route.method === "GET") ?? own[0] ?? [];
  return title && tested ? [[scope, title, tested] as const] : [];
});
/** Scopes without such a route: they allow more at routes of another scope. */
const BESIDE: readonly Scope[] = [
  "permission_bypass:write",
  "confirmations:write",
  "members:write",
];

describe("a key with one scope", () => {
  test("has a route that it opens, but for three scopes", () => {
    const without = SCOPES.filter((scope) => !OF_SCOPE.some(([one]) => one === scope));

    expect(without.toSorted()).toEqual(BESIDE.toSorted());
  });

  for (const [rows, breadth] of sampled(OF_SCOPE, 8, "each"))
    test.each(rows)(
      "%s opens its own route, and none of another scope",
      breadth,
      async (scope, _, own) => {
        const { answers, shows } = own.row;
        const others = OF_SCOPE.filter(([one]) => one !== scope).map(([, ...one]) => one);
        const place = await placeOf(own);
        const seen = await seenBy(own, place, await keyWith(place.call, [scope]));

        expect(seen).toEqual({ status: answers, shows });
        expect(await openedBy(scope, others)).toEqual([]);
      },
    );
});

describe("every route", BROAD, () => {
  test.each(GUARDED)("%s refuses each scope that is not enough by itself", async (_, tested) => {
    const short = SCOPES.filter((scope) => !opens(scope, tested));
    const opened = [];
    for (const scope of short) {
      opened.push(...(await openedBy(scope, [[scope, tested]])));
    }

    expect(opened).toEqual([]);
  });

  test.each(walk(CASES))(
    "%s shows what its row says to those who hold no other scope",
    async (_, tested) => {
      const { shows, hides = [] } = tested.row;
      const needed = scopesFor(tested);
      const place = await placeOf(tested);
      // Public ones are asked by nobody; what the operator is shown is in the suite of owners.
      const call =
        needed === null ? null : needed.length === 0 ? {} : await keyWith(place.call, needed);
      const seen = call && (await seenBy(tested, place, call));
      const other = hides.length > 0 ? await placeOf(tested) : null;
      const whole = other && (await seenBy(tested, other, other.call));

      expect(seen).toEqual(call && { status: tested.row.answers, shows });
      expect(whole?.shows ?? []).toEqual(other ? [...shows, ...hides].toSorted() : []);
    },
  );
});
