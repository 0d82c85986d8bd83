import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";

import * as protocol from "../../../protocol/index.ts";

const FOLDER = new URL("../../../protocol/", import.meta.url);
/** Files whose exports are for other files of the same name or folder alone. */
const INTERNAL = [
  /^index\.ts$/,
  /^fold\/append-(?:content|custom|data|plain|tools)\.ts$/,
  /^fold\/(?:add-usage|grow-data)\.ts$/,
  /^(?:read-members|json-shape|read-base64|put-right)\.ts$/,
  /^pattern\//,
  // What is sent to MCP servers is no concern of a client of the platform.
  /^mcp\//,
  // Nor how an agent answers clients of MCP.
  /^mcp-server\//,
  /^words\//,
  /^api\/schemas\/(?:confirmation-message|find-lost-reference|find-schema-problem|without-null-keywords)\.ts$/,
  /^dialects\//,
  /^api\/routes\/[\w-]+-routes\.ts$/,
];

const files = readdirSync(FOLDER, { recursive: true })
  .map((name) => String(name).replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".ts") && !INTERNAL.some((pattern) => pattern.test(name)));

describe("protocol/index.ts", () => {
  it.each(files)("exports every value of %s", async (file) => {
    const module = (await import(new URL(file, FOLDER).href)) as Record<string, unknown>;

    const exported: Record<string, unknown> = protocol;
    const missing = Object.keys(module).filter((name) => exported[name] !== module[name]);

    expect(missing).toEqual([]);
  });

  it("exports the translators and the names of our CUSTOM events", () => {
    expect(Object.keys(protocol)).toEqual(
      expect.arrayContaining([
        "normalizeBlock",
        "normalizeEvent",
        "normalizeMessage",
        "REPLY_RECOVERED",
        "STRUCTURED_OUTPUT",
        "TOOL_CALL_EDITED",
      ]),
    );
  });

  it("names each of the 28 event types", () => {
    const types = protocol.AgentEventSchema.options.map((option) => option.shape.type.value);

    expect(Object.entries(protocol.EventType)).toEqual(
      expect.arrayContaining(types.map((type) => [type, type])),
    );
    expect([types.length, Object.keys(protocol.EventType).length]).toEqual([28, 28]);
  });
});
