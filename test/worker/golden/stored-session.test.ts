// A session of the baseline as it is read, byte for byte: its answers, and the frames of its streams in each format.
// Written anew by `npx vitest run --project worker test/worker/golden/stored-session.test.ts -u`.
import { expect, onTestFinished, test, vi } from "vitest";

import { STREAM_URL } from "../../../durable-objects/api/session-api.ts";
import baseline from "../../fixtures/baseline/session.json";
import { ask } from "../support/api.ts";
import { loadStoredSession, storedObject } from "../tables/stored-session.ts";

const { api_key: key, session_id, reply_ids } = baseline;
const [first = "", waiting = ""] = reply_ids;
const path = `/v1/sessions/${session_id}`;

const ANSWERS = [
  path,
  `${path}/replies`,
  ...reply_ids.map((id) => `${path}/replies/${id}`),
  `${path}/messages`,
  `${path}/events?limit=100`,
  `${path}/events?limit=100&format=agentscope-java`,
  `${path}/state`,
  `${path}/shared-state`,
  `${path}/plan`,
  `${path}/tool-groups`,
  `${path}/permission-rules`,
  `${path}/decisions`,
  `${path}/tokens`,
  "/v1/sessions",
  "/v1/confirmations",
  "/v1/agents",
];

test("a stored session is answered with the same bytes", async () => {
  await loadBaseline();
  const texts: string[] = [];
  for (const where of ANSWERS) {
    const { status, text } = await ask("GET", where, { key });
    texts.push(`# ${where}\n${status}\n${text}\n`);
  }

  await expect(texts.join("\n")).toMatchFileSnapshot("../../fixtures/golden/session/answers.txt");
});

test.each([
  ["agentscope", "format=agentscope", "REQUIRE_USER_CONFIRM"],
  ["agentscope-java", "format=agentscope-java", "REQUEST_STOP"],
  ["ag-ui", "format=ag-ui&profile=1.0", "RUN_FINISHED"],
  ["ag-ui-0.0", "format=ag-ui&profile=0.0", "RUN_FINISHED"],
])("its streams have the same bytes in %s", async (name, query, last) => {
  await loadBaseline();
  const over = await readStream(`after=0&reply_id=${first}&${query}`, null);
  const open = await readStream(`after=0&reply_id=${waiting}&${query}`, last);
  const joined = await readStream(`reply_id=${waiting}&${query}`, last);

  await expect(
    ["# over", over, "# waiting", open, "# joined", joined].join("\n"),
  ).toMatchFileSnapshot(`../../fixtures/golden/session/${name}.txt`);
});

async function loadBaseline(): Promise<void> {
  onTestFinished(() => void vi.useRealTimers());
  vi.setSystemTime(Date.parse(baseline.made_at) + 1_000);
  await loadStoredSession(baseline);
}

/** @param last The type of the frame that is the last one of a stream that stays open; null to read to its end. */
async function readStream(query: string, last: string | null): Promise<string> {
  const response = await storedObject(baseline).fetch(`${STREAM_URL}?${query}`);
  let text = "";
  const body = response.body ?? new ReadableStream<Uint8Array>();
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (last !== null && text.includes(`\nevent: ${last}\n`)) break;
  }
  return `${response.status}\n${text}`;
}
