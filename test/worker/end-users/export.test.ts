// The export of an end user: all of one, nothing of another, over several requests.
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import type { EndUserExportLine } from "../../../protocol/end-users/contract.ts";
import {
  EXPORTED_MEMORY_PAGES,
  EXPORTED_MESSAGE_PAGES,
  EXPORTED_SESSIONS,
} from "../../../protocol/end-users/limits.ts";
import type { StoredFile } from "../../../protocol/files/contract.ts";
import { formatId, ID_RANDOM_BYTES } from "../../../protocol/ids.ts";
import type { MemoryStoreRecord } from "../../../protocol/memory/contract.ts";
import { MAX_PAGE_LIMIT } from "../../../protocol/requests/limits.ts";
import { encodePageToken } from "../../../storage/statements/page.ts";
import { ask, makeAgent, makeSession, makeTenant, type Call } from "../support/api.ts";
import { keyWith } from "../support/credentials.ts";

async function exportPage(call: Call, endUserId: string, page?: string) {
  const query = page === undefined ? "" : `?page=${page}`;
  const answer = await ask("GET", `/v1/end-users/${endUserId}/export${query}`, call);
  const lines = answer.text.split("\n").filter(Boolean);
  return { ...answer, lines: lines.map((line) => JSON.parse(line) as EndUserExportLine) };
}

async function exportAll(call: Call, endUserId: string) {
  const lines: EndUserExportLine[] = [];
  let [page, requests]: [string | undefined, number] = [undefined, 0];
  do {
    const found = await exportPage(call, endUserId, page);
    const last = found.lines.pop();
    if (last?.type !== "end") throw new Error("the export was cut off");
    lines.push(...found.lines);
    page = last.next_page ?? undefined;
    requests += 1;
  } while (page !== undefined);
  return { lines, requests };
}

/** Each line in a word, and whose it is. */
function outlineOf(lines: readonly EndUserExportLine[]): readonly string[] {
  return lines.map((line) => {
    if (line.type === "session") return `session ${line.session.end_user_id}`;
    if (line.type === "message") return `${line.message.role} ${textOf(line)}`;
    if (line.type === "memory") {
      return `memory ${line.memory?.content}, ${line.versions.length} version`;
    }
    if (line.type === "file") return `file ${line.file.name}`;
    return line.type;
  });
}

