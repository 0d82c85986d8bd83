// Tenants that are further than those of `world.ts`: what they say waits for an answer, or is to be summarised.
import type { Agent } from "../../protocol/agents/contract.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import type { RouteName } from "../../protocol/routes.ts";
import { ask, makeAgent, makeSession } from "../worker/support/api.ts";
import { DESK } from "../worker/support/parked-session.ts";
import { summarising } from "../worker/support/summarised-agent.ts";
import { makeWorld, type World } from "./world.ts";

/** By the route whose request is worth more there. */
export const STAGES: Partial<Readonly<Record<RouteName, () => Promise<World>>>> = {
  interrupt: waitingWorld,
  postEvent: waitingWorld,
  answerConfirmations: waitingWorld,
  compress: summarisedWorld,
};

/** Its reply has said something, and waits with a call that says it too. */
async function waitingWorld(): Promise<World> {
  const world = await makeWorld();
  const agent = await makeAgent(world.call, DESK);
  const opened = await openOn(world, agent);
  const said = `${world.word}-said`;
  const input = `/say ${said}\n/call refund_order {"order_id":"${said}"}`;
  const { json: reply } = await ask<Reply>(
    "POST",
    `/v1/sessions/${opened.ids.session_id}/replies`,
    {
      ...world.call,
      json: { input },
    },
  );
  if (reply.pending.length === 0) throw new Error(`nothing waits: ${JSON.stringify(reply)}`);
  return { ...opened, ids: { ...opened.ids, reply_id: reply.id } };
}

/** Its session has something to summarise, and the summary says it. */
async function summarisedWorld(): Promise<World> {
  const world = await makeWorld();
  const said = `${world.word}-said`;
  const agent = await makeAgent(world.call, { name: "Desk", ...summarising("", {}, said) });
  const opened = await openOn(world, agent);
  const json = { messages: said };
  await ask("POST", `/v1/sessions/${opened.ids.session_id}/observe`, { ...world.call, json });
  return opened;
}

/** With a session that has said nothing yet, of the same agent. */
export async function freshWorld(): Promise<World> {
  const world = await makeWorld();
  return openOn(world, { id: world.ids.agent_id });
}

async function openOn(world: World, agent: Pick<Agent, "id">): Promise<World> {
  const { id } = await makeSession(world.call, { agent_id: agent.id });
  return { ...world, ids: { ...world.ids, agent_id: agent.id, session_id: id } };
}
