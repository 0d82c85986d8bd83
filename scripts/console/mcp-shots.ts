// The pictures of MCP servers, of what their calls wait for, and of connections.
import type { Page } from "playwright-core";

import type { WaitIds } from "./fill-waits.ts";
import type { Shot } from "./shot.ts";

/** MCP servers, a tool of which is called. */
export function mcpShots(serverId: string): readonly Shot[] {
  return [
    {
      name: "mcp-servers",
      path: "/console/mcp-servers",
      ready: (page) => page.getByRole("table").waitFor(),
    },
    {
      name: "mcp-server",
      path: `/console/mcp-servers/${serverId}`,
      ready: async (page) => {
        await page.getByLabel("Order id").fill("A-1003");
        await page.getByRole("button", { name: "Call the tool" }).click();
        await page.getByRole("region", { name: "Result" }).waitFor();
      },
    },
  ];
}

/** Pictures of waiting calls of MCP servers, and of the connections that sign-ins make. */
export function waitShots({ asking, signingIn }: WaitIds): readonly Shot[] {
  const form = (page: Page, name: string) => page.getByRole("form", { name }).waitFor();
  return [
    {
      name: "question",
      path: `/console/inbox?session_id=${asking}`,
      ready: async (page) => {
        await page.getByRole("button", { name: "Answer the question…" }).click();
        await form(page, "Question of travel");
        // The form is longer than the picture, and what is above it is not about it.
        await page.getByRole("form", { name: "Question of travel" }).scrollIntoViewIfNeeded();
        await page.getByLabel("E-mail").fill("dmitri@shop.example");
        await page.getByRole("form").last().hover();
        await page.mouse.wheel(0, 240);
      },
    },
    {
      name: "sign-in-wait",
      path: `/console/playground?session=${signingIn}`,
      isStreaming: true,
      ready: (page) => form(page, "Sign-in at calendar"),
    },
    {
      name: "connections",
      path: "/console/connections",
      ready: (page) => page.getByRole("table").waitFor(),
    },
  ];
}
