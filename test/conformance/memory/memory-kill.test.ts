/** @module-tag broad */
// The platform killed with kill -9 while a reply records by its tool, and while it is recorded behind its end.
import { expect, test } from "vitest";

import type { LoggedEvent } from "../../../protocol/events.ts";
import type {
  Memory,
  MemoryStoreRecord,
  MemoryVersion,
} from "../../../protocol/memory/contract.ts";
import { MEMORIES_RECORDED } from "../../../protocol/memory/events.ts";
import type { Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import { mortalPlatform } from "../../support/mortal-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const platform = mortalPlatform();
const CALL = JSON.stringify({ thinking: "It lasts.", content: ["The user drinks tea."] });
const INPUT = `/call record_to_memory ${CALL}\n/remember The user has a dog.\n/say Nice.`;

interface Page<Item> {
  readonly data: readonly Item[];
}

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
  const agent = await ask<{ id: string }>("POST", "/v1/agents", {
    name: "Desk",
    model: { provider: "scripted", name: "refund-desk" },
    memory: { mode: "both" },
  });
  const session = await ask<Session>("POST", "/v1/sessions", {
    agent_id: agent.id,
    end_user_id: "ada",
  });
  const path = `/v1/sessions/${session.id}`;
  const events = async () =>
    (await ask<Page<LoggedEvent>>("GET", `${path}/events?limit=100&after=0`)).data;
  return {
    ask,
    path,
    begin: async () =>
      (await ask<Reply>("POST", `${path}/replies`, { input: INPUT, background: true })).id,
    /** Names of the log's events, those of `CUSTOM` by their own. */
    names: async () =>
      (await events()).map((event) => (event.type === "CUSTOM" ? event.name : event.type)),
    events,
    all: async () => {
      const stores = await ask<Page<MemoryStoreRecord>>("GET", "/v1/memory-stores");
      const at = `/v1/memory-stores/${stores.data[0]?.id}`;
      const memories = await ask<Page<Memory>>("GET", `${at}/memories`);
      const versions = await ask<Page<MemoryVersion>>("GET", `${at}/versions`);
      return { stores: stores.data, memories: memories.data, versions: versions.data };
    },
  };
}

const STEPS = [
  "REPLY_START",
  "TOOL_CALL_END",
  "TOOL_RESULT_START",
  "TOOL_RESULT_END",
  "REPLY_END",
  MEMORIES_RECORDED,
];

test.each(STEPS)("nothing is recorded twice and nothing lost by a kill at %s", async (step) => {
  const { ask, path, begin, names, events, all } = await open();
  const id = await begin();
  await waitFor(async () => expect(await names()).toContain(step));
  await platform.kill();
  await platform.running();

  const reply = await waitFor(async () => {
    const found = await ask<Reply>("GET", `${path}/replies/${id}`);
    expect(found.status).not.toBe("running");
    return found;
  });
  // By the tool, and behind the reply.
  await waitFor(async () =>
    expect((await names()).filter((name) => name === MEMORIES_RECORDED)).toHaveLength(2),
  );

  const { stores, memories, versions } = await all();
  expect(reply.status).toBe("completed");
  expect(stores.map(({ end_user_id }) => end_user_id)).toEqual(["ada"]);
  expect(memories.map(({ content, version }) => [content, version]).toSorted()).toEqual([
    ["The user drinks tea.", 1],
    ["The user has a dog.", 1],
  ]);
  expect(versions).toHaveLength(2);
  const told = (await events()).flatMap((event) =>
    event.type === "CUSTOM" && event.name === MEMORIES_RECORDED
      ? (event.value as { readonly memories: readonly { readonly id: string }[] }).memories
      : [],
  );
  expect(told.map((one) => one.id).toSorted()).toEqual(memories.map((one) => one.id).toSorted());
});
