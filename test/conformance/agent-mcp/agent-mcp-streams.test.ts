// The streams of calls over MCP after a cut, what GET and DELETE do, and which pages may ask.
import { request as httpRequest } from "node:http";

import { describe, expect, it } from "vitest";

import { BROAD } from "../../support/breadth.ts";
import { openCall, openMcpDesk, send, type ToolResult } from "../../support/mcp-desk.ts";
import { openRequest, request } from "../../support/platform-client.ts";

const desk = await openMcpDesk();

describe("streams", () => {
  it("that are cut go on where they were, with the same request's result", BROAD, async () => {
    const first = await openCall(desk, { message: "/rate 100\n/words 200" });
    const reader = first.body!.getReader();
    let text = "";
    while ((text.match(/notifications\/progress/g) ?? []).length < 3) {
      const { value } = await reader.read();
      text += new TextDecoder().decode(value);
    }
    await reader.cancel();
    const ids = [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id!);

    const next = await openRequest("GET", desk.path, {
      key: desk.key,
      headers: { accept: "text/event-stream", "last-event-id": ids.at(-1)! },
    });
    const rest = await next.text();

    const messages = [...(text + rest).matchAll(/^data: (\{.+)$/gm)].map(
      ([, data = ""]) =>
        JSON.parse(data) as {
          id?: number;
          params?: { progress: number; message: string };
          result?: ToolResult;
        },
    );
    const progress = messages.flatMap(({ params }) => (params ? [params] : []));
    const result = messages.at(-1);
    const seqs = progress.map((one) => one.progress);
    expect(seqs).toEqual([...new Set(seqs)].toSorted((one, other) => one - other));
    expect([result?.id, result?.result?.structuredContent?.status]).toEqual([7, "completed"]);
    const said = progress.map(({ message }) => message).join("");
    expect(result?.result?.content[0]?.text?.startsWith(said.slice(0, 200))).toBe(true);
  });

  it.each([
    ["GET", {}, 405],
    ["GET", { "last-event-id": "17" }, 400],
    ["GET", { "last-event-id": `ses_${"0".repeat(26)}.rep_${"0".repeat(26)}.1.%5B1%5D` }, 404],
    ["DELETE", {}, 405],
    ["PUT", {}, 405],
  ])("%s with %o is answered with %d", async (method, headers, status) => {
    const answer = await request(method, desk.path, { key: desk.key, headers });

    expect(answer.status).toBe(status);
  });
});

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

describe("origins", () => {
  it.each([
    ["http://localhost:6274", 200],
    ["http://127.0.0.1:1", 200],
    ["https://evil.example", 403],
    ["http://localhost.evil.example", 403],
    ["null", 403],
    ["nonsense", 403],
  ])("%s is answered with %d", async (origin, status) => {
    expect((await send(desk, desk.key, PING, { origin })).status).toBe(status);
  });

  it("of a page that has led its own name to this machine is refused", async () => {
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const headers = {
      host: "evil.example",
      origin: "http://evil.example",
      authorization: `Bearer ${desk.key}`,
      "content-type": "application/json",
    };
    // `fetch` sets no Host.
    httpRequest(desk.url, { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end(JSON.stringify(PING));

    expect(await promise).toBe(403);
  });
});
