import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";

import type { SessionPage } from "../../../protocol/sessions/contract.ts";
import { ask, makeTenant, refusalOf } from "../support/api.ts";
import { keyWith } from "../support/credentials.ts";
import { addToDatabase, momentAt, sessionId } from "../sessions/listed-sessions.ts";
import { changesLeft, searchedTenant, searchObject } from "./searched-tenant.ts";

describe("a search over sessions", () => {
  test("finds all its words in titles and first messages, the newest first", async () => {
    const { call, say, find, page } = await searchedTenant();
    const first = await say("Where is my order A-1007?");
    const second = await say("My shoes never came.", { title: "Order of Zoë, express" });
    await ask("POST", `/v1/sessions/${first}/replies`, { ...call, json: { input: "zebra" } });

    expect(await find("order")).toEqual([second, first]);
    expect(await find("ORD")).toEqual([second, first]);
    expect(await find("zoe shoes")).toEqual([second]);
    expect(await find("order a-1007")).toEqual([first]);
    expect(await find("a-100 x")).toEqual([]);
    // Later messages are not searched.
    expect(await find("zebra")).toEqual([]);
    expect(await page("nothing like it")).toEqual({
      data: [],
      has_more: false,
      next_page: null,
      search_complete: true,
    });
  });

  test("reads a first message beyond the line that lists have of it", async () => {
    const { say, find } = await searchedTenant();
    const id = await say(`${"It is a long story. ".repeat(40)} And then the zebra came.`);

    expect(await find("zebra")).toEqual([id]);
  });

  test.each([
    ["Chinese", "我想申请退款，谢谢", "退款", "款退"],
    ["one character of Chinese", "我想申请退款", "款", "钱"],
    ["Japanese", "サーバーが落ちました", "落ち", "ちお"],
    ["Korean without its particle", "환불을 원합니다", "환불", "불환"],
    ["Arabic", "أين طلبي؟ شكرًا", "شكرا", "شكرت"],
    ["a picture", "broken 👢 arrived", "👢", "👟"],
    ["half a character beside words", "lost \ud83d half", "half", "halves"],
    ["directions that are turned", "\u202etfel\u202c right", "right", "wrong"],
  ])("finds %s", async (_, said, search, other) => {
    const { say, find } = await searchedTenant();
    const id = await say(said);

    expect([await find(search), await find(other)]).toEqual([[id], []]);
  });

  test("follows titles, however often and in whatever order they change", async () => {
    const { call, tenantId, say, find } = await searchedTenant();
    const id = await say("Hello there");
    const seen = [await find("hello")];
    for (const title of ["Refund", "Exchange", null]) {
      await ask("PATCH", `/v1/sessions/${id}`, { ...call, json: { title } });
      seen.push(await find("refund"), await find("exchange"), await find("hello"));
    }

    const none: string[] = [];
    expect(seen).toEqual([[id], [id], none, [id], none, [id], [id], none, none, [id]]);
    expect(await changesLeft(tenantId)).toEqual([]);
  });

  test("has what was said before anybody has searched, also where lists do not know it", async () => {
    const { tenantId, say, find } = await searchedTenant();
    const early = await say("a giraffe");
    const before = await say("another giraffe");
    await env.DB.prepare("UPDATE session_states SET first_words = NULL WHERE session_id = ?")
      .bind(before)
      .run();
    expect(await changesLeft(tenantId)).toEqual([]);

    expect(await find("giraffe")).toEqual([before, early]);
  });

  test("loses nothing when the index dies", async () => {
    const { say, find, page } = await searchedTenant();
    const first = await say("a lion");
    await find("lion");
    const second = await say("two lions, or a lion");
    await abortAllDurableObjects();

    expect(await find("lion")).toEqual([second, first]);
    await abortAllDurableObjects();
    expect(await page("lion")).toMatchObject({ search_complete: true, data: [{}, {}] });
  });

  test("keeps a mark that was set anew while its session was read", async () => {
    const { call, tenantId, say, find } = await searchedTenant();
    const id = await say("first");
    await find("first");
    await ask("PATCH", `/v1/sessions/${id}`, { ...call, json: { title: "one" } });
    const stale = await env.DB.prepare("SELECT mark FROM search_changes WHERE tenant_id = ?")
      .bind(tenantId)
      .first<number>("mark");
    await ask("PATCH", `/v1/sessions/${id}`, { ...call, json: { title: "two" } });

    const mark = await env.DB.prepare("SELECT mark FROM search_changes WHERE tenant_id = ?")
      .bind(tenantId)
      .first<number>("mark");
    expect(mark).not.toBe(stale);
    expect([await find("two"), await find("one")]).toEqual([[id], []]);
  });
});

