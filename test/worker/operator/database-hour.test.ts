// D1 is away for an hour, for the front door and for the objects: sessions go on, and everything arrives later, once.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, inject, onTestFinished, test, vi } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { PendingCall, Reply } from "../../../protocol/replies/contract.ts";
import type { WebhookEvent } from "../../../protocol/webhooks/webhook-events.ts";
import { ask, openSession } from "../support/api.ts";
import { askDown } from "../support/broken-database.ts";
import { BROAD } from "../../support/breadth.ts";

const LABEL = {
  type: "external",
  name: "label",
  description: "Prints a label.",
  input_schema: { type: "object" },
  read_only: true,
};
const MINUTE_MS = 60_000;

beforeEach(() => {
  const logs = [vi.spyOn(console, "error"), vi.spyOn(console, "warn")];
  for (const log of logs) log.mockImplementation(() => {});
  onTestFinished(() => {
    vi.useRealTimers();
    logs.forEach((log) => log.mockRestore());
  });
});

function resultOf(replyId: string, { tool_call }: PendingCall) {
  const { id, name } = tool_call;
  const execution_results = [{ id, name, output: "printed", state: "success" }];
  return { type: "EXTERNAL_EXECUTION_RESULT", reply_id: replyId, execution_results };
}

async function rowsOf(table: string, column: string, id: string) {
  const query = `SELECT * FROM ${table} WHERE ${column} = ? ORDER BY 1, 2, 3`;
  return (await env.DB.prepare(query).bind(id).all<Record<string, unknown>>()).results;
}

describe("an hour without D1", () => {
  test(
    "lets replies begin, wait, be answered and end, and afterwards D1 and the endpoints have each once",
    BROAD,
    async () => {
      const { tenantId, session, call, path } = await openSession({ name: "Desk", tools: [LABEL] });
      const endpoint = {
        url: `${inject("webhookReceiverUrl")}/hook/200`,
        events: ["reply.*", "external_execution.required"],
      };
      await ask("POST", "/v1/webhook-endpoints", { ...call, json: endpoint });
      // The objects' own D1 takes no entry either.
      await env.DB.exec("ALTER TABLE usage RENAME TO usage_away");
      const start = Date.now();
      const replies: string[] = [];
      const waited: string[] = [];
      let waiting: Reply | null = null;

      for (let minute = 0; minute < 60; minute += 3) {
        vi.useFakeTimers({ toFake: ["Date"], now: start + minute * MINUTE_MS });
        if (waiting) {
          const [asked] = waiting.pending;
          if (!asked) throw new Error("nothing waits");
          const json = resultOf(waiting.id, asked);
          const answered = await askDown("POST", `${path}/events`, { ...call, json });
          expect(answered.status).toBe(202);
          await expect
            .poll(async () => (await askDown("GET", `${path}/replies/${waiting?.id}`, call)).json)
            .toMatchObject({ status: "completed" });
          waiting = null;
        } else {
          const json = {
            input: replies.length % 3 < 2 ? "/call label {}\n/say done" : "/say hello",
          };
          const answer = await askDown("POST", `${path}/replies`, { ...call, json });
          expect(answer.status).toBe(200);
          const reply = answer.json as unknown as Reply;
          replies.push(reply.id);
          if (reply.pending.length > 0) {
            waiting = reply;
            waited.push(reply.id);
          }
        }
      }
      const stub = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
      const kept = await runInDurableObject(stub, (_, { storage }) =>
        storage.sql.exec<{ n: number }>("SELECT count(*) AS n FROM outbox").one(),
      );
      expect(kept.n).toBeGreaterThanOrEqual(replies.length);
      expect(await rowsOf("session_states", "session_id", session.id)).toEqual([]);

      vi.useRealTimers();
      await env.DB.exec("ALTER TABLE usage_away RENAME TO usage");
      for (let time = 0; time < 2; time += 1) {
        await runInDurableObject(stub, (_, { storage }) => {
          storage.sql.exec("UPDATE timers SET due_at = 1 WHERE kind = 'watch'");
        });
        await runDurableObjectAlarm(stub);
      }
      await expect
        .poll(async () => (await rowsOf("usage", "session_id", session.id)).length)
        .toBe(replies.length);

      const usage = await rowsOf("usage", "session_id", session.id);
      expect(usage.map(({ reply_id }) => reply_id).toSorted()).toEqual(replies.toSorted());
      const deliveries = await rowsOf("webhook_deliveries", "tenant_id", tenantId);
      const told = deliveries
        .map(({ payload }) => JSON.parse(String(payload)) as WebhookEvent)
        .map(({ type, data }) => [
          type,
          "reply_id" in data ? data.reply_id : null,
          ...("calls" in data ? data.calls.map(({ answered }) => answered) : []),
        ]);
      const asked = waited.map((id) => ["external_execution.required", id, true]);
      const ended = replies.map((id) => ["reply.completed", id]);
      expect([waiting, told.toSorted()]).toEqual([null, [...asked, ...ended].toSorted()]);
      await expect
        .poll(() => runInDurableObject(stub, (_, { storage }) => storage.getAlarm()))
        .toBeNull();
    },
  );
});
