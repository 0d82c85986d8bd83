// Deliveries of webhooks as the object takes them: each sender's id is one run.
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import type { ArmedTrigger, TriggerApi } from "../../../durable-objects/api/trigger-api.ts";
import { ask } from "../support/api.ts";
import { readRegistered } from "../../../storage/triggers/trigger-registry.ts";
import { armedOf } from "../../../worker/triggers/arm-trigger.ts";
import { seen, triggerDesk, WAITING, type Desk, type OpenTrigger } from "./trigger-desk.ts";

async function armedTrigger(desk: Desk, { made }: OpenTrigger): Promise<ArmedTrigger> {
  const found = await readRegistered(env.DB, { id: made.id, tenant_id: desk.tenant_id });
  return armedOf(found!.trigger);
}

function delivery(trigger: ArmedTrigger, sender_id: string, more: object = {}) {
  return {
    trigger,
    sender_id,
    payload_sha256: `sha256:${"0".repeat(64)}`,
    input: "/say Taken.",
    session_key: null,
    end_user_id: null,
    is_untrusted: true,
    ...more,
  };
}

const apiOf = (trigger: OpenTrigger) => trigger.stub() as unknown as TriggerApi;

test("a delivery that comes twice, or at the same time, is one run", async () => {
  const desk = await triggerDesk();
  const trigger = await desk.make({ webhook: { form: "github" }, overlap: "allow" });
  const armed = await armedTrigger(desk, trigger);
  const twice = await Promise.all([
    apiOf(trigger).takeWebhook(delivery(armed, "d-1")),
    apiOf(trigger).takeWebhook(delivery(armed, "d-1")),
  ]);
  await apiOf(trigger).takeWebhook(delivery(armed, "d-2"));
  const ids = twice.map((taken) => taken.ok && taken.value.id);
  expect([
    ids[0] === ids[1],
    twice.map(({ is_replayed }) => is_replayed === true).toSorted(),
  ]).toEqual([true, [false, true]]);
  const runs = await trigger.settle();
  expect(runs.map(seen)).toEqual([
    ["webhook", "succeeded"],
    ["webhook", "succeeded"],
  ]);
  expect(runs.map(({ trigger_context }) => trigger_context)).toMatchObject([
    { sender_id: "d-2" },
    { sender_id: "d-1" },
  ]);
});

test("a paused trigger takes no deliveries, and finds those that it has taken before", async () => {
  const desk = await triggerDesk();
  const trigger = await desk.make({ webhook: { form: "github" } });
  await apiOf(trigger).takeWebhook(delivery(await armedTrigger(desk, trigger), "d-1"));
  await trigger.settle();
  await trigger.post("pause");
  const armed = await armedTrigger(desk, trigger);
  const known = await apiOf(trigger).takeWebhook(delivery(armed, "d-1"));
  const refused = await apiOf(trigger).takeWebhook(delivery(armed, "d-2"));
  expect([known.ok, refused.ok || refused.refusal.code]).toEqual([true, "trigger_paused"]);
  expect(await trigger.runs()).toHaveLength(1);
});

test("a delivery that comes while a run goes on is taken, and its run is skipped for good", async () => {
  const desk = await triggerDesk({ tools: [WAITING] });
  const trigger = await desk.make({ webhook: { form: "github" }, overlap: "skip" });
  const armed = await armedTrigger(desk, trigger);
  const send = (id: string) =>
    apiOf(trigger).takeWebhook(delivery(armed, id, { input: "/call refund {}\n/say Done." }));
  const first = await send("d-1");
  const firstId = first.ok ? first.value.id : "";
  const { session_id } = await trigger.until(firstId, "waiting");
  const second = await send("d-2");
  expect(second).toMatchObject({ ok: true, value: { status: "skipped", skip_reason: "overlap" } });
  await ask("POST", `/v1/sessions/${session_id}/interrupt`, { ...desk.call, json: {} });
  await trigger.until(firstId, "failed");
  // The sender's id is taken: that the run was left out is told, and changed no more.
  const again = await send("d-2");
  expect([again.is_replayed, again.ok && again.value]).toEqual([true, second.ok && second.value]);
  expect((await trigger.runs("?status=skipped")).map(seen)).toEqual([
    ["webhook", "skipped", "overlap"],
  ]);
  const third = await send("d-3");
  await trigger.until(third.ok ? third.value.id : "", "waiting");
});

test("two triggers may have one name, also in another case: a name says nothing but to people", async () => {
  const desk = await triggerDesk();
  const made = [];
  for (const name of ["Daily", "daily", "Daily"]) made.push((await desk.make({ name })).made);
  expect([new Set(made.map(({ id }) => id)).size, made.map(({ name }) => name)]).toEqual([
    3,
    ["Daily", "daily", "Daily"],
  ]);
});

test("a delivery for a trigger of another tenant, or for one that is gone, begins nothing", async () => {
  const [desk, other] = [await triggerDesk(), await triggerDesk()];
  const [trigger, foreign] = [
    await desk.make({ webhook: { form: "github" } }),
    await other.make({ webhook: { form: "github" } }),
  ];
  const theirs = await armedTrigger(other, foreign);
  const mixed = await apiOf(trigger).takeWebhook(delivery(theirs, "d-1"));
  expect(mixed).toMatchObject({ ok: false, refusal: { code: "not_found" } });
  const armed = await armedTrigger(desk, trigger);
  await trigger.remove();
  const late = await apiOf(trigger).takeWebhook(delivery(armed, "d-1"));
  expect(late).toMatchObject({ ok: false, refusal: { code: "not_found" } });
});
