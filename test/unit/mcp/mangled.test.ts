// Good answers of an MCP server in every odd form, and broken ones: what is only odd is understood, what is broken is a
// named failure, no tool runs twice that may not, and the next call works.
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";

import { readCatalogue } from "../../../agent/mcp/read-catalogue.ts";
import { callMcpTool, type McpToolAnswer } from "../../../tools/mcp/run-mcp-tool.ts";
import { runs as runsOf } from "../../support/breadth.ts";
import { HANG_LIMITS } from "../../support/hang-limits.ts";
import { linkTo, type TestLink } from "../../support/mcp/link-to.ts";
import {
  manglings,
  startMangledServer,
  type MangledServer,
} from "../../support/mcp/mangled-server.ts";

let server: MangledServer;
beforeAll(async () => {
  server = await startMangledServer();
});
afterAll(() => server.stop());

const FOUND: McpToolAnswer = {
  ok: true,
  result: { state: "success", content: [{ type: "text", text: "found it" }] },
};

async function call({ link }: TestLink, isIdempotent: boolean): Promise<McpToolAnswer> {
  const running = callMcpTool({
    link,
    server_id: "mcp_1",
    tool: { name: "act" },
    input: {},
    isIdempotent,
    timeoutMs: HANG_LIMITS.testTimeout,
    stop: new AbortController().signal,
    people: null,
  });
  for (;;) {
    const { done, value } = await running.next();
    if (done) return value;
  }
}

it("an answer that is odd is understood, and a broken one is a named failure that breaks nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(manglings, async (mangling) => {
      server.follow(mangling);
      const linked = linkTo(server.url);
      const listed = mangling.stage === "tools/list" ? await linked.list() : null;
      const answer = listed ? null : await call(linked, mangling.isIdempotent);
      const { methods, runs } = server;
      const count = (method: string): number => methods.filter((one) => one === method).length;

      if (mangling.breakage === null) {
        if (listed) expect(listed).toMatchObject({ ok: true, value: { tools: [{ name: "act" }] } });
        else expect(answer).toEqual(FOUND);
      }
      if (listed?.ok) readCatalogue(listed.value.tools, mangling.era);
      const outcome = listed ?? answer;
      if (outcome && !outcome.ok)
        expect(outcome.failure.reason).toMatch(/^(?:The MCP server wh|act) .+\.$/);
      expect(runs).toBeLessThanOrEqual(mangling.isIdempotent ? 2 : 1);
      expect(count("server/discover")).toBeLessThanOrEqual(2);
      expect(count("initialize")).toBeLessThanOrEqual(4);
      expect(count("tools/list")).toBeLessThanOrEqual(3);
      expect(count("tools/call")).toBeLessThanOrEqual(mangling.isIdempotent ? 3 : 2);

      server.follow(null);
      expect(await call(linked, false)).toEqual(FOUND);
      expect(await linked.list()).toMatchObject({ ok: true, value: { tools: [{ name: "act" }] } });
      expect(server.runs).toBe(1);
    }),
    { numRuns: runsOf(80) },
  );
});
