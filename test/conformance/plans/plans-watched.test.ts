// Watchers of a plan: a page that speaks AG-UI, with the protocol's own client, and a tenant's webhooks.
import { afterAll, beforeAll, expect, it } from "vitest";

import type { SessionPlan } from "../../../protocol/plans/contract.ts";
import { agUiBody, playAgUi } from "../../support/ag-ui-client.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  request,
} from "../../support/platform-client.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

const STEPS = ["find", "read", "write"].map((name) => ({
  name,
  description: `${name} it`,
  expected_outcome: `${name} done`,
}));
const PLAN = { name: "Research", description: "d", expected_outcome: "o", subtasks: STEPS };

let key: string;
let receiver: WebhookReceiver;
beforeAll(async () => {
  ({ key } = await createTenant());
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.stop());

async function openDesk() {
  const session = await createSession(key, await createAgent(key, { plan: {} }));
  const path = `/v1/sessions/${session}`;
  return {
    session,
    path,
    say: (...lines: readonly string[]) =>
      request("POST", `${path}/replies`, { key, body: { input: lines.join("\n/then\n") } }),
    read: async () => (await request<SessionPlan>("GET", `${path}/plan`, { key })).body,
    put: (plan: unknown) => request<SessionPlan>("PUT", `${path}/plan`, { key, body: { plan } }),
  };
}

function call(name: string, input: object): string {
  return `/call ${name} ${JSON.stringify(input)}`;
}

function finish(subtask_idx: number): string {
  return call("finish_subtask", { subtask_idx, subtask_outcome: "x" });
}

type AgUiEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

async function watch(path: string, query: string): Promise<readonly AgUiEvent[]> {
  const response = await openRequest("GET", `${path}/events?format=ag-ui${query}`, {
    key,
    headers: { accept: "text/event-stream" },
  });
  const text = await response.text();
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!) as AgUiEvent);
}

/** The plans that the protocol's own client shows, by their ids. */
async function plansShown(
  events: readonly AgUiEvent[],
): Promise<Readonly<Record<string, unknown>>> {
  const { messages, warnings } = await playAgUi(agUiBody(events));
  expect(warnings).toEqual([]);
  return Object.fromEntries(
    messages.flatMap((message) =>
      message.role === "activity" && message.activityType === "PLAN"
        ? [[message.id, message.content]]
        : [],
    ),
  );
}

it("a page of AG-UI has the plan as it is, from snapshots and deltas, whenever it joins", async () => {
  const desk = await openDesk();
  await desk.say(call("create_plan", PLAN), finish(0), "/say begun");
  const first = await watch(desk.path, "&after=0");
  const kinds = first.flatMap(({ type, activityType }) => (activityType === "PLAN" ? [type] : []));
  const { plan: begun } = await desk.read();

  expect(kinds).toEqual(["ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA"]);
  expect(await plansShown(first)).toEqual({ "plan:plan_1": begun });

  // Between two replies nothing is sent; the next run begins with what the plan is then.
  await desk.put({ ...begun, name: "Research on agents" });
  await desk.say(finish(1), "/say on");
  const { plan } = await desk.read();
  expect(plan?.name).toBe("Research on agents");
  expect(await plansShown(await watch(desk.path, "&after=0"))).toEqual({ "plan:plan_1": plan });
  expect(await plansShown(await watch(desk.path, ""))).toEqual({ "plan:plan_1": plan });
});

it("a page of AG-UI sees how a plan ended, and the one that took its place", async () => {
  const desk = await openDesk();
  await desk.put(PLAN);
  await desk.say(finish(0), call("create_plan", { ...PLAN, name: "Second" }), "/say done");
  const { plan, history } = await desk.read();

  expect(history).toMatchObject([{ state: "abandoned" }]);
  expect(await plansShown(await watch(desk.path, "&after=0"))).toEqual({
    "plan:plan_1": history[0],
    "plan:plan_3": plan,
  });
});

it("a tenant's webhook hears of each change, by ids, states and counts", async () => {
  const url = `${receiver.url}/plans/200`;
  const body = { url, events: ["plan.updated"] };
  await request("POST", "/v1/webhook-endpoints", { key, body });
  const desk = await openDesk();
  await desk.put(PLAN);
  await desk.say(finish(0), "/say done");

  const posts = await receiver.waitFor("/plans/200", 2);
  const told = posts.map(({ body: sent }) => sent as { type: string; data: { version: number } });
  expect(told.toSorted((one, other) => one.data.version - other.data.version)).toMatchObject([
    {
      type: "plan.updated",
      data: {
        session_id: desk.session,
        reply_id: null,
        plan_id: "plan_1",
        plan_state: "todo",
        version: 1,
        subtasks: { todo: 3, in_progress: 0, done: 0, abandoned: 0 },
      },
    },
    {
      type: "plan.updated",
      data: {
        session_id: desk.session,
        reply_id: expect.stringMatching(/^rep_/) as string,
        plan_id: "plan_1",
        plan_state: "in_progress",
        version: 2,
        subtasks: { todo: 1, in_progress: 1, done: 1, abandoned: 0 },
      },
    },
  ]);
  expect(posts.some(({ text }) => text.includes("Research"))).toBe(false);
});
