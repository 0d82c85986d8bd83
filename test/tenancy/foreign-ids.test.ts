import { beforeAll, describe, expect, test } from "vitest";

import { PATH_PARAMETERS } from "../../protocol/routes.ts";
import type { Call } from "../worker/support/api.ts";
import { ask, OPERATOR } from "../worker/support/api.ts";
import { sampled } from "../support/breadth.ts";
import type { Case, Replacement } from "./request.ts";
import { CASES, essenceOf, findTraces, GUARDED, parametersOf, request } from "./request.ts";
import type { PathIds, World } from "./world.ts";
import { makeWorld } from "./world.ts";

/** Nothing that a stranger sends may change the owner, so all of this file shares two tenants. */
let owner: World;
let stranger: World;
let before: readonly unknown[];

beforeAll(async () => {
  [owner, stranger] = [await makeWorld(), await makeWorld()];
  before = await readAll(owner);
});

const MISSING = "0".repeat(26);

/** An id of the same kind that nobody has. */
function missingId(id: string): string {
  return /^[a-z]+_[0-9a-z]{26}$/.test(id) ? id.replace(/_.*/, `_${MISSING}`) : `none-${MISSING}`;
}

/** Every way to write an id that is not the stranger's, and some that are nobody's. */
function formsOf(id: string): readonly string[] {
  const [prefix = ""] = id.split("_");
  return [
    missingId(id),
    `${prefix}_1`,
    `${prefix}_${"u".repeat(26)}`,
    `xyz_${MISSING}`,
    id.toUpperCase(),
    `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`,
    `${id}%20`,
    `${id}%00`,
    `${id}%2F..`,
    `%2E%2E%2F${id}`,
    `${id}%27%20OR%201=1--`,
    `${id}%E0%A4%A`,
    `${id}%25`,
    "x".repeat(5_000),
    "*",
    "undefined",
  ];
}

/** Forms of parameters that are no id of a resource: a stranger's own has the same text. */
const NO_IDS: readonly unknown[] = ["number", "chosen"];

/** The path's parameters that hold an id of a tenant's. */
function idsIn({ route }: Case): readonly (keyof PathIds)[] {
  return parametersOf(route).filter((name) => !NO_IDS.includes(PATH_PARAMETERS[name]));
}

function refusedAt({ route }: Case): number {
  return route.access === "operator" ? 403 : 404;
}

/** Other tests make tenants; signatures of cards differ; a key's last use is noted at any time; the deployment's health has times in it; a problem has an id, a page of HTML a nonce; what waits grows older. */
const CHANGING: readonly string[] = [
  "readA2aExtendedCard",
  "readA2aCard",
  "findA2aCard",
  "listTenants",
  "listApiKeys",
  "readOperatorHealth",
  "listOperatorMembers",
  "listOperatorSignInProviders",
  "readOperatorMember",
  "readOperatorSignInProvider",
  "resumeAgentMcp",
  "showSignIn",
  "showIssuerSignIn",
  "readSessionMcpResource",
  "readUsageSeries",
];

