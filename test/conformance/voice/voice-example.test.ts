/** @module-tag broad */
// The example of voice, as a person runs it against a running platform.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

import { expect, inject, test } from "vitest";

import { provisionDemo } from "../../../scripts/provision-demo.ts";
import { request } from "../../support/platform-client.ts";

const EXAMPLE = "examples/voice/main.ts";

/** The example beside the demo's agent, in a tenant of its own. */
async function start(...flags: readonly string[]) {
  const baseUrl = inject("baseUrl");
  const { api_key: key, agent_id } = await provisionDemo({
    baseUrl,
    operatorKey: inject("operatorKey"),
    toolsPort: Number(new URL(inject("toolsUrl")).port),
    known: {},
  });
  const child = spawn(process.execPath, [EXAMPLE, ...flags], {
    env: { ...process.env, BASE_URL: baseUrl, API_KEY: key, AGENT_ID: agent_id },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const agents = async () => {
    const { body } = await request<{ data: { id: string }[] }>("GET", "/v1/agents", { key });
    return body.data.map(({ id }) => id);
  };
  return { child, agent_id, agents, ended: once(child, "exit") };
}

test("the story plays to its end, and everything that it checks is true", async () => {
  const { child, agent_id, agents, ended } = await start("--check");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];

  expect({ claims: stdout.match(/^ {2}(?:ok|no) .*$/gm), stderr, code }).toEqual({
    claims: [
      "  ok  the desk talks while it asks",
      "  ok  it has said what it did",
      "  ok  each piece of audio was played to its end",
      "  ok  speaking again has stopped one piece of audio",
      "  ok  the conversation has what was heard of it",
      "  ok  and nothing more",
      "  ok  nothing was refused",
    ],
    stderr: "",
    code: 0,
  });
  expect(await agents()).toEqual([agent_id]);
});

test("without a flag it prints where to talk, and takes all of it away at the end", async () => {
  const { child, agent_id, agents, ended } = await start();
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line);
    if (line.includes("Ctrl-C ends it.")) child.kill("SIGINT");
  }
  const [, stderr] = await Promise.all([ended, text(child.stderr)]);

  expect(stderr).toBe("");
  const [, signIn = ""] = /^Sign in +(\S+)$/m.exec(lines.join("\n")) ?? [];
  const [, talk = ""] = /^Talk +(\S+)$/m.exec(lines.join("\n")) ?? [];
  expect(signIn.startsWith(`${inject("baseUrl")}/console/sign-in#`)).toBe(true);
  expect(talk).toMatch(/\/console\/playground\?session=ses_\w+$/);
  expect(await agents()).toEqual([agent_id]);
});