describe("a search's pages and filters", () => {
  test("are those of the list, and each session comes once", async () => {
    const { tenantId, agentId, page, call } = await searchedTenant();
    const agent_id = agentId;
    const made = Array.from({ length: 7 }, (_, at) => ({
      id: sessionId(),
      agent_id,
      end_user_id: at % 2 === 0 ? "ada" : "ben",
      // Two of each moment.
      created_at: momentAt(Math.floor(at / 2) * 1_000),
      status: at === 3 ? ("awaiting_permission" as const) : ("idle" as const),
      told: { first_words: `order ${at}` },
    }));
    for (const session of made) await addToDatabase(tenantId, session);
    const all: string[] = [];
    let next: string | null = "";
    while (next !== null) {
      const found: SessionPage = await page("order", `&limit=2${next && `&page=${next}`}`);
      all.push(...found.data.map(({ id }) => id));
      next = found.next_page;
    }
    const found = async (query: string) =>
      (await page("order", query)).data.map(({ id }) => made.findIndex((one) => one.id === id));

    expect(all.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
    expect(new Set(await found("&end_user_id=ben"))).toEqual(new Set([5, 3, 1]));
    expect(await found("&status=waiting")).toEqual([3]);
    expect(await found("&status=failed")).toEqual([]);
    expect(await found("&status=running")).toEqual([]);
    expect(await found("&status=idle&end_user_id=ben")).toEqual([5, 1]);
    expect(await found("&agent_name=Refund%20desk&limit=1")).toEqual([6]);
    expect(await found("&agent_name=Other")).toEqual([]);
    expect(await found(`&created_after=${momentAt(3_000)}`)).toEqual([6]);
    expect(
      new Set(await found(`&created_after=${momentAt(1_000)}&created_before=${momentAt(2_000)}`)),
    ).toEqual(new Set([2, 3]));
    expect(await found("&min_cost_usd=1")).toEqual([]);
    // A page's token is its list's own.
    const list = await ask<SessionPage>("GET", "/v1/sessions?limit=1", call);
    const wrong = `/v1/sessions?search=order&page=${list.json.next_page}`;
    expect(refusalOf(await ask("GET", wrong, call))).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: ["#/query/page"],
    });
  });

  test.each([
    ["nothing but marks", "%22%2A-"],
    ["nothing", ""],
    ["too much", "x".repeat(201)],
    ["too many words", "x+".repeat(17)],
  ])("refuse %s by the field", async (_, search) => {
    const { call } = await makeTenant();

    expect(refusalOf(await ask("GET", `/v1/sessions?search=${search}`, call))).toEqual({
      status: 400,
      code: "validation_failed",
      pointers: ["#/query/search"],
    });
  });
});

describe("whoever searches", () => {
  test("finds sessions of their own tenant alone", async () => {
    const [one, other] = [await searchedTenant(), await searchedTenant()];
    const id = await one.say("the same words");
    await other.say("the same words, elsewhere");
    await other.find("words");

    expect(await one.find("words")).toEqual([id]);
    const names = await runInDurableObject(searchObject(one.tenantId), (_, { storage }) =>
      storage.sql.exec("SELECT session_id FROM indexed_sessions").toArray(),
    );
    expect(names).toEqual([{ session_id: id }]);
  });

  test("needs the scope that reads conversations: nobody guesses words with another one", async () => {
    const { call, tenantId, say } = await searchedTenant();
    await say("a secret");
    const poor = await keyWith(call, ["replies:read", "sessions:write", "agents:write"]);

    const answer = await ask("GET", "/v1/sessions?search=secret", poor);

    expect(refusalOf(answer)).toMatchObject({ status: 403, code: "insufficient_scope" });
    const read = "SELECT 1 FROM search_indexes WHERE tenant_id = ?";
    expect(await env.DB.prepare(read).bind(tenantId).first()).toBe(null);
  });
});
