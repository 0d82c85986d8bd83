/** @module-tag broad */
// Requests that are refused on their way out, over HTTP: the platform may reach this machine, but for the ports that
// are not named.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { startHangingReceiver } from "../support/hanging-receiver.ts";
import { readDevFile, startProcess } from "../support/start-process.ts";
import { echo, startToolServer } from "../support/tool-server.ts";

/** `npm start` with these variables. @returns how its tenant asks. */
async function start(stateFolder: string, environment: Readonly<Record<string, string>>) {
  const started = startProcess(stateFolder, "0", "node", false, environment);
  onTestFinished(async () => {
    started.kill("SIGTERM");
    await started.ended;
  });
  await started.ready;
  const { base_url, api_key } = readDevFile(stateFolder);
  const ask = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${base_url}${path}`, {
      method,
      headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const stop = async () => {
    started.kill("SIGTERM");
    await started.ended;
  };
  return { ask, stop };
}

it("a port of this machine that is not named is reached by no tool and no webhook, whenever it was written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reprise-egress-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [named, other] = [
    await startToolServer({ "/tool": echo }),
    await startToolServer({ "/tool": echo }),
  ];
  const receiver = await startHangingReceiver();
  for (const server of [named, other, receiver]) onTestFinished(() => server.stop());
  const portOf = ({ url }: { readonly url: string }) => new URL(url).port;
  const agentOn = (...servers: readonly { readonly url: string }[]) => ({
    name: "Desk",
    tools: servers.map(({ url }, index) => ({
      type: "http",
      name: `tool_${index}`,
      url: `${url}/tool`,
      read_only: true,
    })),
  });
  const input = "/call tool_0 {}\n/call tool_1 {}";
  const ports = [named, other, receiver].map(portOf).join(",");
  const open = await start(folder, { LOOPBACK_PORTS: ports });
  const agent = await open.ask("POST", "/v1/agents", agentOn(named, other));
  const { id: agent_id } = JSON.parse(agent.text) as { id: string };
  const session = await open.ask("POST", "/v1/sessions", { agent_id });
  const path = `/v1/sessions/${(JSON.parse(session.text) as { id: string }).id}/replies`;
  const before = await open.ask("POST", path, { input });
  expect([before.status, named.requests.length, other.requests.length]).toEqual([200, 1, 1]);
  await open.stop();

  const shut = await start(folder, { LOOPBACK_PORTS: portOf(named) });
  const refused = [
    await shut.ask("POST", "/v1/agents", agentOn(named, other)),
    await shut.ask("POST", "/v1/webhook-endpoints", { url: receiver.url, events: ["*"] }),
  ];
  const after = await shut.ask("POST", path, { input });

  expect(refused.map(({ status, text }) => [status, text.includes("is not open")])).toEqual([
    [400, true],
    [400, true],
  ]);
  expect([after.status, named.requests.length, other.requests.length]).toEqual([200, 2, 1]);
  expect(after.text).toContain("this port of this machine is not open");
  expect(receiver.begun).toEqual([]);
});

it("a special-use name that the platform no longer allows is refused when it is written, and reached by nothing that was stored", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reprise-names-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const tools = [{ type: "http", name: "look", url: "https://shop.example/look", read_only: true }];
  const open = await start(folder, {});
  const agent = await open.ask("POST", "/v1/agents", { name: "Desk", tools });
  const { id: agent_id } = JSON.parse(agent.text) as { id: string };
  const session = await open.ask("POST", "/v1/sessions", { agent_id });
  const path = `/v1/sessions/${(JSON.parse(session.text) as { id: string }).id}/replies`;
  await open.stop();

  const shut = await start(folder, { ALLOWED_SPECIAL_NAMES: "" });
  const refused = await shut.ask("POST", "/v1/agents", { name: "Desk", tools });
  const renamed = await shut.ask("PATCH", `/v1/agents/${agent_id}`, { name: "Counter" });
  const reply = await shut.ask("POST", path, { input: "/call look {}" });

  const words = "the Internet has no names that end in .example";
  expect([agent.status, refused.status, refused.text.includes(words), renamed.status]).toEqual([
    201,
    400,
    true,
    200,
  ]);
  expect([reply.status, reply.text.includes(words)]).toEqual([200, true]);
});
