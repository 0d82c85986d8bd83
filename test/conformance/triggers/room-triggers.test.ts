// A trigger that a room answers, by base URL alone: from a signed webhook to the end of the discussion.
import { expect, it } from "vitest";

import type { CreatedTrigger, TriggerRun } from "../../../protocol/triggers/contract.ts";
import type { TriggerReceipt } from "../../../protocol/triggers/receipts.ts";
import { request } from "../../support/platform-client.ts";
import { SENDER_SECRETS, signDelivery } from "../../support/sender-signatures.ts";
import { waitFor } from "../../support/wait-for.ts";
import { chain, openRoom, type RoomDesk } from "../rooms/room-desk.ts";

const SCRIPT = chain("I am Ann.", "I am Bob.");

async function openDoor({ key, room }: RoomDesk, more: object = {}) {
  const body = {
    name: "Reports",
    room_id: room.id,
    input: `{report}\n${SCRIPT}`,
    webhook: { form: "github", secret: SENDER_SECRETS.github },
    ...more,
  };
  const { body: made } = await request<CreatedTrigger>("POST", "/v1/triggers", { key, body });
  const path = new URL(made.webhook?.url ?? "").pathname;
  return {
    made,
    async deliver(id: string, payload: object) {
      const seconds = Math.floor(Date.now() / 1_000);
      const { headers, body: signed } = signDelivery("github", { id, seconds, payload });
      return (await request<TriggerReceipt>("POST", path, { headers, body: signed })).body;
    },
    async until(runId: string, ...states: readonly TriggerRun["status"][]) {
      return waitFor(async () => {
        const at = `/v1/triggers/${made.id}/runs/${runId}`;
        const { body: run } = await request<TriggerRun>("GET", at, { key });
        expect(states).toContain(run.status);
        return run;
      });
    },
  };
}

it("says a delivery in the room once, and ends with the discussion", async () => {
  const desk = await openRoom();
  const door = await openDoor(desk);
  const first = await door.deliver("d-1", { report: "It is broken." });
  const again = await door.deliver("d-1", { report: "It is broken." });
  const run = await door.until(first.trigger_run_id, "succeeded", "failed");
  const frames = await desk.read(0);
  const said = frames.flatMap(({ data }) => {
    const { name, value } = JSON.parse(data) as { name?: string; value?: Record<string, unknown> };
    return name === "message_added" && value ? [value] : [];
  });

  expect(again).toEqual({ trigger_run_id: first.trigger_run_id, applied: false });
  expect(run).toMatchObject({ status: "succeeded", session_id: null, room_id: desk.room.id });
  expect(said).toMatchObject([
    {
      participant: null,
      announces: false,
      message: {
        id: run.message_id,
        name: "room",
        metadata: {
          trigger: { trigger_id: door.made.id, trigger_run_id: run.id },
          untrusted: { tool_name: "trigger:Reports", tool_call_id: run.id },
        },
      },
    },
  ]);
  expect((await desk.said()).map((line) => line.split("\n", 1)[0])).toEqual([
    "room: It is broken.",
    "ann: I am Ann.",
    "bob: I am Bob.",
  ]);
});

it("waits with the room for a person, whose answer ends the run", async () => {
  const desk = await openRoom({}, ["ann"]);
  const participant = { name: "Eve", kind: "person", awaited: true };
  const body = { participant };
  await request("POST", `${desk.path}/participants`, { key: desk.key, body });
  const input = "What do you say?\n/say I am Ann.";
  const door = await openDoor(desk, { input, returns_untrusted: false });
  const { trigger_run_id } = await door.deliver("d-1", {});
  await door.until(trigger_run_id, "waiting");
  const { status, input_requests } = await desk.now();
  await request("POST", `${desk.path}/input`, {
    key: desk.key,
    body: {
      participant: "Eve",
      input_request_id: input_requests[0]?.id,
      content: "That I agree.",
    },
  });
  const run = await door.until(trigger_run_id, "succeeded", "failed");

  expect(status).toBe("waiting");
  expect(run.status).toBe("succeeded");
  expect((await desk.said()).map((line) => line.split("\n", 1)[0])).toEqual([
    "room: What do you say?",
    "ann: I am Ann.",
    "Eve: That I agree.",
  ]);
});
