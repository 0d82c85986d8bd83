// Definitions of agents are checked without being written.
import { expect, onTestFinished, test } from "vitest";

import { Reprise } from "../../sdk/index.ts";
import { startLoopbackServer } from "../support/loopback-server.ts";

test("a definition and a change are sent to be checked alone", async () => {
  const asked: string[] = [];
  const server = await startLoopbackServer(({ method, path }, response) => {
    asked.push(`${method} ${path}`);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ name: "A" }));
  });
  onTestFinished(() => server.stop());
  const { agents } = new Reprise({ apiKey: "rk_test_x", baseUrl: server.url });

  const definition = await agents.validate({ name: "A" });
  await agents.validateUpdate("agt_1", { max_iters: 3 });

  expect(definition).toEqual({ name: "A" });
  expect(asked).toEqual([
    "POST /v1/agents?validate_only=true",
    "PATCH /v1/agents/agt_1?validate_only=true",
  ]);
});
