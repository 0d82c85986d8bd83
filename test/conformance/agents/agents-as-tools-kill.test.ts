/** @module-tag broad */
// The platform killed with kill -9 around the call of an agent, two levels down.
import { expect, test } from "vitest";

import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session, SessionPage } from "../../../protocol/sessions/contract.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const platform = mortalPlatform();
const MODEL = { provider: "scripted", name: "refund-desk" };

async function open() {
  const key = await platform.createTenant();
  async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    const { base_url } = await platform.running();
    const response = await fetch(base_url + path, {
      method,
      body: body && JSON.stringify(body),
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    });
    return (await response.json()) as Body;
  }
  const makeAgent = async (name: string, tool: object) =>
    (await ask<{ id: string }>("POST", "/v1/agents", { name, model: MODEL, tools: [tool] })).id;
  const calling = (agent_id: string) => ({
    type: "agent",
    name: "helper",
    agent_id,
    read_only: true,
  });
  const lowest = await makeAgent("Lowest", { type: "external", name: "refund", read_only: true });
  const middle = await makeAgent("Middle", calling(lowest));
  const top = await makeAgent("Top", calling(middle));
  const session = await ask<Session>("POST", "/v1/sessions", { agent_id: top });
  const called = (id: string) =>
    ask<SessionPage>("GET", `/v1/sessions?parent_session_id=${id}`).then(({ data }) => data);
  const call = (message: string) => `/call helper ${JSON.stringify({ message })}`;
  const input = `${call(`${call("/call refund {}\n/say Paid.")}\n/say Passed on.`)}\n/say Thanks.`;
  return {
    session,
    ask,
    called,
    begin: async () => {
      const path = `/v1/sessions/${session.id}/replies`;
      return (await ask<Reply>("POST", path, { input, background: true })).id;
    },
    /** The session at the bottom, once it waits. */
    waiting: () =>
      waitFor(async () => {
        const [below] = await called((await called(session.id))[0]?.id ?? "none");
        const found = await ask<Session>("GET", `/v1/sessions/${below?.id}`);
        expect(found.pending).toHaveLength(1);
        return found;
      }),
    ended: (id: string) =>
      waitFor(async () => {
        const reply = await ask<Reply>("GET", `/v1/sessions/${session.id}/replies/${id}`);
        expect(reply.status).not.toBe("running");
        return reply;
      }),
  };
}

async function kill(): Promise<void> {
  await platform.kill();
  await platform.running();
}

test("a call goes on in the sessions that it has, whenever the platform is killed", async () => {
  const { session, ask, called, begin, waiting, ended } = await open();
  const id = await begin();
  await kill();
  const below = await waiting();
  await kill();
  const { id: call, name } = below.pending[0]!.tool_call;
  const result = { type: "tool_result", id: call, name, output: "Paid.", state: "success" };
  await ask("POST", `/v1/sessions/${below.id}/events`, {
    type: "EXTERNAL_EXECUTION_RESULT",
    reply_id: below.reply_id,
    execution_results: [result],
  });
  await kill();
  const reply = await ended(id);
  const middle = await called(session.id);
  const returned = reply.message?.content.find(({ type }) => type === "tool_result");

  expect(returned).toMatchObject({ state: "success", output: [{ text: "Passed on." }] });
  expect([middle.length, (await called(middle[0]!.id)).length]).toEqual([1, 1]);
});

test("an interrupt that the platform dies with reaches the lowest agent all the same", async () => {
  const { session, ask, begin, waiting } = await open();
  await begin();
  const below = await waiting();
  await ask("POST", `/v1/sessions/${session.id}/interrupt`);
  await kill();
  await waitFor(async () => {
    const { status } = await ask<Session>("GET", `/v1/sessions/${below.id}`);
    expect(status).toBe("idle");
  });

  expect((await ask<Session>("GET", `/v1/sessions/${below.id}`)).pending).toEqual([]);
});