function textOf({ message }: Extract<EndUserExportLine, { type: "message" }>): string {
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

describe("the export of an end user", () => {
  test("has sessions, messages, files, memories and usage of that one alone", async () => {
    const [{ call }, other] = [await makeTenant(), await makeTenant()];
    const remembering = { name: "Refund desk", memory: {} };
    const agent = await makeAgent(call, remembering);
    const foreign = await makeAgent(other.call, remembering);
    for (const [whose, agent_id, end_user_id, word] of [
      [call, agent.id, "ada", "pelican"],
      [call, agent.id, "adam", "heron"],
      [other.call, foreign.id, "ada", "stork"],
    ] as const) {
      const session = await makeSession(whose, { agent_id, end_user_id });
      const path = `/v1/files?filename=${word}.txt&session_id=${session.id}`;
      const headers = { "Content-Type": "text/plain" };
      await ask<StoredFile>("POST", path, { ...whose, headers, body: word });
      const json = { input: `/say ${word}` };
      await ask("POST", `/v1/sessions/${session.id}/replies`, { ...whose, json });
      const store = await ask<MemoryStoreRecord>("POST", "/v1/memory-stores", {
        ...whose,
        json: { agent_id, end_user_id },
      });
      await ask("POST", `/v1/memory-stores/${store.json.id}/memories`, {
        ...whose,
        json: { content: `Likes the ${word}.` },
      });
    }
    const page = await exportPage(call, "ada");
    expect(page.headers.get("Content-Type")).toBe("application/x-ndjson");
    expect(outlineOf(page.lines)).toEqual([
      "usage",
      "memory Likes the pelican., 1 version",
      "session ada",
      "assistant pelican",
      "user /say pelican",
      "file pelican.txt",
      "end",
    ]);
    expect(page.lines.at(-1)).toEqual({ type: "end", next_page: null });
    expect(outlineOf((await exportPage(call, "nobody")).lines)).toEqual(["end"]);
  });

  test(
    "goes on page by page, behind the last session and inside of a long one",
    BROAD,
    async () => {
      const { call } = await makeTenant();
      const agent = await makeAgent(call);
      const opening = { agent_id: agent.id, end_user_id: "ada" };
      const long = await makeSession(call, opening);
      const most = EXPORTED_MESSAGE_PAGES * MAX_PAGE_LIMIT;
      const said = Array.from({ length: most + 1 }, (_, index) => `note ${index}`);
      for (let from = 0; from < said.length; from += 100) {
        const messages = said
          .slice(from, from + 100)
          .map((content) => ({ name: "ada", role: "user", content }));
        const json = { messages };
        expect(
          (await ask("POST", `/v1/sessions/${long.id}/observe`, { ...call, json })).status,
        ).toBe(201);
      }
      for (let made = 0; made < EXPORTED_SESSIONS; made += 1) await makeSession(call, opening);

      const { lines, requests } = await exportAll(call, "ada");
      const words = lines.flatMap((line) => (line.type === "message" ? textOf(line) : []));
      expect(words).toEqual(said.toReversed());
      expect(lines.filter(({ type }) => type === "session")).toHaveLength(EXPORTED_SESSIONS + 1);
      expect(requests).toBe(3);
    },
  );

  test("goes on among memory stores when they are more than one request may ask", async () => {
    const { id: tenant_id, call } = await makeTenant();
    const agent = await makeAgent(call, { name: "Desk", memory: {} });
    const json = { agent_id: agent.id, end_user_id: "ada" };
    const store = await ask<MemoryStoreRecord>("POST", "/v1/memory-stores", { ...call, json });
    const memories = `/v1/memory-stores/${store.json.id}/memories`;
    await ask("POST", memories, { ...call, json: { content: "Likes the pelican." } });
    // Stores without memories, before and behind that one.
    const now = new Date().toISOString();
    await env.DB.batch(
      Array.from({ length: 2 * EXPORTED_MEMORY_PAGES }, (_, index) => {
        const random = crypto.getRandomValues(new Uint8Array(ID_RANDOM_BYTES));
        const id = formatId("memstore", index % 2 === 0 ? 1 : 32 ** 10 - 1, random);
        return env.DB.prepare(
          `INSERT INTO memory_stores (id, tenant_id, agent_id, end_user_id, memories, bytes, created_at, updated_at)
           VALUES (?, ?, ?, 'ada', 0, 0, ?, ?)`,
        ).bind(id, tenant_id, agent.id, now, now);
      }),
    );
    await makeSession(call, { agent_id: agent.id, end_user_id: "ada" });

    const { lines, requests } = await exportAll(call, "ada");

    expect(outlineOf(lines).filter((one) => one !== "end")).toEqual([
      "memory Likes the pelican., 1 version",
      "session ada",
    ]);
    expect(requests).toBe(3);
  });

  test("refuses a key without files:read, and a page that is none", async () => {
    const { call } = await makeTenant();
    const narrow = await exportPage(await keyWith(call, ["sessions:read", "memories:read"]), "ada");
    expect([narrow.status, narrow.json]).toEqual([
      403,
      expect.objectContaining({ code: "insufficient_scope", required_scope: "files:read" }),
    ]);
    expect((await exportPage(call, "ada", "bm8")).status).toBe(400);
  });

  test("reads no session of somebody else, whatever a page says", async () => {
    const { call } = await makeTenant();
    const agent = await makeAgent(call);
    const session = await makeSession(call, { agent_id: agent.id, end_user_id: "adam" });
    const json = { messages: [{ name: "adam", role: "user", content: "heron" }] };
    await ask("POST", `/v1/sessions/${session.id}/observe`, { ...call, json });
    const messages = await ask<{ next_page: string | null }>(
      "GET",
      `/v1/sessions/${session.id}/messages?limit=1`,
      call,
    );
    const forged = encodePageToken(`${session.created_at} ${session.id} ${encodePageToken("9")}`);
    const page = await exportPage(call, "ada", forged);
    expect([messages.text.includes("heron"), page.text.includes("heron")]).toEqual([true, false]);
    expect(page.lines).toEqual([{ type: "end", next_page: null }]);
  });
});
