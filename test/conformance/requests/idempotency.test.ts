// A client whose answers get lost asks again with the same Idempotency-Key. After a crash: restarts.test.ts.
import { describe, expect, onTestFinished, test } from "vitest";

import {
  createAgent,
  createSession,
  createTenant,
  openRequest,
  readSse,
  request,
} from "../../support/platform-client.ts";
import { echo, startToolServer } from "../../support/tool-server.ts";

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
