// A tool with a page (MCP Apps), on the official server: the page, a tool that only pages may call, and other resources.
import type { McpServer } from "@modelcontextprotocol/server";

export const UI_TYPE = "text/html;profile=mcp-app";
export const PAGE_URI = "ui://warehouse/order";
export const PAGE = "<!doctype html><title>Order</title><p id=order>…</p>";

export function addPages(server: McpServer): void {
  const show = (text: string) => () => ({
    content: [{ type: "text" as const, text }],
    structuredContent: { shelf: 7 },
    _meta: { ui: { prefersBorder: true } },
  });
  const _meta = { ui: { resourceUri: PAGE_URI } };
  server.registerTool("show_order", { description: "Shows an order.", _meta }, show("Shelf 7."));
  server.registerTool(
    "refresh_order",
    { description: "For the page.", _meta: { ui: { ..._meta.ui, visibility: ["app"] } } },
    show("Shelf 8."),
  );
  const contents = (uri: string, mimeType: string, text: string) => ({
    contents: [{ uri, mimeType, text, _meta: { ui: DECLARED } }],
  });
  server.registerResource("order", PAGE_URI, { mimeType: UI_TYPE }, ({ href }) =>
    contents(href, UI_TYPE, PAGE),
  );
  server.registerResource("plain", "ui://warehouse/plain", { mimeType: "text/html" }, ({ href }) =>
    contents(href, "text/html", "<script>alert(1)</script>"),
  );
}

const DECLARED = {
  csp: {
    connectDomains: ["https://api.warehouse.example"],
    resourceDomains: ["https://*.cdn.example:8443"],
  },
  permissions: { camera: {} },
};
