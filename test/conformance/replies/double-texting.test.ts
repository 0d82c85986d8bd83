// A message that comes while a reply runs, over HTTP: refused, queued, or instead of what runs.
import { beforeAll, describe, expect, it } from "vitest";

import type { Problem } from "../../../protocol/problem.ts";
import type { Page } from "../../../protocol/schemas/common.ts";
import type { InterruptResult, Reply } from "../../../protocol/replies/contract.ts";
import type { Session } from "../../../protocol/sessions/contract.ts";
import type { LoggedEvent } from "../../../protocol/events.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
  type Answer,
} from "../../support/platform-client.ts";
import { seededRandom } from "../../support/seeded-random.ts";

const SLOW = "/rate 50\n/words 20000";
const STREAM = { accept: "text/event-stream" };

let key: string;
let agent: string;

beforeAll(async () => {
  ({ key } = await createTenant());
  agent = await createAgent(key);
});

function post<Body = Reply>(session: string, body: object): Promise<Answer<Body>> {
  return request<Body>("POST", `/v1/sessions/${session}/replies`, { key, body });
}

async function begin(session: string, input: string): Promise<Reply> {
  return (await post(session, { input, background: true })).body;
}

async function eventsOf(session: string): Promise<LoggedEvent[]> {
  const { body } = await request<Page<LoggedEvent>>(
    "GET",
    `/v1/sessions/${session}/events?limit=100`,
    { key },
  );
  return [...body.data];
}

/** Reply ids in the order in which they began and ended: `+id` and `-id`. */
function turnsOf(events: readonly LoggedEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.type === "REPLY_START") return [`+${event.reply_id}`];
    return event.type === "REPLY_END" ? [`-${event.reply_id}`] : [];
  });
}

describe("a message that comes while a reply runs", () => {
  it("is refused by default, with the id of that reply", async () => {
    const session = await createSession(key, agent);
    const running = await begin(session, SLOW);
    const { status, body } = await post<Problem>(session, { input: "Hello?" });

    expect([status, body.code, body["reply_id"]]).toEqual([409, "reply_running", running.id]);
    await request("POST", `/v1/sessions/${session}/interrupt`, { key });
  });

  it("is queued when asked: whoever takes 202, a stream or an answer gets it in order", async () => {
    const session = await createSession(key, agent);
    const first = await begin(session, "/wait 400\n/say one");
    const second = await post(session, { input: "/say two", on_busy: "queue", background: true });
    const third = openRequest("POST", `/v1/sessions/${session}/replies`, {
      key,
      body: { input: "/say three", on_busy: "queue" },
      headers: STREAM,
    });
    const streaming = await third;
    const waiting = post(session, { input: "/say four", on_busy: "queue" });

    expect([second.status, second.body.status, second.body.message]).toEqual([
      202,
      "running",
      null,
    ]);
    const frames = (await readSse(streaming)).map(({ data }) => JSON.parse(data) as LoggedEvent);
    const fourth = await waiting;
    expect([fourth.status, fourth.body.status]).toEqual([200, "completed"]);
    const thirdId = streaming.headers.get("reprise-reply-id");
    expect(turnsOf(frames)).toEqual([`+${thirdId}`, `-${thirdId}`]);
    const ids = [first.id, second.body.id, thirdId, fourth.body.id];
    expect(turnsOf(await eventsOf(session))).toEqual(ids.flatMap((id) => [`+${id}`, `-${id}`]));
  });

  it("finds the queue full at some point, and is told how many wait; a drop ends them all", async () => {
    const session = await createSession(key, agent);
    const running = await begin(session, SLOW);
    const queue = { input: "/say later", on_busy: "queue", background: true };
    const accepted: Reply[] = [];
    for (let count = 0; count < 16; count += 1) accepted.push((await post(session, queue)).body);
    const { status, body } = await post<Problem>(session, queue);

    expect([status, body.code, body["queued"]]).toEqual([409, "queue_full", 16]);
    const ids = accepted.map(({ id }) => id);
    const before = await request<Session>("GET", `/v1/sessions/${session}`, { key });
    expect(before.body.queued_reply_ids).toEqual(ids);
    const dropped = await request<InterruptResult>(
      "POST",
      `/v1/sessions/${session}/interrupt?queued=drop`,
      { key },
    );
    expect([dropped.body.interrupted, dropped.body.reply?.id]).toEqual([true, running.id]);
    const { body: page } = await request<Page<Reply>>(
      "GET",
      `/v1/sessions/${session}/replies?limit=100`,
      { key },
    );
    expect(page.data.map(({ id, status: ended }) => [id, ended])).toEqual(
      [running.id, ...ids].toReversed().map((id) => [id, "interrupted"]),
    );
  });

  it("of a client token is queued with the verb for replies alone", async () => {
    const session = await createSession(key, agent);
    const minted = await request<{ token: string }>("POST", `/v1/sessions/${session}/tokens`, {
      key,
      body: { verbs: ["reply", "read"] },
    });
    const { token } = minted.body;
    await begin(session, SLOW);
    const path = `/v1/sessions/${session}`;
    const body = { input: "/say two", on_busy: "queue", background: true };
    const queued = await request("POST", `${path}/replies`, { key: token, body });
    const drop = await request<Problem>("POST", `${path}/interrupt?queued=drop`, { key: token });

    expect([queued.status, drop.status, drop.body.code]).toEqual([202, 403, "verb_missing"]);
    await request("POST", `${path}/interrupt?queued=drop`, { key });
  });

  it.each([
    ["on_busy", { input: "Hi", on_busy: "wait" }, "", "#/on_busy"],
    ["queued", undefined, "?queued=all", "#/query/queued"],
  ])("is not accepted with another value of %s", async (_, body, query, pointer) => {
    const session = await createSession(key, agent);
    const path = `/v1/sessions/${session}/${body ? "replies" : `interrupt${query}`}`;
    const refused = await request<Problem>("POST", path, { key, body });

    expect([refused.status, refused.body.errors?.map((error) => error.pointer)]).toEqual([
      400,
      [pointer],
    ]);
  });
});

describe("two devices that post at the same moment", () => {
  it("get one outcome for each post, and the session runs one reply at a time", async () => {
    const random = seededRandom(5);
    for (let round = 0; round < 12; round += 1) {
      const session = await createSession(key, agent);
      const modes = ["reject", "queue", "interrupt"] as const;
      const posts = Array.from({ length: 6 }, (_, index) => ({
        input: { id: `m-${index}`, content: `/wait ${Math.floor(random() * 20)}\n/say ${index}` },
        on_busy: modes[Math.floor(random() * modes.length)],
      }));
      const answers = await Promise.all(
        posts.map((body) => post<Pick<Reply, "id"> & Pick<Problem, "code">>(session, body)),
      );
      const started = answers.filter(({ status }) => status === 200).map(({ body }) => body.id);
      const refused = answers.filter(({ status }) => status !== 200);

      expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => "reply_running"));
      const turns = turnsOf(await eventsOf(session));
      const order = turns.filter((turn) => turn.startsWith("+")).map((turn) => turn.slice(1));
      expect(turns).toEqual(order.flatMap((id) => [`+${id}`, `-${id}`]));
      expect(order.toSorted()).toEqual(started.toSorted());
    }
  });
});
