// No room is left in D1, or on the disk of an object: the answer says that the request may come again, and it is true.
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { runInDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { waitFor } from "../../support/wait-for.ts";
import { ask, openSession, send } from "../support/api.ts";
import { askDown } from "../support/broken-database.ts";
import { FAILURES, fillDisk, installFullDisk } from "../support/full-disk.ts";

const UNAVAILABLE = [503, "unavailable", "2"];

beforeAll(() => installFullDisk(env.SESSION.getByName("full disks")));
beforeEach(() => {
  const logs = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const log of logs) log.mockImplementation(() => {});
  onTestFinished(() => logs.forEach((log) => log.mockRestore()));
});

interface Failed {
  readonly status: number;
  readonly headers: Headers;
  readonly json: { readonly code?: string };
}

function essenceOf({ status, headers, json }: Failed) {
  return [status, json.code, headers.get("Retry-After")];
}

/** D1 from which everything that is asked of it fails. */
function fullDatabase(message: string): D1Database {
  return new Proxy(env.DB, {
    get: () => () => {
      throw new Error(message);
    },
  });
}

describe.each(FAILURES)("D1 that says %s", (message) => {
  test("makes creating, patching and listing unavailable for a while", async () => {
    const { call, agent, path } = await openSession();
    const database = fullDatabase(message);
    const asked = await Promise.all([
      askDown("POST", "/v1/agents", { ...call, database, json: { name: "Desk" } }),
      askDown("POST", "/v1/sessions", { ...call, database, json: { agent_id: agent.id } }),
      askDown("PATCH", path, { ...call, database, json: { metadata: { a: "b" } } }),
      askDown("GET", "/v1/sessions", { ...call, database }),
      askDown("DELETE", path, { ...call, database }),
    ]);

    expect(asked.map(essenceOf)).toEqual(asked.map(() => UNAVAILABLE));
    expect((await ask<Session>("GET", path, call)).json.metadata).toEqual({});
  });
});

describe("an object without room", () => {
  test("cannot be changed for a while, loses nothing, and then can", async () => {
    const { call, session, path } = await openSession();
    const makeRoom = fillDisk(session.id);
    const json = { time_zone: "Europe/Berlin" };
    const patched = [
      await ask("PATCH", path, { ...call, json }),
      await ask("PATCH", path, { ...call, json }),
    ];
    makeRoom();

    expect(patched.map(essenceOf)).toEqual([UNAVAILABLE, UNAVAILABLE]);
    expect((await ask<Session>("GET", path, call)).json.time_zone).toBeNull();
    expect((await ask<Session>("PATCH", path, { ...call, json })).json).toMatchObject(json);
  });

  test.each([
    ["waits for its reply", {}],
    ["streams it", { stream: true }],
    ["does not wait", { background: true }],
  ])("starts no reply, whether the client %s", async (_, how) => {
    const { call, session, path } = await openSession();
    const makeRoom = fillDisk(session.id);
    const json = { input: "/say hello", ...how };
    const refused = await ask("POST", `${path}/replies`, { ...call, json });
    makeRoom();
    const replies = await ask<Page<Reply>>("GET", `${path}/replies`, call);
    const again = await send("POST", `${path}/replies`, { ...call, json });
    await again.text();

    expect(essenceOf(refused)).toEqual(UNAVAILABLE);
    expect(replies.json.data).toEqual([]);
    expect([200, 202]).toContain(again.status);
  });

  test("breaks the stream of a running reply, which goes on when there is room, its attempts untouched", async () => {
    const { call, session, tenantId, path } = await openSession();
    const stub = () => env.SESSION.getByName(sessionObjectName(tenantId, session.id));
    const started = await ask<Reply>("POST", `${path}/replies`, {
      ...call,
      json: { input: "/rate 200\n/words 200", background: true },
    });
    const reply = `${path}/replies/${started.json.id}`;
    const makeRoom = fillDisk(session.id);
    await waitFor(async () => expect((await ask("GET", reply, call)).status).toBe(503));
    const whileFull = [];
    for (let asked = 0; asked < 6; asked += 1) {
      whileFull.push(essenceOf(await ask("GET", reply, call)));
      await runDurableObjectAlarm(stub()).catch(() => false);
    }
    makeRoom();
    await waitFor(async () =>
      expect((await ask<Reply>("GET", reply, call)).json.status).toBe("completed"),
    );
    const rows = await runInDurableObject(stub(), (_, { storage }) =>
      storage.sql.exec("SELECT begun, attempts FROM replies").toArray(),
    );

    expect(whileFull).toEqual(whileFull.map(() => UNAVAILABLE));
    expect(rows).toEqual([{ begun: 0, attempts: 1 }]);
  });
});
