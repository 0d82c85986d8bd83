// Facts that the tests of calls trust their MCP server to notice.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";

import { startOfficialServer } from "../../support/mcp/official-server.ts";
import { waitFor } from "../../support/wait-for.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

it("a server learns that a call was left, also when garbage was collected meanwhile", async () => {
  const mcp = await startOfficialServer("legacy stateless");
  onTestFinished(() => mcp.stop());
  const client = new AbortController();
  const call = fetch(mcp.url, {
    method: "POST",
    signal: client.signal,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "hang", arguments: {} },
    }),
  });
  await waitFor(() => expect(mcp.calls).toHaveLength(1));
  collectGarbage();
  client.abort();

  await expect(call.then((answer) => answer.text())).rejects.toThrow("aborted");
  await waitFor(() => expect(mcp.cancelled).toEqual(["hang"]));
});
