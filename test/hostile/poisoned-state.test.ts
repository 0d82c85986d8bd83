/** @module-tag broad */
// `npm start` on a state that its last machine died of: it serves, the replies that were open end with an error, and
// nothing else of the platform is touched.
import { rmSync } from "node:fs";

import { expect, onTestFinished, test } from "vitest";

import type { Page } from "../../protocol/schemas/common.ts";
import type { Reply } from "../../protocol/replies/contract.ts";
import { createSseDecoder } from "../../protocol/sse.ts";
import { listProcesses } from "../../scripts/processes.ts";
import { readDevFile, startProcess, type DevFile } from "../support/start-process.ts";
import { changeSession, copyState } from "../support/stored-state.ts";

const IN_MODEL_CALL = "ses_01m81qscs9aba48sfwwekh2bg6";
const BEHIND_TOOL = "ses_01m81qsctq0yzab9h61zk5gxvz";
const SOUND = "ses_01m81qscvevbnxhbndw9ggczt4";
/** As every sound line of a log is, but for its JSON. */
const BROKEN = `UPDATE events SET frames = CAST('id: ' || seq || char(10) || 'event: HINT_BLOCK' || char(10)
  || 'data: {"type":' || char(10, 10) AS BLOB) WHERE seq = (SELECT max(seq) FROM events)`;

/** Starts the platform on the folder; what it began is ended with the test, stuck or not. */
async function start(stateFolder: string): Promise<DevFile> {
  const started = startProcess(stateFolder, "0", "node", true);
  onTestFinished(async () => {
    await started.killGroup();
    const runtimes = listProcesses().filter(({ command }) =>
      command.startsWith(`${stateFolder}/workerd `),
    );
    for (const { pid } of runtimes) process.kill(pid, "SIGKILL");
    rmSync(stateFolder, { recursive: true, force: true });
  });
  await started.ready;
  return readDevFile(stateFolder);
}

interface Asked {
  readonly status: number;
  readonly body: unknown;
}

async function ask(dev: DevFile, method: string, path: string, body?: object): Promise<Asked> {
  const response = await fetch(`${dev.base_url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${dev.api_key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : (JSON.parse(text) as unknown) };
}

async function newestReply(dev: DevFile, session: string): Promise<Reply | undefined> {
  const { body } = await ask(dev, "GET", `/sessions/${session}/replies?limit=1`);
  return (body as Page<Reply>).data[0];
}

/** With what the newest reply's run ends for a client of AG-UI, which is told of errors as such. */
async function lastRunEvent(dev: DevFile, session: string): Promise<unknown> {
  const response = await fetch(
    `${dev.base_url}/v1/sessions/${session}/events?after=0&format=ag-ui`,
    {
      headers: { authorization: `Bearer ${dev.api_key}`, accept: "text/event-stream" },
    },
  );
  const decoder = createSseDecoder();
  let last: unknown;
  for await (const text of (response.body ?? new ReadableStream()).pipeThrough(
    new TextDecoderStream(),
  )) {
    for (const { data } of decoder.push(text)) last = JSON.parse(data);
  }
  return last;
}

/** The end that each of the two has to come to. @param end How its reply has ended. */
async function expectEndedAndErasable(
  dev: DevFile,
  session: string,
  end: "error" | "exceed_max_iters" = "error",
): Promise<void> {
  await expect.poll(async () => (await newestReply(dev, session))?.status).not.toBe("running");
  const ended = await newestReply(dev, session);
  const messages = await ask(dev, "GET", `/sessions/${session}/messages`);
  const path = `/sessions/${session}/events?after=${(ended?.cursor ?? 1) - 1}`;
  const events = await ask(dev, "GET", path);
  const erased = await ask(dev, "DELETE", `/sessions/${session}`);
  const gone = await ask(dev, "GET", `/sessions/${session}`);

  expect(ended?.status).toBe(end);
  expect(ended?.pending).toEqual([]);
  expect(messages).toMatchObject({ status: 200 });
  expect((events.body as Page<object>).data.at(-1)).toMatchObject({ type: "REPLY_END" });
  expect([erased.status, gone.status]).toEqual([204, 404]);
}

/** A neighbour goes on as if nothing had been there. */
async function expectServed(dev: DevFile): Promise<void> {
  const reply = await ask(dev, "POST", `/sessions/${SOUND}/replies`, { input: "/say Still here." });
  expect(reply).toMatchObject({ status: 200, body: { status: "completed" } });
}

test("a structured output that is never checked to its end ends its reply, and the platform serves", async () => {
  const dev = await start(copyState("poisoned-state"));

  await expectServed(dev);
  // Today the check ends: its pattern does not match, and the model says the same in all rounds that it has.
  for (const session of [IN_MODEL_CALL, BEHIND_TOOL]) {
    expect(await lastRunEvent(dev, session)).toMatchObject({
      type: "RUN_ERROR",
      code: "exceed_max_iters",
    });
    await expectEndedAndErasable(dev, session, "exceed_max_iters");
  }
  await expectServed(dev);
});

test("a log that cannot be read ends its reply, and the platform serves", async () => {
  const folder = copyState("poisoned-state");
  for (const session of [IN_MODEL_CALL, BEHIND_TOOL]) changeSession(folder, session, BROKEN);
  const dev = await start(folder);

  await expectServed(dev);
  await expectEndedAndErasable(dev, IN_MODEL_CALL);
  await expectEndedAndErasable(dev, BEHIND_TOOL);
  await expectServed(dev);
});

test("settings that cannot be read are said to be so, and the session can be erased", async () => {
  const folder = copyState("poisoned-state");
  for (const session of [IN_MODEL_CALL, BEHIND_TOOL]) {
    changeSession(
      folder,
      session,
      'UPDATE session SET init = \'{"session_id":"' + session + "\"}'",
    );
  }
  const dev = await start(folder);
  await expectServed(dev);

  expect(await ask(dev, "GET", `/sessions/${BEHIND_TOOL}`)).toMatchObject({
    status: 409,
    body: { code: "session_unreadable" },
  });
  await expectEndedAndErasable(dev, IN_MODEL_CALL);
  await expectEndedAndErasable(dev, BEHIND_TOOL);
});
