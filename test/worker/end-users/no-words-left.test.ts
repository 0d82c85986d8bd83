// Words of an end user who was erased, looked for byte by byte: in all tables of D1 and of the objects, in
// the index of each, and in all files.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { memoryObjectName } from "../../../durable-objects/api/memory-api.ts";
import { sessionObjectName } from "../../../durable-objects/api/session-api.ts";
import type { StoredFile } from "../../../protocol/files/contract.ts";
import type { MemoryStoreRecord } from "../../../protocol/memory/contract.ts";
import { agentTool, begin, callHelper, childOf, endOf, SCRIPTED } from "../agents/agent-desk.ts";
import { record, remembers } from "../memory/remembering.ts";
import { ask, makeAgent, makeSession, makeTenant, type Call } from "../support/api.ts";
import { unpackFrames } from "../../../durable-objects/log/unpack-frames.ts";

/** Names of the tables with a row in which the word stands, as text or among the bytes of a value. */
async function tablesWith(
  word: string,
  rowsOf: (query: string) => Promise<readonly Record<string, unknown>[]>,
): Promise<readonly string[]> {
  const tables = await rowsOf("SELECT name FROM sqlite_master WHERE type = 'table'");
  const found: string[] = [];
  for (const { name } of tables) {
    // Tables of the runtime itself may not be read.
    if (String(name).startsWith("_cf_")) continue;
    const rows = await rowsOf(`SELECT * FROM "${String(name)}"`);
    if (rows.some((row) => Object.values(row).some((value) => textsOf(value).includes(word)))) {
      found.push(String(name));
    }
  }
  return found.toSorted();
}

/** A value as text; bytes as what they are, and unpacked as rows of a log are. */
function textsOf(value: unknown): string {
  const bytes =
    value instanceof ArrayBuffer
      ? new Uint8Array(value)
      : Array.isArray(value)
        ? Uint8Array.from(value as number[])
        : null;
  if (!bytes) return String(value).toLowerCase();
  const plain = new TextDecoder().decode(bytes);
  try {
    return `${plain}\n${new TextDecoder().decode(unpackFrames(bytes))}`.toLowerCase();
  } catch {
    return plain.toLowerCase();
  }
}

const inDatabase = async (query: string) =>
  (await env.DB.prepare(query).all<Record<string, unknown>>()).results;

function inObject(stub: DurableObjectStub) {
  return (query: string) =>
    runInDurableObject(stub, (_, { storage }) => storage.sql.exec(query).toArray());
}

/** Places of the word, by table. */
async function placesOf(
  word: string,
  objects: Readonly<Record<string, DurableObjectStub>>,
): Promise<readonly string[]> {
  const places = (await tablesWith(word, inDatabase)).map((name) => `D1 ${name}`);
  for (const [place, stub] of Object.entries(objects)) {
    const found = await tablesWith(word, inObject(stub));
    places.push(...found.map((name) => `${place} ${name}`));
  }
  const { objects: files } = await env.FILES.list();
  for (const { key } of files) {
    const text = await (await env.FILES.get(key))?.text();
    if (`${key} ${text}`.includes(word)) places.push("a file");
  }
  return places;
}

/** A conversation in which an end user says the word, with a called agent, a memory of each kind and a file. */
async function talk(call: Call, tenantId: string, end_user_id: string, word: string) {
  const { id: helperId } = await makeAgent(call, { name: "Helper", model: SCRIPTED });
  const { id: agent_id } = await makeAgent(
    call,
    remembers("both", {}, { model: SCRIPTED, tools: [agentTool(helperId)] }),
  );
  const session = await makeSession(call, { agent_id, end_user_id, title: `About ${word}` });
  const path = `/v1/files?filename=${word}.txt&session_id=${session.id}`;
  const headers = { "Content-Type": "text/plain" };
  await ask<StoredFile>("POST", path, { ...call, headers, body: `${word} in a file` });
  const desk = { call, session, tenantId, helperId, agentId: agent_id };
  const [recording] = record(`The user has a ${word}.`).split("\n");
  const input = [recording, callHelper(`/say A ${word}.`), `/say ${word}!`].join("\n/then\n");
  await endOf(desk, await begin(desk, input));
  const child = await childOf(desk);
  const stores = await ask<{ data: readonly MemoryStoreRecord[] }>(
    "GET",
    `/v1/memory-stores?end_user_id=${end_user_id}`,
    call,
  );
  const [store] = stores.json.data;
  return {
    store,
    objects: {
      session: env.SESSION.getByName(sessionObjectName(tenantId, session.id)),
      child: env.SESSION.getByName(sessionObjectName(tenantId, child.id)),
      store: env.MEMORY.getByName(memoryObjectName(tenantId, store?.id ?? "")),
      tenant: env.TENANT.getByName(tenantId),
      search: env.SEARCH.getByName(tenantId),
    },
  };
}

test(
  "no row, object, file or index has the words of an end user who was erased",
  BROAD,
  async () => {
    const { id, call } = await makeTenant();
    const word = `pelican${crypto.randomUUID().slice(0, 8)}`;
    const { objects } = await talk(call, id, "ada", word);
    await ask("GET", `/v1/sessions?search=${word}`, call);
    const before = await placesOf(word, objects);

    const erased = await ask("DELETE", "/v1/end-users/ada", call);

    expect(erased.status).toBe(202);
    expect(before).toEqual(
      expect.arrayContaining([
        "session events",
        "session messages",
        "child events",
        "store versions",
        "store words",
        "store words_content",
        "store words_data",
        "a file",
      ]),
    );
    await expect.poll(() => placesOf(word, objects)).toEqual([]);
  },
);
