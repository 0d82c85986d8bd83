// A reply waits for a person while its platform is killed with kill -9 and started again.
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { listProcesses } from "../../scripts/processes.ts";
import { Reprise, type LoggedEvent } from "../../sdk/index.ts";
import { readDevFile, startProcess } from "../support/start-process.ts";
import { answer, echo, startToolServer, type ToolServer } from "../support/tool-server.ts";

const REFUND = "I want my money back for A-1003.";
const ORDER = {
  type: "object",
  properties: { order_id: { type: "string" }, amount: { type: "string" } },
  required: ["order_id"],
};

async function startTools(): Promise<ToolServer> {
  const tools = await startToolServer({
    "/lookup_order": answer('{"output":"a ceramic teapot for 72.90 EUR."}'),
    "/refund_order": echo,
  });
  onTestFinished(() => tools.stop());
  return tools;
}

function agentWith(tools: ToolServer) {
  const tool = { type: "http", input_schema: ORDER } as const;
  return {
    name: "Refund desk",
    tools: [
      { ...tool, name: "lookup_order", url: `${tools.url}/lookup_order`, read_only: true },
      { ...tool, name: "refund_order", url: `${tools.url}/refund_order` },
      { type: "external", name: "print_label", input_schema: ORDER, read_only: true } as const,
    ],
  };
}

function makeStateFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "reprise-approvals-")));
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
  const { base_url: baseUrl, api_key: apiKey } = readDevFile(folder);
  return { kill, reprise: new Reprise({ baseUrl, apiKey }) };
}

test("both pauses of a refund outlive kill -9, and the reply goes on as if nothing had happened", async () => {
  const [folder, tools] = [makeStateFolder(), await startTools()];
  const first = await start(folder);
  const { id: agent_id } = await first.reprise.agents.create(agentWith(tools));
  const { id: sessionId } = await first.reprise.sessions.create({ agent_id });
  const seen: LoggedEvent[] = [];

  const asked = first.reprise.session(sessionId).reply(REFUND);
  for await (const event of asked) seen.push(event);
  const replyId = asked.id ?? "";
  const pending = (await asked.done()).pending;
  await first.kill();

  const second = await start(folder);
  const confirmed = second.reprise.session(sessionId);
  await confirmed.confirm(await confirmed.get(), {
    input: { order_id: "A-1003", amount: "60.00 EUR" },
  });
  const printing = confirmed.resumeReply(replyId, {
    after: asked.cursor,
    message: asked.message(),
  });
  for await (const event of printing) seen.push(event);
  await second.kill();

  const third = await start(folder);
  const submitted = third.reprise.session(sessionId);
  await submitted.submitToolResults(await submitted.get(), "Label 1Z-77");
  const ending = submitted.resumeReply(replyId, {
    after: printing.cursor,
    message: printing.message(),
  });
  for await (const event of ending) seen.push(event);

  expect([asked.status, printing.status, ending.status]).toEqual([
    "awaiting_permission",
    "awaiting_external_result",
    "completed",
  ]);
  expect(pending.map(({ tool_call }) => tool_call.name)).toEqual(["refund_order"]);
  const refunds = tools.requests.filter(({ path }) => path === "/refund_order");
  expect(refunds.map(({ body }) => (body as { input: unknown }).input)).toEqual([
    { order_id: "A-1003", amount: "60.00 EUR" },
  ]);
  const stored = await submitted.message(replyId);
  expect(JSON.stringify(ending.message())).toBe(JSON.stringify(stored.message));
  expect(await ending.text()).toContain("Label 1Z-77");
  const replayed: LoggedEvent[] = [];
  for await (const event of submitted.events({ replyId })) replayed.push(event);
  expect(seen).toEqual(replayed);
});

test("a confirmation whose time runs out while the platform is away is denied once it is back", async () => {
  const [folder, tools] = [makeStateFolder(), await startTools()];
  const first = await start(folder);
  const { id: agent_id } = await first.reprise.agents.create({
    ...agentWith(tools),
    confirmation_ttl: 4,
  });
  const { id: sessionId } = await first.reprise.sessions.create({ agent_id });
  const asked = first.reprise.session(sessionId).reply(REFUND);
  const [call] = (await asked.done()).pending;
  await first.kill();
  const expiresInMs = Date.parse(call?.expires_at ?? "") - Date.now();
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, expiresInMs)));

  const second = await start(folder);
  const session = second.reprise.session(sessionId);
  const ending = session.resumeReply(asked.id ?? "", {
    after: asked.cursor,
    message: asked.message(),
    follow: true,
  });
  const answers = await ending.text();

  expect([asked.status, ending.status]).toEqual(["awaiting_permission", "completed"]);
  expect(answers).toContain("Nobody answered in time whether it may run.");
  expect(tools.calls("/refund_order")).toBe(0);
  const stored = await session.message(asked.id ?? "");
  expect(JSON.stringify(ending.message())).toBe(JSON.stringify(stored.message));
});
