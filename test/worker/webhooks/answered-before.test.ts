// Calls that were answered before D1 had heard that they wait: each is announced once, and says so.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, onTestFinished, test } from "vitest";

import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { Confirmation } from "../../../protocol/confirmations/contract.ts";
import type { PendingCall, Reply } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { WebhookCall } from "../../../protocol/replies/webhooks.ts";
import { hearLog } from "../../support/hear-log.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, openSession } from "../support/api.ts";
import {
  CANCEL,
  confirmation,
  DESK,
  externalResults,
  LABEL,
  REFUND,
} from "../support/parked-session.ts";
import { makeEndpoint, readDeliveries } from "./endpoint.ts";

const CALLS = ["confirmation.required", "external_execution.required"];

/** A desk with an endpoint, whose D1 takes nothing of an outbox until `comeBack`. */
async function makeOutage(events: readonly string[] = CALLS) {
  hearLog();
  const opened = await openSession(DESK);
  const { tenantId, session, call, path } = opened;
  const endpoint = await makeEndpoint(call, { events });
  let isAway = true;
  await env.DB.exec("ALTER TABLE session_states RENAME TO session_states_away");
  const bringBack = async () => {
    if (!isAway) return;
    isAway = false;
    await env.DB.exec("ALTER TABLE session_states_away RENAME TO session_states");
  };
  onTestFinished(bringBack);
  const object = env.SESSION.getByName(sessionObjectName(tenantId, session.id));
  const inObject = <Value>(read: (sql: SqlStorage) => Value) =>
    runInDurableObject(object, (_, { storage }) => read(storage.sql) as never) as Promise<Value>;
  const countWaiting = () =>
    inObject((sql) => sql.exec<{ n: number }>("SELECT count(*) AS n FROM outbox").one().n);
  return {
    ...opened,
    inObject,
    async start(input: string): Promise<Reply> {
      return (await ask<Reply>("POST", `${path}/replies`, { ...call, json: { input } })).json;
    },
    async answer(json: object): Promise<void> {
      const { status, text } = await ask("POST", `${path}/events`, { ...call, json });
      if (status !== 202) throw new Error(text);
    },
    /** D1 is there again, and has all of it. */
    async comeBack(): Promise<void> {
      expect(await countWaiting()).toBeGreaterThan(0);
      await bringBack();
      await waitFor(async () => {
        await inObject((sql) =>
          sql.exec("UPDATE timers SET due_at = 1 WHERE kind = 'watch'").toArray(),
        );
        await runDurableObjectAlarm(object);
        expect(await countWaiting()).toBe(0);
      });
    },
    /** Announcements, by type, in the order of the calls. */
    async announced(): Promise<readonly (readonly [string, readonly WebhookCall[]])[]> {
      const deliveries = await readDeliveries(call, endpoint.id);
      return deliveries
        .map(({ type, payload }) => {
          const { data } = payload as { readonly data: { readonly calls: WebhookCall[] } };
          return [type, data.calls] as const;
        })
        .toSorted(([one], [other]) => one.localeCompare(other));
    },
    async listed(): Promise<readonly string[]> {
      const answer = await ask<Page<Confirmation>>("GET", "/v1/confirmations", call);
      return answer.json.data.map(({ tool_call_id }) => tool_call_id);
    },
  };
}

function shown({ kind, tool_call, input_hash, expires_at }: PendingCall): WebhookCall {
  const { id: tool_call_id, name: tool_name } = tool_call;
  return { tool_call_id, tool_name, kind, input_hash, expires_at };
}

function callsOf({ pending }: Reply): readonly [PendingCall, ...PendingCall[]] {
  const [first, ...others] = pending;
  if (!first) throw new Error("nothing waits");
  return [first, ...others];
}

describe("a call that is answered before D1 has heard of it", () => {
  test.each([
    ["a person's answer", REFUND, "confirmation.required", confirmation],
    ["a result", LABEL, "external_execution.required", externalResults],
  ])("and waited for %s, is announced as answered, and not listed", async (_, input, type, to) => {
    const outage = await makeOutage();
    const reply = await outage.start(`${input}\n/say done`);
    const [call] = callsOf(reply);
    await outage.answer(to(reply, [call]));
    await outage.comeBack();

    expect(await outage.announced()).toEqual([[type, [{ ...shown(call), answered: true }]]]);
    expect(await outage.listed()).toEqual([]);
  });

  test("is announced beside those that wait still, which are listed", async () => {
    const outage = await makeOutage();
    const reply = await outage.start(`${REFUND}\n${CANCEL}\n/say done`);
    const [first, second] = callsOf(reply);
    await outage.answer(confirmation(reply, [first], { confirmed: false }));
    await outage.comeBack();

    const calls = [{ ...shown(first), answered: true }, shown(second!)];
    expect(await outage.announced()).toEqual([["confirmation.required", calls]]);
    expect(await outage.listed()).toEqual([second!.tool_call.id]);

    await outage.answer(confirmation(reply, [second!], { confirmed: false }));
    await expect.poll(() => outage.listed()).toEqual([]);
    expect(await outage.announced()).toHaveLength(1);
  });
});

describe("an entry of a version that did not keep its calls", () => {
  test("announces those that wait now", async () => {
    const outage = await makeOutage();
    const reply = await outage.start(`${REFUND}\n${CANCEL}\n/say done`);
    const [first, second] = callsOf(reply);
    await outage.answer(confirmation(reply, [first], { confirmed: false }));
    await outage.inObject((sql) => sql.exec("UPDATE outbox SET calls = NULL").toArray());
    await outage.comeBack();

    expect(await outage.announced()).toEqual([["confirmation.required", [shown(second!)]]]);
  });
});
