import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { Page } from "../../../protocol/schemas/common.ts";
import type { Session, SessionSummary } from "../../../protocol/sessions/contract.ts";
import { deliverOutbox } from "../../../storage/outbox/deliver-outbox.ts";
import { makeEntry } from "./outbox-entry.ts";
import type { Call } from "../support/api.ts";
import { ask, makeAgent, makeSession, makeTenant, refusalOf } from "../support/api.ts";

/** Five sessions, the oldest first; the second and the fourth wait, the third has ended a reply. */
async function makeFive() {
  const { id: tenantId, call } = await makeTenant();
  const [desk, shop] = [await makeAgent(call), await makeAgent(call)];
  const sessions: Session[] = [];
  for (const agent_id of [desk.id, desk.id, shop.id, shop.id, desk.id]) {
    sessions.push(await makeSession(call, { agent_id, end_user_id: `user-${sessions.length}` }));
    // The moments of two sessions are to differ.
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const states = [null, "awaiting_permission", "idle", "awaiting_external_result", null] as const;
  for (const [index, session_status] of states.entries()) {
    const session = { ...sessions[index]!, tenantId };
    if (session_status) await deliverOutbox(env.DB, [makeEntry(session, { session_status })]);
  }
  return { tenantId, call, sessions, desk, shop };
}

/** The places in `sessions` of what a query finds, page by page. */
async function find(call: Call, sessions: readonly Session[], query: string): Promise<number[]> {
  const found: number[] = [];
  let page: string | null = null;
  do {
    const next: string = page === null ? "" : `&page=${page}`;
    const { json }: { json: Page<SessionSummary> } = await ask<Page<SessionSummary>>(
      "GET",
      `/v1/sessions?limit=2&${query}${next}`,
      call,
    );
    found.push(...json.data.map(({ id }) => sessions.findIndex((session) => session.id === id)));
    page = json.next_page;
  } while (page !== null);
  return found;
}

describe("the list of sessions", () => {
  test("shows what each is waiting for", async () => {
    const { call } = await makeFive();

    const { json } = await ask<Page<SessionSummary>>("GET", "/v1/sessions", call);

    expect(json.data.map(({ status }) => status)).toEqual([
      "idle",
      "awaiting_external_result",
      "idle",
      "awaiting_permission",
      "idle",
    ]);
  });

  test("is filtered by status, agent, end user and time, each with each", async () => {
    const { call, sessions, desk, shop } = await makeFive();
    const [, second, , fourth] = sessions.map(({ created_at }) => created_at);
    const queries = {
      "status=idle": [4, 2, 0],
      "status=awaiting_permission": [1],
      "status=awaiting_external_result": [3],
      "status=running": [],
      "status=waiting": [3, 1],
      "status=failed": [],
      [`status=waiting&agent_id=${shop.id}`]: [3],
      [`status=awaiting_permission&agent_id=${shop.id}`]: [],
      [`status=idle&agent_id=${desk.id}`]: [4, 0],
      "status=awaiting_permission&end_user_id=user-1": [1],
      [`created_after=${second}`]: [4, 3, 2, 1],
      [`created_before=${fourth}`]: [2, 1, 0],
      [`created_after=${second}&created_before=${fourth}`]: [2, 1],
      [`created_after=${second}&created_before=${fourth}&status=idle`]: [2],
      [`created_after=${fourth}&status=awaiting_external_result`]: [3],
      [`created_before=${fourth}&status=awaiting_external_result`]: [],
      "created_before=1970-01-01T00:00:00.000Z": [],
      "created_after=9999-12-31T23:59:59.999Z": [],
    };

    const found: Record<string, number[]> = {};
    for (const query of Object.keys(queries)) found[query] = await find(call, sessions, query);

    expect(found).toEqual(queries);
  });

  test("follows a reply to its end", async () => {
    const { call } = await makeTenant();
    const session = await makeSession(call, { agent_id: (await makeAgent(call)).id });
    const path = `/v1/sessions/${session.id}`;
    await ask("POST", `${path}/replies`, { ...call, json: { input: "hello" } });

    const { json } = await ask<Page<SessionSummary>>("GET", "/v1/sessions?status=idle", call);

    expect(json.data.map(({ id, status }) => [id, status])).toEqual([[session.id, "idle"]]);
  });

  test("refuses filters that mean nothing", async () => {
    const { call } = await makeTenant();
    const queries = [
      "status=asleep",
      "created_after=today",
      "created_before=2026-01-01",
      "colour=1",
    ];

    const refusals = [];
    for (const query of queries)
      refusals.push(refusalOf(await ask("GET", `/v1/sessions?${query}`, call)));

    expect(refusals).toEqual(
      ["status", "created_after", "created_before", "colour"].map((name) => {
        return { status: 400, code: "validation_failed", pointers: [`#/query/${name}`] };
      }),
    );
  });
});
