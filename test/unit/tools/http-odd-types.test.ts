// Answers of http tools that are declared as something else than they are, or as nothing.
import { expect, it } from "vitest";

import { call } from "../../support/call-tool.ts";
import type { ToolRoute } from "../../support/tool-server.ts";

const JSON_TEXT = '{"output":"ok","state":"error"}';
const READ = [
  { type: "text", delta: "ok" },
  { type: "end", state: "error" },
];
const AS_IT_IS = (text: string) => [{ type: "text", delta: text }];

it.each<[string, string | null, string, readonly object[]]>([
  ["JSON as text/json", "text/json; charset=utf-8", JSON_TEXT, READ],
  ["JSON as application/x-json", "application/x-json", JSON_TEXT, READ],
  ["JSON in capitals", "Application/JSON", JSON_TEXT, READ],
  ["JSON behind a byte order mark", "application/json", `\ufeff${JSON_TEXT}`, READ],
  ["JSON without a type", null, `\n${JSON_TEXT}`, READ],
  ["half of it without a type", null, '{"output":', AS_IT_IS('{"output":')],
  ["a text without a type", null, "ok", AS_IT_IS("ok")],
  ["a text that is JSON, as text", "text/plain", JSON_TEXT, AS_IT_IS(JSON_TEXT)],
])("%s is read as it is", async (_what, type, body, chunks) => {
  const route: ToolRoute = (response) => {
    response.writeHead(200, type === null ? {} : { "content-type": type }).end(body);
  };

  expect(await call(route)).toEqual(chunks);
});
