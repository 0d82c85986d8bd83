// What a client does whose answers get lost: it asks again with the same Idempotency-Key, also after a crash.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, onTestFinished, test } from "vitest";

import { listProcesses } from "../../scripts/processes.ts";
import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../support/platform-client.ts";
import { readDevFile, startProcess } from "../support/start-process.ts";
import { echo, startToolServer } from "../support/tool-server.ts";

interface Made {
  readonly id: string;
}

const KEY = { "idempotency-key": "order-1001" };
const STREAM = { ...KEY, accept: "text/event-stream" };

describe("the same request again and again", () => {
  test("is one reply whose tool is called once, however many ask at the same time", async () => {
    const tools = await startToolServer({ "/refund": echo });
    onTestFinished(() => tools.stop());
    const { key } = await createTenant();
    const agentId = await createAgent(key, {
      tools: [{ type: "http", name: "refund", url: `${tools.url}/refund`, read_only: true }],
    });
    const path = `/v1/sessions/${await createSession(key, agentId)}/replies`;
    const body = { input: "/call refund {}\n/say done" };

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => request<Made>("POST", path, { key, body, headers: KEY })),
    );
    const late = await request<Made>("POST", path, { key, body, headers: KEY });

    const ids = answers.filter(({ status }) => status === 200).map(({ body: { id } }) => id);
    const refused = answers.filter(({ status }) => status !== 200 && status !== 409);
    expect({
      ids: new Set(ids),
      refused,
      late: [late.status, late.headers.get("idempotent-replayed")],
      calls: tools.requests.length,
    }).toEqual({
      ids: new Set([late.body.id]),
      refused: [],
      late: [200, "true"],
      calls: 1,
    });
  });

  test("as a stream that breaks goes on where it broke", async () => {
    const { key } = await createTenant();
    const path = `/v1/sessions/${await createSession(key)}/replies`;
    const body = { input: "/rate 200\n/words 40" };
    const response = await openRequest("POST", path, { key, body, headers: STREAM });
    const seen = await readSse(response, { until: ({ event }) => event === "TEXT_BLOCK_DELTA" });

    const headers = { ...STREAM, "last-event-id": String(seen.at(-1)?.id) };
    const rest = await readSse(await openRequest("POST", path, { key, body, headers }));
    const whole = await readSse(await openRequest("POST", path, { key, body, headers: STREAM }));

    expect([whole[0]?.event, whole.at(-1)?.event]).toEqual(["REPLY_START", "REPLY_END"]);
    expect([...seen, ...rest]).toEqual(whole);
  });
});

test("what was done before kill -9 is answered after it, and not done again", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "reprise-idempotency-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const first = await start(folder);
  const agent = await first.post<Made>("/v1/agents", { name: "Refund desk" });
  const session = await first.post<Made>("/v1/sessions", { agent_id: agent.body.id });
  const path = `/v1/sessions/${session.body.id}/replies`;
  const said = { input: "/say hello", background: true };
  const reply = await first.post<Made>(path, said);
  await first.kill();

  const second = await start(folder);
  const again = [
    await second.post<Made>("/v1/agents", { name: "Refund desk" }),
    await second.post<Made>("/v1/sessions", { agent_id: agent.body.id }),
    await second.post<Made>(path, said),
  ];

  expect(again.map(({ status, body, isReplayed }) => [status, body.id, isReplayed])).toEqual([
    [201, agent.body.id, true],
    [201, session.body.id, true],
    [202, reply.body.id, true],
  ]);
});

/** The platform, how it is asked, and how everything of it is killed: its program and the runtime beneath. */
async function start(folder: string) {
  const started = startProcess(folder, "0");
  const kill = async () => {
    started.kill("SIGKILL");
    await started.ended;
    for (const { pid, command } of listProcesses()) {
      if (command.startsWith(`${folder}/workerd `)) process.kill(pid, "SIGKILL");
    }
  };
  onTestFinished(kill);
  await started.ready;
  const { base_url, api_key } = readDevFile(folder);
  async function post<Body>(path: string, body: object) {
    const response = await fetch(base_url + path, {
      method: "POST",
      headers: {
        ...KEY,
        authorization: `Bearer ${api_key}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      isReplayed: response.headers.get("idempotent-replayed") === "true",
      body: (await response.json()) as Body,
    };
  }
  return { kill, post };
}
