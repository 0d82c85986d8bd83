/** @module-tag broad */
// A question two levels down, answered from the stream at the top, from the inbox and by a webhook's callback, on a platform
// that is killed with kill -9 before and after each step.
import { afterAll, beforeAll, expect, test } from "vitest";

import type { EventReceipt } from "../../../protocol/events/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Reply, SubagentPendingCall } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { waitFor } from "../../support/wait-for.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";

const platform = mortalPlatform();
const MODEL = { provider: "scripted", name: "refund-desk" };
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
});
afterAll(() => receiver.stop());

async function open(name: string) {
  const key = await platform.createTenant();
  async function send(method: string, path: string, body?: object, accept = "application/json") {
    const { base_url } = await platform.running();
    return fetch(base_url + path, {
      method,
      body: body && JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", accept },
    });
  }
  async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    return (await (await send(method, path, body)).json()) as Body;
  }
  const url = `${receiver.url}/${name}/200`;
  await ask("POST", "/v1/webhook-endpoints", { url, events: ["confirmation.required"] });
  const makeAgent = async (agent: string, tool: object) =>
    (await ask<{ id: string }>("POST", "/v1/agents", { name: agent, model: MODEL, tools: [tool] }))
      .id;
  const helper = { type: "agent", name: "helper", read_only: true };
  const pay = { type: "http", name: "pay", url: `${receiver.url}/${name}-pay/200` };
  const lowest = await makeAgent("Lowest", pay);
  const middle = await makeAgent("Middle", { ...helper, agent_id: lowest });
  const top = await makeAgent("Top", { ...helper, agent_id: middle });
  const session = await ask<Session>("POST", "/v1/sessions", { agent_id: top });
  const path = `/v1/sessions/${session.id}`;
  const call = (message: string) => `/call helper ${JSON.stringify({ message })}`;
  const input = `${call(`${call("/call pay {}\n/say Paid.")}\n/say Passed on.`)}\n/say Thanks.`;
  const { id } = await ask<Reply>("POST", `${path}/replies`, { input, background: true });
  const read = () => ask<Reply>("GET", `${path}/replies/${id}`);
  return {
    path,
    send,
    ask,
    read,
    /** The call that waits at the bottom, as the top shows it. */
    waiting: () =>
      waitFor(async () => {
        const found = (await read()).subagents?.[0]?.pending?.[0];
        expect(found?.kind).toBe("permission");
        return found!;
      }),
    events: async () =>
      (await ask<Page<LoggedEvent>>("GET", `${path}/events?limit=100`)).data.flatMap((event) =>
        event.type === "CUSTOM" && event.name.startsWith("subagent_") ? [event] : [],
      ),
  };
}

type Desk = Awaited<ReturnType<typeof open>>;

interface Refused {
  readonly code?: string;
  readonly same_answer?: boolean;
}

async function kill(): Promise<void> {
  await platform.kill();
  await platform.running();
}

function yes({ reply_id, tool_call, input_hash }: SubagentPendingCall) {
  return {
    type: "USER_CONFIRM_RESULT",
    reply_id,
    confirm_results: [{ confirmed: true, tool_call: { id: tool_call.id } }],
    metadata: { input_hashes: { [tool_call.id]: input_hash } },
  };
}

const WAYS = {
  /** The question is read from the stream at the top, and answered in that session. */
  async stream({ path, send, ask }: Desk, asked: SubagentPendingCall) {
    const response = await send("GET", `${path}/events?after=0`, undefined, "text/event-stream");
    const reader = response.body!.getReader();
    let text = "";
    while (!text.includes("subagent_require_user_confirm")) {
      const { value } = await reader.read();
      text += new TextDecoder().decode(value);
    }
    await reader.cancel();
    expect(text).toContain(asked.tool_call.id);
    return (await ask<EventReceipt>("POST", `${path}/events`, yes(asked))).applied;
  },
  async inbox({ ask }: Desk, asked: SubagentPendingCall) {
    const { data } = await ask<Page<{ session_id: string }>>("GET", "/v1/confirmations");
    expect(data.map(({ session_id }) => session_id)).toEqual([asked.session_id]);
    const answers = [{ session_id: asked.session_id, event: yes(asked) }];
    const answered = await ask<Page<{ applied?: boolean }>>("POST", "/v1/confirmations", {
      answers,
    });
    return answered.data[0]?.applied;
  },
  async callback(_: Desk, asked: SubagentPendingCall, name: string) {
    const [announced] = await receiver.waitFor(`/${name}/200`, 1);
    const { callback_url } = (JSON.parse(announced!.text) as { data: { callback_url: string } })
      .data;
    const { base_url } = await platform.running();
    const response = await fetch(base_url + new URL(callback_url).pathname, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(yes(asked)),
    });
    return ((await response.json()) as { applied?: boolean }).applied;
  },
} as const;

/** Once the reply at the top has ended. */
function endOf(desk: Desk): Promise<Reply> {
  return waitFor(async () => {
    const found = await desk.read();
    expect(found.status).not.toBe("running");
    return found;
  });
}

test("a question two levels down is answered once from each place, whenever the platform is killed", async () => {
  const ways = Object.keys(WAYS) as (keyof typeof WAYS)[];
  await platform.running();
  const desks = await Promise.all(ways.map((way) => open(way)));
  await kill();
  const before = await Promise.all(desks.map((desk) => desk.waiting()));
  await kill();
  const asked = await Promise.all(desks.map((desk) => desk.waiting()));
  const applied = await Promise.all(
    ways.map((way, index) => WAYS[way](desks[index]!, asked[index]!, way)),
  );
  await kill();
  const replies = await Promise.all(desks.map(endOf));
  await kill();
  const again = await Promise.all(
    desks.map((desk, index) =>
      desk.ask<Refused>("POST", `${desk.path}/events`, yes(asked[index]!)),
    ),
  );
  const logs = await Promise.all(desks.map((desk) => desk.events()));

  expect(asked).toEqual(before);
  expect(applied).toEqual([true, true, true]);
  // Their tools have run by now.
  expect(again.map(({ code, same_answer }) => [code, same_answer])).toEqual(
    Array(3).fill(["confirmation_used", true]),
  );
  for (const reply of replies) {
    expect(reply.message?.content.find(({ type }) => type === "tool_result")).toMatchObject({
      state: "success",
      output: [{ text: "Passed on." }],
    });
    expect(reply.subagents?.map(({ pending }) => pending)).toEqual([undefined]);
  }
  for (const events of logs) {
    expect(events.flatMap(({ name }) => (name === "subagent_event" ? [] : [name]))).toEqual([
      "subagent_call",
      "subagent_require_user_confirm",
      "subagent_user_confirm_result",
      "subagent_call",
    ]);
  }
});
