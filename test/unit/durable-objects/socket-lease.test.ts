// A session's lease for WebSockets: asked for once, and never in doubt.
import { describe, expect, it } from "vitest";

import type { Lease } from "../../../durable-objects/api/tenant-api.ts";
import { SocketLease } from "../../../durable-objects/tenants/socket-lease.ts";
import { accept, refuse, type Result } from "../../../protocol/errors.ts";

const KEPT = accept<Lease>({ tokens: 0, keeps_sockets: true });

/** A lease whose tenant's object answers as the test says; `asked` has what it was asked. */
function leased(...answers: readonly (Result<Lease> | null)[]) {
  const asked: string[] = [];
  const left = [...answers];
  const lease = new SocketLease({
    ask: async () => {
      asked.push("hold");
      return left.length > 1 ? (left.shift() ?? null) : (left[0] ?? null);
    },
    end: async () => {
      asked.push("end");
    },
  });
  return { lease, asked };
}

const codeOf = (result: Result<null>) => (result.ok ? "held" : result.refusal.code);

describe("a lease for WebSockets", () => {
  it("is asked for with the first socket, and again when it was given back or has ended", async () => {
    const { lease, asked } = leased(KEPT);
    await lease.hold();
    await lease.hold();
    await lease.release();
    await lease.hold();
    lease.forget();
    await lease.hold();

    expect(asked).toEqual(["hold", "end", "hold", "hold"]);
  });

  it("is refused where the tenant's object is silent, of before it, or says so", async () => {
    const suspended = refuse("tenant_suspended", "stopped");
    const old = accept<Lease>({ tokens: 0 });
    const results = [];
    for (const answer of [null, old, suspended]) results.push(await leased(answer).lease.hold());

    expect(results.map(codeOf)).toEqual(["unavailable", "unavailable", "tenant_suspended"]);
  });

  it("that was ended while it was asked for is asked for again", async () => {
    const asking = Promise.withResolvers<Result<Lease>>();
    let asks = 0;
    const lease = new SocketLease({
      ask: async () => {
        asks += 1;
        return asks === 1 ? asking.promise : refuse("tenant_suspended", "stopped");
      },
      end: async () => undefined,
    });
    const held = lease.hold();
    await Promise.resolve();
    lease.forget();
    asking.resolve(KEPT);

    expect([codeOf(await held), asks]).toEqual(["tenant_suspended", 2]);
  });

  it("is asked for behind the word that there are no sockets, also when that is lost", async () => {
    const order: string[] = [];
    const ending = Promise.withResolvers<void>();
    const lease = new SocketLease({
      ask: async () => {
        order.push("hold");
        return KEPT;
      },
      end: async () => {
        await ending.promise;
        order.push("end");
        throw new Error("not reached");
      },
    });
    const released = lease.release();
    const held = lease.hold();
    ending.resolve();
    await Promise.all([released, held]);

    expect(order).toEqual(["end", "hold"]);
  });
});
