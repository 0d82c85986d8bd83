// Builds an app of apps/, runs its server, and opens its page in Chromium.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";
import { chromium, type Page } from "playwright-core";
import { inject } from "vitest";

import { findChromium, HOW_TO_INSTALL } from "../../../examples/ag-ui/find-chromium.ts";
import { HANG_LIMITS } from "../../support/hang-limits.ts";
import { startAskingServer } from "../../support/mcp/asking-server.ts";
import { startAuthorizationServer } from "../../support/mcp/authorization-server.ts";
import { createAgent, createTenant, request } from "../../support/platform-client.ts";
import { openLine, type Line } from "./line.ts";
import { requirePackages } from "./require-packages.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));

/** No user profile, and no network traffic except the page's. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface App {
  readonly key: string;
  /** Between the page and its app's server. */
  readonly pageLine: Line;
  /** Between the app (its server, or its page) and the platform. */
  readonly platformLine: Line;
  /** A tab with the thread of this name. */
  openTab(thread: string): Promise<Page>;
  /** Answers that the MCP server which asks has got. */
  heard(): readonly object[];
  /** Signs in at the address as a person does. @returns the code that the page at its end shows. */
  signIn(address: string): Promise<string>;
  /** @returns the session's id. */
  sessionOf(thread: string): Promise<string>;
  /** Requests that were to leave this machine, of the pages and of the server; each was refused. */
  readonly strays: readonly string[];
  close(): Promise<void>;
}

/** @param name A folder of apps/. @throws without the packages or without Chromium. */
export async function openApp(name: string): Promise<App> {
  requirePackages();
  const program = findChromium();
  if (program === null) throw new Error(HOW_TO_INSTALL);

  const strays: string[] = [];
  const { key } = await createTenant();
  const [asking, guarded] = await Promise.all([
    startAskingServer("modern"),
    startAuthorizationServer(),
  ]);
  const agentId = await createAgent(key, {
    tools: [
      ...shopTools(),
      await mcpTool(key, { name: "travel", url: asking.url }),
      await mcpTool(key, {
        name: "calendar",
        url: guarded.mcpUrl,
        oauth: { grant: "authorization_code", owner: "end_user" },
      }),
    ],
    permission: { rules: [allowed("print_label")] },
  });
  const folder = await buildPage(name);
  const platformLine = await openLine(inject("baseUrl"));
  const trap = await openTrap(strays);
  const server = spawn(process.execPath, [join(FOLDER, "apps", name, "server.ts")], {
    env: {
      ...process.env,
      API_KEY: key,
      AGENT_ID: agentId,
      REPRISE_URL: platformLine.url,
      PAGE: folder,
      NODE_ENV: "production",
      COPILOTKIT_TELEMETRY_DISABLED: "true",
      DO_NOT_TRACK: "1",
      // Everything but this machine is asked for at the trap.
      NODE_USE_ENV_PROXY: "1",
      HTTP_PROXY: trap.url,
      HTTPS_PROXY: trap.url,
      NO_PROXY: "127.0.0.1,localhost",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  const [serverUrl] = (await Promise.race([
    once(createInterface({ input: server.stdout }), "line"),
    ended,
  ])) as [unknown];
  if (typeof serverUrl !== "string") throw new Error(`the server of ${name} did not start`);
  const pageLine = await openLine(serverUrl);
  const browser = await chromium.launch({ executablePath: program, args: FLAGS });

  return {
    key,
    pageLine,
    platformLine,
    strays,
    heard: () => asking.heard,
    async signIn(address) {
      const page = await fetch(await guarded.signIn(address, "ada"));
      return /<code>([^<]+)</.exec(await page.text())?.[1] ?? "";
    },
    async openTab(thread) {
      const context = await browser.newContext({ viewport: { width: 1_000, height: 760 } });
      await context.route(
        ({ hostname, protocol }) => protocol.startsWith("http") && hostname !== "127.0.0.1",
        (route) => {
          strays.push(route.request().url());
          return route.abort();
        },
      );
      context.setDefaultTimeout(HANG_LIMITS.expect.poll.timeout);
      const page = await context.newPage();
      page.on("pageerror", (error) => console.error(`the page of ${name}: ${error.message}`));
      if (process.env["PAGE_CONSOLE"]) page.on("console", (line) => console.log(line.text()));
      await page.goto(`${pageLine.url}/?${thread}`);
      return page;
    },
    async sessionOf(thread) {
      const response = await fetch(`${serverUrl}/threads/${thread}`);
      return ((await response.json()) as { threadId: string }).threadId;
    },
    async close() {
      await browser.close();
      server.kill("SIGTERM");
      await ended;
      await Promise.all([pageLine.close(), platformLine.close(), trap.close()]);
      await Promise.all([asking.stop(), guarded.stop()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Looking up an order just runs, a refund asks, a label is printed elsewhere. */
function shopTools(): object[] {
  const input_schema = {
    type: "object",
    properties: { order_id: { type: "string" }, amount: { type: "string" } },
    required: ["order_id"],
  };
  const tool = (name: string, more: object = {}) => {
    const url = `${inject("toolsUrl")}/${name}`;
    return { type: "http", name, input_schema, url, ...more };
  };
  const quick = { read_only: true, concurrency_safe: true, idempotent: true };
  const label = { type: "external", name: "print_label", input_schema };
  return [tool("lookup_order", quick), tool("refund_order"), label];
}

/** @returns the entry of an agent for a new MCP server, whose tools ask nobody. */
async function mcpTool(key: string, body: object): Promise<object> {
  const { body: server } = await request<{ id: string }>("POST", "/v1/mcp-servers", { key, body });
  return { type: "mcp", server_id: server.id, permissions: { "*": "allow" } };
}

function allowed(tool_name: string): object {
  return { tool_name, rule_content: null, behavior: "allow", source: "test" };
}

/** @returns the folder with index.html, page.js and page.css. */
async function buildPage(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `reprise-${name}-`));
  await build({
    entryPoints: [join(FOLDER, "apps", name, "page.tsx")],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    minify: true,
    define: { "process.env.NODE_ENV": '"production"' },
    loader: { ".woff2": "dataurl", ".woff": "empty", ".ttf": "empty" },
    logLevel: "error",
  });
  await copyFile(join(FOLDER, "apps/page.html"), join(folder, "index.html"));
  return folder;
}

/** A proxy that notes what is asked of it, and refuses. */
async function openTrap(strays: string[]) {
  const server = createServer((request, response) => {
    strays.push(request.url ?? "");
    response.writeHead(502).end();
  });
  server.on("connect", ({ url = "" }, socket) => {
    strays.push(url);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