async function readAll(world: World): Promise<readonly unknown[]> {
  const answers = [];
  for (const [title, tested] of CASES) {
    const { method, access, name } = tested.route;
    if (method !== "GET" || CHANGING.includes(name)) continue;
    const call: Call = access === "operator" ? OPERATOR : world.call;
    const { status, text } = await request(tested, world, call);
    // An error has the id of its request.
    answers.push([title, status, text.replace(/"request_id":"[^"]*"/, "")]);
  }
  return answers;
}

/** The stranger's key and own ids, but for what `replacement` puts in their place. */
async function sendAsStranger(tested: Case, replacement: Replacement, sent: readonly string[]) {
  const answer = await request(tested, stranger, stranger.call, replacement);
  return { answer, traces: findTraces(answer, owner, sent) };
}

describe("what belongs to another tenant", () => {
  const withIds = GUARDED.filter(([, tested]) => idsIn(tested).length > 0);

  for (const [rows, breadth] of sampled(withIds, 12, "each"))
    test.each(rows)("%s does not exist for others, in any position", breadth, async (_, tested) => {
      const names = idsIn(tested);
      const positions = [...names.map((name) => [name]), [...names]];

      const seen = [];
      for (const position of positions) {
        const ids = Object.fromEntries(position.map((name) => [name, owner.ids[name]]));
        const missing = Object.fromEntries(
          position.map((name) => [name, missingId(owner.ids[name])]),
        );
        const { answer, traces } = await sendAsStranger(tested, { ids }, Object.values(ids));
        const never = await request(tested, stranger, stranger.call, { ids: missing });
        const [id = "", other = ""] =
          position.map((name) => [ids[name], missing[name]]).at(-1) ?? [];
        const isSame =
          JSON.stringify(essenceOf(answer, id)) === JSON.stringify(essenceOf(never, other));
        seen.push({ position, status: answer.status, traces, isSame });
      }

      expect(seen).toEqual(
        positions.map((position) => {
          return { position, status: refusedAt(tested), traces: [], isSame: true };
        }),
      );
    });

  for (const [rows, breadth] of sampled(withIds, 12, "each"))
    test.each(rows)("%s finds it in no other form of its id", breadth, async (_, tested) => {
      const seen = [];
      for (const name of idsIn(tested)) {
        for (const form of formsOf(owner.ids[name])) {
          const sent = [form, owner.ids[name]];
          const { answer, traces } = await sendAsStranger(tested, { ids: { [name]: form } }, sent);
          if (answer.status !== refusedAt(tested) || traces.length > 0) {
            seen.push({ name, form, status: answer.status, traces });
          }
        }
      }

      expect(seen).toEqual([]);
    });

  const withPlaces = GUARDED.filter(([, { row }]) => (row.places ?? []).length > 0);

  for (const [rows, breadth] of sampled(withPlaces, 10, "each"))
    test.each(rows)("%s finds it by no id in its body or query", breadth, async (_, tested) => {
      const seen = [];
      for (const place of tested.row.places ?? []) {
        const id = place.id(owner);
        const send = (text: string) =>
          sendAsStranger(tested, { body: place.body?.(text), query: place.query?.(text) }, [
            text,
            id,
          ]);
        const { answer, traces } = await send(id);
        const wrong = [];
        for (const form of formsOf(id)) {
          const tried = await send(form);
          const expected = [place.refused, 400, ...(place.unlike ?? [])];
          const isFine = expected.includes(tried.answer.status) && tried.traces.length === 0;
          if (!isFine) wrong.push({ form, status: tried.answer.status, traces: tried.traces });
        }
        seen.push({ where: place.where, status: answer.status, traces, wrong });
      }

      expect(seen).toEqual(
        (tested.row.places ?? []).map(({ where, refused }) => {
          return { where, status: refused, traces: [], wrong: [] };
        }),
      );
    });

  const reads = GUARDED.filter(([, { route }]) => route.method === "GET");

  for (const [rows, breadth] of sampled(reads, 12, "each"))
    test.each(rows)("%s shows a stranger nothing of it, unasked", breadth, async (_, tested) => {
      const { traces } = await sendAsStranger(tested, {}, []);
      const stream = await request(tested, stranger, {
        ...stranger.call,
        headers: { Accept: "text/event-stream" },
      });

      expect([traces, findTraces(stream, owner)]).toEqual([[], []]);
    });

  test("the stream of a session does not open for others", async () => {
    const path = `/v1/sessions/${owner.ids.session_id}/events`;
    const headers = { Accept: "text/event-stream" };

    const answer = await ask("GET", path, { ...stranger.call, headers });

    expect([answer.status, findTraces(answer, owner, [owner.ids.session_id])]).toEqual([404, []]);
  });

  test("nothing of all this has changed the owner", async () => {
    expect(await readAll(owner)).toEqual(before);
  });
});
