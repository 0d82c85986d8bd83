// Settings that a waiting reply goes on with, whatever its session is changed to meanwhile.
import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import { AgentCreateSchema } from "../../../protocol/agents/contract.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { confirmation, parkedSession, post, REFUND, rowsOf, withTools } from "./parked.ts";
import { objectOf, readReply, reply, startReply, stubOf, valueOf } from "../sessions/session.ts";

function snapshot(version: number, url: string) {
  const tools = [{ ...REFUND, url, read_only: true }];
  return {
    version,
    definition: AgentCreateSchema.parse({ name: "Refund desk", tools }),
    credentials: {},
  };
}

describe("a change of the session's agent", () => {
  it("leaves the reply that waits with the tools it began with, and holds for the next", () =>
    withTools(async (calls) => {
      const { init, parked, call } = await parkedSession();
      const changed = valueOf(
        await stubOf(init).act("update", {
          agent_version: 2,
          snapshot: snapshot(2, "https://tools.example/second"),
        }),
      );
      await stubOf(init).act("update", {
        agent_version: 3,
        snapshot: snapshot(3, "https://tools.example/third"),
      });
      await evictDurableObject(objectOf(init));
      valueOf(await post(init, confirmation(parked.id, call)));
      const ended = await readReply(init, parked.id, 60_000);
      const next = await reply(init, "/call refund {}\n/say done");

      expect(changed.agent_version).toBe(2);
      expect([ended.status, next.status]).toEqual(["completed", "completed"]);
      expect(calls.map(({ url }) => url)).toEqual([
        "https://tools.example/refund",
        "https://tools.example/third",
      ]);
      expect(await rowsOf(init, "SELECT agent_version FROM replies ORDER BY id")).toEqual([
        { agent_version: 1 },
        { agent_version: 3 },
      ]);
      expect(await rowsOf(init, "SELECT reply_init FROM session")).toEqual([{ reply_init: null }]);
    }));

  it("made while a reply runs does not reach that reply when it is answered later", () =>
    withTools(async (calls) => {
      const { init, parked } = await parkedSession();
      await stubOf(init).act("interrupt", {});
      const gates = holdGates();
      const started = await startReply(init, `${GATE}\n/call refund {}\n/say done`);
      await stubOf(init).act("update", {
        agent_version: 2,
        snapshot: snapshot(2, "https://tools.example/second"),
      });
      gates.release();
      const waiting = await readReply(init, started.id, 60_000);
      const [call] = waiting.pending;
      if (!call) throw new Error("nothing waits");
      valueOf(await post(init, confirmation(started.id, call)));
      await readReply(init, started.id, 60_000);

      expect(started.id).not.toBe(parked.id);
      expect(calls.map(({ url }) => url)).toEqual(["https://tools.example/refund"]);
    }));

  it("of its labels alone is seen at once, and keeps no copy", async () => {
    const { init } = await parkedSession();
    const changed = valueOf(await stubOf(init).act("update", { metadata: { ticket: "T-1" } }));

    expect(changed.metadata).toEqual({ ticket: "T-1" });
    expect(await rowsOf(init, "SELECT reply_init FROM session")).toEqual([{ reply_init: null }]);
  });
});

describe("a trace", () => {
  it("of the answer goes with what the reply sends out from there on", () =>
    withTools(async (calls) => {
      const { init, parked, call } = await parkedSession();
      const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
      const event = confirmation(parked.id, call);
      const actor = {
        kind: "api_key",
        id: "key_1",
        may_write_rules: false,
        may_take_rules: true,
        may_edit: true,
        must_prove_input: false,
      } as const;
      valueOf(await stubOf(init).act("postEvent", event, { actor, trace: { traceparent } }));
      await readReply(init, parked.id, 60_000);

      expect(calls.map(({ headers }) => headers["traceparent"])).toEqual([traceparent]);
    }));
});
