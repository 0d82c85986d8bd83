/** @module-tag broad */
// The document's realtime agent, as a person runs it against a running platform.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

import { expect, inject, test } from "vitest";

import { createAgent, createTenant } from "../../support/platform-client.ts";

test("the document's page speaks with an agent, and everything that it checks is true", async () => {
  const { key } = await createTenant();
  const env = {
    ...process.env,
    BASE_URL: inject("baseUrl"),
    API_KEY: key,
    AGENT_ID: await createAgent(key),
  };
  const child = spawn(process.execPath, ["examples/realtime-document/main.ts"], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];

  expect({ claims: stdout.match(/^ {2}(?:ok|no) .*$/gm), stderr, code }).toEqual({
    claims: [
      "  ok  the agent is ready, and the session is created",
      "  ok  what the user says is heard from its beginning to its end",
      "  ok  the answer is played, by the event that the page listens for",
      "  ok  and by no other",
      "  ok  a typed text is answered aloud",
      "  ok  the session ends when the page says so",
      "  ok  nothing was refused",
    ],
    stderr: "",
    code: 0,
  });
});
