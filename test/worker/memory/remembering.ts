// Agents that remember, and a look into their stores.
import { env } from "cloudflare:workers";

import { memoryObjectName, type MemoryApi } from "../../../durable-objects/api/memory-api.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import type { Memory } from "../../../protocol/memory/contract.ts";
import { MEMORIES_RECORDED, MEMORY_RECORD_FAILED } from "../../../protocol/memory/events.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import { memoryStoreId } from "../../../storage/memory/store-id.ts";
import { waitFor } from "../../support/wait-for.ts";
import { ask, makeAgent, makeSession, makeTenant, type Call } from "../support/api.ts";

export interface Remembering {
  readonly call: Call;
  readonly path: string;
  readonly session_id: string;
  readonly agent_id: string;
  readonly owner: {
    readonly tenant_id: string;
    readonly agent_id: string;
    readonly end_user_id: string | null;
  };
}

export function remembers(mode: string, more: object = {}, definition: object = {}): object {
  return { name: "Desk", memory: { mode, ...more }, ...definition };
}

/** A session of an agent of its own. @param session Its end user is ann when nothing is said. */
export async function remembering(definition: object, session: object = {}): Promise<Remembering> {
  const { id: tenant_id, call } = await makeTenant();
  const { id: agent_id } = await makeAgent(call, definition);
  return anotherSession(
    { call, agent_id, owner: { tenant_id, agent_id, end_user_id: "ann" } },
    session,
  );
}

/** Another session of the same agent. */
export async function anotherSession(
  { call, agent_id, owner }: Pick<Remembering, "call" | "agent_id" | "owner">,
  session: object = {},
): Promise<Remembering> {
  const { end_user_id: whose, ...others } = { end_user_id: "ann" as string | null, ...session };
  const made = await makeSession(call, {
    agent_id,
    ...(whose !== null && { end_user_id: whose }),
    ...others,
  });
  const { id: session_id, end_user_id } = made;
  const path = `/v1/sessions/${session_id}`;
  return { call, path, session_id, agent_id, owner: { ...owner, end_user_id } };
}

export async function say({ path, call }: Remembering, input: string): Promise<Reply> {
  return (await ask<Reply>("POST", `${path}/replies`, { ...call, json: { input } })).json;
}

export async function eventsOf({ path, call }: Remembering): Promise<readonly LoggedEvent[]> {
  const events: LoggedEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.seq ?? 0;
    const page = `${path}/events?limit=100&after=${after}`;
    const { data } = (await ask<Page<LoggedEvent>>("GET", page, call)).json;
    if (data.length === 0) return events;
    events.push(...data);
  }
}

export async function customsOf(session: Remembering, name: string): Promise<readonly object[]> {
  return (await eventsOf(session)).flatMap((event) =>
    event.type === "CUSTOM" && event.name === name ? [event.value] : [],
  );
}

/** The events about the recordings of this many replies, once they are there. */
export async function recordingsOf(
  session: Remembering,
  count: number,
): Promise<readonly object[]> {
  let found: readonly object[] = [];
  await waitFor(async () => {
    found = (await eventsOf(session)).flatMap((event) =>
      event.type === "CUSTOM" && [MEMORIES_RECORDED, MEMORY_RECORD_FAILED].includes(event.name)
        ? [{ name: event.name, ...event.value }]
        : [],
    );
    if (found.length < count) throw new Error(`${found.length} of ${count} are recorded`);
  });
  return found;
}

export async function storeOf({ owner }: Remembering): Promise<MemoryApi> {
  const name = memoryObjectName(owner.tenant_id, await memoryStoreId(env, owner));
  return env.MEMORY.getByName(name) as unknown as MemoryApi;
}

export async function memoriesOf(session: Remembering): Promise<readonly Memory[]> {
  const store = await storeOf(session);
  return (await store.list({ limit: 100 })).data;
}

export async function contentsOf(session: Remembering): Promise<readonly string[]> {
  return (await memoriesOf(session)).map(({ content }) => content ?? "").toSorted();
}

export function record(...content: readonly string[]): string {
  return `/call record_to_memory ${JSON.stringify({ thinking: "It matters.", content })}\n/say done`;
}

export function retrieve(...keywords: readonly string[]): string {
  return `/call retrieve_from_memory ${JSON.stringify({ keywords })}\n/say done`;
}

/** The texts of the results of a reply's calls, and its hints by source. */
export function resultsOf({ message }: Reply): readonly string[] {
  return (message?.content ?? []).flatMap((block) =>
    block.type === "tool_result" ? [textOf(block.output)] : [],
  );
}

export function hintsOf({ message }: Reply, source: string): readonly string[] {
  return (message?.content ?? []).flatMap((block) =>
    block.type === "hint" && block.source === source ? [textOf(block.hint)] : [],
  );
}

function textOf(output: string | readonly object[]): string {
  if (typeof output === "string") return output;
  return output.map((part) => ("text" in part ? String(part.text) : "")).join("");
}
