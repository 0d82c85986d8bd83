// Diagnostics beside a machine that dies, their bounds, and what they cost.
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";

import type { SessionInit } from "../../../durable-objects/api/session-api.ts";
import { DiagnosticsTable } from "../../../durable-objects/tables/diagnostics-table.ts";
import {
  MAX_DIAGNOSED_MODEL_CALLS,
  MAX_DIAGNOSED_TOOL_CALLS,
} from "../../../protocol/diagnostics/limits.ts";
import { GATE, holdGates } from "../support/held-timers.ts";
import { REFUND, rowsOf, withTools } from "../confirmations/parked.ts";
import {
  allEvents,
  createdSession,
  objectOf,
  openStream,
  readEvents,
  readReply,
  reply,
  startReply,
  stubOf,
  valueOf,
} from "../sessions/session.ts";

const PAY = { ...REFUND, name: "pay", read_only: true };

async function diagnose(init: SessionInit, reply_id: string) {
  return valueOf(await stubOf(init).act("readDiagnostics", { reply_id }));
}

async function seenUntil(init: SessionInit, type: string): Promise<void> {
  await readEvents(await openStream(init, "after=0"), (event) => event.type === type);
}

describe("diagnostics of a reply whose machine dies", () => {
  it("say that its model call's outcome is unknown, and estimate its usage", async () => {
    const gates = holdGates();
    const init = await createdSession();
    const { id } = await startReply(init, `/say ${"word ".repeat(40)}\n${GATE}`);
    await seenUntil(init, "TEXT_BLOCK_DELTA");
    await abortAllDurableObjects();
    gates.release();
    const { status, message } = await readReply(init, id, 60_000);

    const found = await diagnose(init, id);

    expect([status, found.status]).toEqual(["completed", "completed"]);
    expect(found.recovery).toMatchObject({ epoch: 2, machines_lost: 1, retry_at: null });
    expect(found.model_calls).toMatchObject([
      { number: 1, outcome: "unknown", provider: null, tries: 0, usage_estimated: true },
      { number: 2, outcome: "completed", provider: "scripted", tries: 1, usage_estimated: false },
    ]);
    const [lost, made] = found.model_calls.map(({ usage }) => usage);
    expect(lost?.input_tokens).toBeGreaterThan(0);
    expect(message?.usage?.input_tokens).toBe(
      (lost?.input_tokens ?? 0) + (made?.input_tokens ?? 0),
    );
  });

  it("say that a tool's outcome is unknown", async () => {
    const init = await createdSession({ tools: [PAY] });
    await withTools(
      async () => {
        const { id } = await startReply(init, "/call pay {}\n/say done");
        await seenUntil(init, "TOOL_RESULT_START");
        await abortAllDurableObjects();
        await readReply(init, id, 60_000);

        expect((await diagnose(init, id)).tool_calls).toMatchObject([
          {
            name: "pay",
            outcome: "unknown",
            http_status: null,
            failure: { kind: "machine_lost", hint: expect.any(String) },
          },
        ]);
      },
      () => new Promise<Response>(() => {}),
    );
  });

  it("keep what was stored before, each call once", async () => {
    const gates = holdGates();
    const init = await createdSession({ tools: [PAY] });
    await withTools(async () => {
      const { id } = await startReply(init, `/call pay {}\n/say one\n${GATE}`);
      await seenUntil(init, "TEXT_BLOCK_DELTA");
      await abortAllDurableObjects();
      gates.release();
      await readReply(init, id, 60_000);

      const found = await diagnose(init, id);
      expect(found.model_calls.map(({ number, outcome }) => [number, outcome])).toEqual([
        [1, "completed"],
        [2, "unknown"],
        [3, "completed"],
      ]);
      expect(found.tool_calls).toMatchObject([{ number: 1, outcome: "success", http_status: 200 }]);
    });
  });
});

describe("the table of diagnostics", () => {
  it("keeps the newest calls of a reply, and says how many are left out", async () => {
    const init = await createdSession();
    const { id } = await reply(init, "/say one");
    await runInDurableObject(objectOf(init), (_, { storage }) => {
      const table = new DiagnosticsTable(storage.sql);
      const call = table.list(id)[0]?.call as never;
      for (let more = 0; more < MAX_DIAGNOSED_MODEL_CALLS + 9; more += 1) {
        table.add(id, { kind: "model", call });
      }
      for (let more = 0; more < MAX_DIAGNOSED_TOOL_CALLS + 5; more += 1) {
        table.add(id, {
          kind: "tool",
          call: {
            tool_call_id: `call_${more}`,
            name: "look",
            outcome: "success",
            started_at: null,
            duration_ms: null,
            http_status: 200,
            failure: null,
            waits: [],
          },
        });
      }
    });

    const found = await diagnose(init, id);

    expect([found.model_calls.length, found.model_calls_omitted]).toEqual([
      MAX_DIAGNOSED_MODEL_CALLS,
      10,
    ]);
    expect([found.tool_calls.length, found.tool_calls_omitted]).toEqual([
      MAX_DIAGNOSED_TOOL_CALLS,
      5,
    ]);
    expect(found.tool_calls.at(-1)?.number).toBe(MAX_DIAGNOSED_TOOL_CALLS + 5);
    expect(await rowsOf(init, "SELECT count(*) AS rows FROM diagnostics")).toEqual([
      { rows: MAX_DIAGNOSED_MODEL_CALLS + MAX_DIAGNOSED_TOOL_CALLS },
    ]);
  });

  it("leaves out a row that cannot be read", async () => {
    const init = await createdSession();
    const { id } = await reply(init, "/say one");
    await runInDurableObject(objectOf(init), (_, { storage }) => {
      storage.sql.exec("UPDATE replies SET calls = '{'");
    });

    expect(await diagnose(init, id)).toMatchObject({ status: "completed", model_calls: [] });
  });

  it("has one row for each model call and each tool call that ran, the last call in the row of its reply, and none for tokens or refusals", async () => {
    const init = await createdSession({ tools: [PAY] });
    await withTools(async () => {
      const { id } = await reply(
        init,
        "/think Let me see.\n/call pay {}\n/call missing {}\n/words 200",
      );

      expect(
        await rowsOf(init, `SELECT kind, number FROM diagnostics WHERE reply_id = '${id}'`),
      ).toEqual([
        { kind: "model", number: 1 },
        { kind: "tool", number: 1 },
      ]);
      const [{ calls } = {}] = await rowsOf(init, "SELECT calls FROM replies");
      expect(JSON.parse(String(calls))).toMatchObject([{ kind: "model", number: 2 }]);
      const words = JSON.stringify(await allEvents(init));
      expect(words).not.toMatch(/first_output_ms|failed_tries|http_status/);
    });
  });

  it("is erased with the session", async () => {
    const init = await createdSession();
    const { id } = await reply(init, "/say one");
    valueOf(await stubOf(init).remove());

    expect(await stubOf(init).act("readDiagnostics", { reply_id: id })).toMatchObject({
      ok: false,
      refusal: { code: "not_found" },
    });
  });
});
