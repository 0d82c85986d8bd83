// The hook and the page of docs/guides/react.md in Chromium: a refund that a person allows, and a reload.
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { build } from "esbuild";
import { chromium } from "playwright-core";
import { expect, inject, onTestFinished, test } from "vitest";

import { findChromium } from "../../../examples/ag-ui/find-chromium.ts";
import { refundDeskAgent } from "../../../scripts/refund-desk-agent.ts";
import { HANG_LIMITS } from "../../support/hang-limits.ts";
import { startLoopbackServer } from "../../support/loopback-server.ts";
import { createTenant, request } from "../../support/platform-client.ts";
import { readSnippets } from "../../support/read-snippets.ts";

const MAIN = `import { createRoot } from "react-dom/client";
import { Chat } from "./chat.tsx";
const fetchToken = () => fetch("/token").then((response) => response.text());
const { baseUrl, sessionId } = document.body.dataset;
createRoot(document.querySelector("#root")).render(<Chat {...{ baseUrl, sessionId, fetchToken }} />);
`;

async function bundleGuide(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "reprise-react-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const { code } of readSnippets(readFileSync("docs/guides/react.md", "utf8"))) {
    const [, name] = /^\/\/ ([\w-]+\.tsx)\n/.exec(code) ?? [];
    if (name) writeFileSync(join(folder, name), code);
  }
  writeFileSync(join(folder, "main.tsx"), MAIN);
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const { outputFiles } = await build({
    entryPoints: [join(folder, "main.tsx")],
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return outputFiles[0]?.text ?? "";
}

test("the page streams a reply, a person allows its refund, and a reload shows the same", async () => {
  const { key } = await createTenant();
  const agent = refundDeskAgent(Number(new URL(inject("toolsUrl")).port));
  const { body: made } = await request<{ id: string }>("POST", "/v1/agents", {
    key,
    body: { ...agent, tools: agent.tools?.slice(0, 2) },
  });
  const { body: session } = await request<{ id: string }>("POST", "/v1/sessions", {
    key,
    body: { agent_id: made.id },
  });
  const script = await bundleGuide();
  const server = await startLoopbackServer(async ({ path }, response) => {
    if (path === "/main.js") {
      response.writeHead(200, { "content-type": "text/javascript" }).end(script);
    } else if (path === "/token") {
      const { body } = await request<{ token: string }>(
        "POST",
        `/v1/sessions/${session.id}/tokens`,
        {
          key,
          body: { verbs: ["read", "reply", "confirm", "interrupt"] },
        },
      );
      response.writeHead(200).end(body.token);
    } else {
      const data = `data-base-url="${inject("baseUrl")}" data-session-id="${session.id}"`;
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(`<body ${data}><div id="root"></div><script type="module" src="/main.js"></script>`);
    }
  });
  onTestFinished(() => server.stop());
  const browser = await chromium.launch({
    executablePath: findChromium() ?? undefined,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  page.setDefaultTimeout(HANG_LIMITS.expect.poll.timeout);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));

  await page.goto(server.url);
  await page.fill("input", "I want my money back for A-1003.");
  await page.click("text=Send");
  await page.getByText("Allow").click();
  await page.locator("output", { hasText: "idle" }).waitFor();
  await page.locator("p.assistant", { hasText: "The refund is on its way" }).waitFor();
  const shown = await page.locator("main > p").allTextContents();
  await page.reload();
  await page.locator("p.assistant", { hasText: "The refund is on its way" }).waitFor();

  expect(shown.at(1)).toContain("The refund is on its way: 72.90 EUR");
  expect(shown[0]).toBe("I want my money back for A-1003.");
  expect(await page.locator("main > p").allTextContents()).toEqual(shown);
  expect(problems).toEqual([]);
});
