// What the queue of a machine had in memory when it was killed with kill -9: all of it is delivered once the machine is
// back, though nobody asks for anything.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { listProcesses } from "../../scripts/processes.ts";
import { Reprise } from "../../sdk/index.ts";
import { startHangingReceiver } from "../support/hanging-receiver.ts";
import { readDevFile, startProcess } from "../support/start-process.ts";

const MESSAGES = 40;

function makeStateFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "reprise-webhooks-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The platform, and how everything of it is killed: its program and the runtime beneath. */
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
  const { base_url: baseUrl, api_key: apiKey, agent_id } = readDevFile(folder);
  return { kill, agent_id, reprise: new Reprise({ baseUrl, apiKey }) };
}

/** Asks until all messages are deliveries of that state. */
async function untilThere(reprise: Reprise, endpointId: string, status: "pending" | "delivered") {
  for (;;) {
    let count = 0;
    const list = reprise.webhookEndpoints.deliveries(endpointId, { status });
    for await (const _ of list) count += 1;
    if (count === MESSAGES) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test("deliveries that were under way, in the queue or waiting when the machine died all arrive without traffic", async () => {
  const [folder, receiver] = [makeStateFolder(), await startHangingReceiver()];
  onTestFinished(() => receiver.stop());
  const { kill, agent_id, reprise } = await start(folder);
  const endpoint = await reprise.webhookEndpoints.create({
    url: `${receiver.url}/hook`,
    events: ["session.created"],
  });
  for (let made = 0; made < MESSAGES; made += 1) await reprise.sessions.create({ agent_id });
  // D1 has them all: from here on they are the queue's alone.
  await untilThere(reprise, endpoint.id, "pending");
  await receiver.waitUntil(() => receiver.begun.length > 0);
  await kill();
  receiver.release();

  const restarted = await start(folder);
  await receiver.waitUntil(() => receiver.answered.size === MESSAGES);

  // They have arrived; that they did is written a moment later.
  await untilThere(restarted.reprise, endpoint.id, "delivered");
  expect(receiver.answered.size).toBe(MESSAGES);
});
