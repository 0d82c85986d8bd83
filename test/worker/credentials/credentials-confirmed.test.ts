// Requests of a session's object to D1 for its credentials: once for each run of a reply, for a while, and not for
// nothing.
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { OpenSession } from "../../../durable-objects/sessions/open-session.ts";
import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { CREDENTIAL_LOOKUP_MS } from "../../../protocol/credentials/limits.ts";
import { createTenantKey, sealSecret } from "../../../storage/secrets/credential-cipher.ts";
import { advanceClock } from "../support/advance-clock.ts";
import { failingDatabase } from "../sessions/failing-database.ts";
import { withHeldSession } from "../sessions/held-session.ts";
import { withTools } from "../confirmations/parked.ts";
import { valueOf } from "../sessions/session.ts";

const LOOK = { type: "http", name: "look", url: "https://shop.example/look", read_only: true };
const AGENT = { tools: [{ ...LOOK, credential_id: "crd_1" }] };
const MINUTE_MS = 60_000;

beforeEach(() => {
  const log = vi.spyOn(console, "warn").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
});

/** A secret as the version before has pinned it: without hosts. */
async function pinned({ tenant_id }: SessionInit, hosts?: readonly string[]) {
  const masterKey = env.MASTER_KEY;
  const tenantKey = await createTenantKey(masterKey, tenant_id);
  const seal = { masterKey: { current: masterKey }, tenantKey, tenantId: tenant_id };
  return {
    credentials: { crd_1: await sealSecret("shop-token", "crd_1", seal) },
    ...(hosts && { credential_hosts: { crd_1: hosts } }),
    tenant_key: tenantKey,
  };
}

async function pin(session: OpenSession, hosts?: readonly string[]) {
  const found = await pinned(session.init, hosts);
  session.settings.takeCredentials((init) => ({ ...init, ...found }));
}

async function look(session: OpenSession): Promise<void> {
  const input = "/call look {}\n/say done";
  const started = valueOf(await session.queue.start({ input, on_busy: "reject" }));
  const ended = valueOf(await session.queue.read(started.id, 60_000));
  expect(ended.status).toBe("completed");
}

/** D1 that counts who asks for credentials. */
function countingDatabase() {
  const counted = { asked: 0, database: env.DB };
  counted.database = new Proxy(env.DB, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...values: unknown[]) => {
        if (name === "prepare" && String(values[0]).includes('from "credentials"')) {
          counted.asked += 1;
        }
        return Reflect.apply(member, target, values) as unknown;
      };
    },
  });
  return counted;
}

function bearers(calls: readonly { readonly headers: Record<string, string> }[]) {
  return calls.map(({ headers }) => headers["authorization"] ?? null);
}

describe("a session asks D1 for its credentials", () => {
  it.each([
    ["once for each reply", AGENT, 2],
    ["never when its agent names none", { tools: [LOOK] }, 0],
  ])("%s", async (_, agent, asked) => {
    const counted = countingDatabase();
    await withTools(() =>
      withHeldSession(
        agent,
        async ({ session }) => {
          await look(session);
          await look(session);
        },
        { DB: counted.database },
      ),
    );

    expect(counted.asked).toBe(asked);
  });

  it("for two seconds, and goes on with its copy when nobody answers", BROAD, async () => {
    const failing = failingDatabase();
    failing.mode = "held";
    const waits = vi.spyOn(scheduler, "wait");
    onTestFinished(() => waits.mockRestore());
    await withTools((calls) =>
      withHeldSession(
        AGENT,
        async ({ session }) => {
          await pin(session, ["shop.example"]);
          await look(session);
          failing.release();

          expect(bearers(calls)).toEqual(["Bearer shop-token"]);
          expect(waits.mock.calls).toContainEqual([CREDENTIAL_LOOKUP_MS]);
        },
        { DB: failing.database },
      ),
    );
  });
});

describe("a session of the version before, while D1 does not answer", () => {
  it("sends its secret to where it went, for an hour from the first time on", async () => {
    const failing = failingDatabase();
    failing.mode = "down";
    await withTools((calls) =>
      withHeldSession(
        AGENT,
        async ({ session }) => {
          await pin(session);
          await look(session);
          advanceClock(59 * MINUTE_MS);
          await look(session);
          advanceClock(2 * MINUTE_MS);
          await look(session);

          expect(bearers(calls)).toEqual(["Bearer shop-token", "Bearer shop-token"]);
        },
        { DB: failing.database },
      ),
    );
  });
});
