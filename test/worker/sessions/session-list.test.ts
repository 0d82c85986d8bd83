import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { decodeSessionPosition } from "../../../storage/sessions/session-position.ts";
import type { SessionListRequest } from "../../../storage/sessions/list-sessions.ts";
import { tenantStorage } from "../../../storage/tenants/tenant-storage.ts";
import { seededRandom } from "../../support/seeded-random.ts";
import { ask, refusalOf } from "../support/api.ts";
import type { Listed } from "./listed-sessions.ts";
import { addToDatabase, listInDatabase, momentAt, sessionId } from "./listed-sessions.ts";
import { BROAD } from "../../support/breadth.ts";

type Filter = Omit<SessionListRequest, "before" | "limit">;

const STATUSES = [null, "idle", "awaiting_permission", "awaiting_external_result"] as const;

/** Few moments, agents and people for many sessions; what their ids say of the time means nothing. */
function someSessions(count: number, random: () => number): readonly Listed[] {
  const below = (limit: number) => Math.floor(random() * limit);
  return Array.from({ length: count }, () => ({
    id: sessionId(random() < 0.3 ? undefined : below(2 ** 41)),
    agent_id: `agt_${below(2)}`,
    end_user_id: random() < 0.3 ? null : `user-${below(2)}`,
    created_at: momentAt(below(6)),
    status: STATUSES[below(STATUSES.length)] ?? null,
  }));
}

/** Every combination of what the list can be narrowed to. */
function allFilters(): readonly Filter[] {
  const choices: readonly (readonly Filter[])[] = [
    [{}, { agent_id: "agt_1" }],
    [{}, { end_user_id: "user-1" }],
    [{}, { status: "idle" }, { status: "awaiting_permission" }],
    [{}, { created_after: momentAt(2) }],
    [{}, { created_before: momentAt(4) }],
  ];
  return choices.reduce<readonly Filter[]>(
    (filters, more) => filters.flatMap((filter) => more.map((other) => ({ ...filter, ...other }))),
    [{}],
  );
}

function expectedIds(sessions: readonly Listed[], filter: Filter): readonly string[] {
  const { agent_id, end_user_id, status, created_after = "", created_before = "9" } = filter;
  return sessions
    .filter((session) => agent_id === undefined || session.agent_id === agent_id)
    .filter((session) => end_user_id === undefined || session.end_user_id === end_user_id)
    .filter((session) => status === undefined || (session.status ?? "idle") === status)
    .filter(({ created_at }) => created_at >= created_after && created_at < created_before)
    .map(({ created_at, id }) => `${created_at} ${id}`)
    .sort()
    .reverse()
    .map((place) => place.split(" ")[1] ?? "");
}

/** The ids that the list has, page by page. */
async function idsOf(tenantId: string, filter: Filter, limit: number): Promise<readonly string[]> {
  const { sessions } = tenantStorage(env.DB, tenantId);
  const ids: string[] = [];
  let before: SessionListRequest["before"];
  do {
    const page = await sessions.list({ ...filter, before, limit });
    ids.push(...page.data.map(({ id }) => id));
    before = page.next_page === null ? undefined : decodeSessionPosition(page.next_page)!;
  } while (before);
  return ids;
}

describe("the order of sessions in D1", () => {
  test("is that of their creation, by every filter and in pages of any size", BROAD, async () => {
    const sessions = someSessions(120, seededRandom(6));
    const { tenantId } = await listInDatabase(sessions);

    const found: Record<string, readonly string[]> = {};
    const expected: Record<string, readonly string[]> = {};
    for (const [index, filter] of allFilters().entries()) {
      const limit = [1, 3, 7, 100][index % 4]!;
      const name = `${JSON.stringify(filter)} by ${limit}`;
      found[name] = await idsOf(tenantId, filter, limit);
      expected[name] = expectedIds(sessions, filter);
    }

    expect(found).toEqual(expected);
    // Filters that find nothing would show nothing.
    expect(Object.values(expected).filter((ids) => ids.length === 0)).toEqual([]);
  });

  test("neither repeats nor leaves out a session when others come and go between two pages", async () => {
    const random = seededRandom(7);
    const sessions = someSessions(12, random).map((session, index) => {
      return { ...session, created_at: momentAt(index), status: "awaiting_permission" as const };
    });
    const { tenantId } = await listInDatabase(sessions);
    const storage = tenantStorage(env.DB, tenantId).sessions;

    const seen: Record<string, readonly string[]> = {};
    for (const status of [undefined, "awaiting_permission"] as const) {
      const first = await storage.list({ status, limit: 5 });
      const last = first.data.at(-1)!;
      const [newer] = someSessions(1, random);
      await addToDatabase(tenantId, {
        ...newer!,
        created_at: momentAt(100),
        status: status ?? null,
      });
      await storage.remove(last.id, last.created_at);
      const before = decodeSessionPosition(first.next_page ?? "")!;
      const { data } = await storage.list({ status, before, limit: 100 });
      seen[String(status)] = [...first.data, ...data].map(({ id }) => id);
      await storage.remove(newer!.id, momentAt(100));
      await addToDatabase(
        tenantId,
        sessions.find(({ id }) => id === last.id)!,
      );
    }

    const newestFirst = sessions.map(({ id }) => id).toReversed();
    expect(seen).toEqual({ undefined: newestFirst, awaiting_permission: newestFirst });
  });

  test("keeps a time that a later page is asked for beside its token", async () => {
    const sessions = someSessions(9, seededRandom(8)).map((session, index) => {
      return { ...session, created_at: momentAt(index) };
    });
    const { tenantId } = await listInDatabase(sessions);
    const storage = tenantStorage(env.DB, tenantId).sessions;
    const { next_page } = await storage.list({ limit: 2 });
    const before = decodeSessionPosition(next_page ?? "")!;

    const lists = [];
    for (const moment of [3, 8]) {
      const created_before = momentAt(moment);
      const { data } = await storage.list({ before, created_before, limit: 100 });
      lists.push(data.map(({ created_at }) => created_at));
    }

    const downFrom = (index: number) =>
      Array.from({ length: index + 1 }, (_, steps) => momentAt(index - steps));
    expect(lists).toEqual([downFrom(2), downFrom(6)]);
  });
});

describe("a page of sessions", () => {
  test.each([
    ["one of before, an id alone", btoa(sessionId(1))],
    ["one of another list", btoa(JSON.stringify([momentAt(1), sessionId(1), "call_1"]))],
    ["another kind of id", btoa(`${momentAt(1)} agt_${"0".repeat(26)}`)],
    ["no time", btoa(`yesterday ${sessionId(1)}`)],
    ["more than a place", btoa(`${momentAt(1)} ${sessionId(1)} more`)],
    ["no base64", "%25"],
    ["nothing", ""],
  ])("refuses a token that is %s", async (_, token) => {
    const { call } = await listInDatabase([]);

    const answer = await ask("GET", `/v1/sessions?page=${token}`, call);

    expect(refusalOf(answer)).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: ["#/query/page"],
    });
  });
});
