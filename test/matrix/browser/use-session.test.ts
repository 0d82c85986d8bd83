// `useSession` in Chromium: the network is cut in the middle of a reply, the page is reloaded, and two tabs look on.
import { build } from "esbuild";
import { chromium, type Page } from "playwright-core";
import { expect, inject, onTestFinished, test } from "vitest";

import { findChromium } from "../../../examples/ag-ui/find-chromium.ts";
import { Reprise } from "../../../sdk/index.ts";
import { HANG_LIMITS } from "../../support/hang-limits.ts";
import { startLoopbackServer } from "../../support/loopback-server.ts";
import { createAgent, createTenant } from "../../support/platform-client.ts";

/** Shows texts, and each event's seq that this page has heard. */
const PAGE = `
import { StrictMode, useEffect, useRef } from "react";
import { createRoot } from "react-dom/client";
import { useSession } from "@reprise/sdk/react";

const { baseUrl, sessionId, token } = document.body.dataset;
globalThis.seqs = [];
globalThis.lengths = [];
function Chat() {
  const session = useSession(sessionId, { baseUrl, token });
  globalThis.session = session;
  useEffect(() => session.store.onEvent(({ seq }) => globalThis.seqs.push(seq)), [session.store]);
  const texts = session.messages.map((message) =>
    message.content.map((block) => (block.type === "text" ? block.text : "")).join(""));
  globalThis.lengths.push((texts[1] ?? "").length);
  return <main>
    {session.messages.map(({ id }, index) => <p key={id}>{texts[index]}</p>)}
    {session.pendingCalls.map((call) =>
      <button key={call.tool_call.id} onClick={() => void session.confirm(call, { input: { ...call.input, amount: 10 } })}>
        {call.question}
      </button>)}
    <output>{session.status}</output>
  </main>;
}
createRoot(document.querySelector("#root")).render(<StrictMode><Chat /></StrictMode>);
`;

interface PageGlobals {
  session: { send(text: string): Promise<{ id: string }>; messages: object[] };
  seqs: number[];
  lengths: number[];
}

async function openDesk() {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: ".", loader: "tsx" },
    bundle: true,
    write: false,
    format: "esm",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"development"' },
  });
  const { key } = await createTenant();
  const agent_id = await createAgent(key, {
    tools: [
      {
        type: "http",
        name: "refund_order",
        input_schema: {
          type: "object",
          properties: { order_id: { type: "string" }, amount: { type: "number" } },
        },
        url: `${inject("toolsUrl")}/refund_order`,
      },
    ],
  });
  const reprise = new Reprise({ apiKey: key, baseUrl: inject("baseUrl") });
  const session = await reprise.sessions.create({ agent_id });
  const { token } = await session.tokens.create({ verbs: ["read", "reply", "confirm", "edit"] });
  const data = `data-base-url="${inject("baseUrl")}" data-session-id="${session.id}" data-token="${token}"`;
  const server = await startLoopbackServer(({ path }, response) => {
    const isScript = path === "/main.js";
    response.writeHead(200, { "content-type": isScript ? "text/javascript" : "text/html" });
    response.end(
      isScript
        ? outputFiles[0]?.text
        : `<body ${data}><div id="root"></div><script type="module" src="/main.js"></script>`,
    );
  });
  onTestFinished(() => server.stop());
  const browser = await chromium.launch({
    executablePath: findChromium() ?? undefined,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
  });
  onTestFinished(() => browser.close());
  const context = await browser.newContext();
  const openPage = async () => {
    const page = await context.newPage();
    page.setDefaultTimeout(HANG_LIMITS.expect.poll.timeout);
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(server.url);
    return { page, problems };
  };
  return { session, context, openPage };
}

function show(page: Page, status: string): Promise<void> {
  return page.locator("output", { hasText: new RegExp(`^${status}$`) }).waitFor();
}

/** Starts a message without waiting for the platform. */
function send(page: Page, text: string): Promise<void> {
  return page.evaluate((input) => {
    void (globalThis as unknown as PageGlobals).session.send(input);
  }, text);
}

function look(page: Page): Promise<{ messages: object[]; seqs: number[]; lengths: number[] }> {
  return page.evaluate(() => {
    const { session, seqs, lengths } = globalThis as unknown as PageGlobals;
    return { messages: session.messages, seqs, lengths };
  });
}

async function untilWords(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    `(document.querySelectorAll("p")[1]?.textContent ?? "").length > ${count}`,
  );
}

test("every word comes once over a cut network and a reload, in two tabs", async () => {
  const { session, context, openPage } = await openDesk();
  const one = await openPage();
  const other = await openPage();
  await show(one.page, "idle");
  await show(other.page, "idle");

  await send(one.page, "/rate 60\n/words 400");
  await untilWords(one.page, 200);
  await context.setOffline(true);
  await show(one.page, "offline");
  const cutAt = (await look(one.page)).lengths.at(-1) ?? 0;
  await context.setOffline(false);
  await untilWords(one.page, cutAt + 100);
  await other.page.reload();
  await show(one.page, "idle");
  await show(other.page, "idle");

  const stored = (await session.messages.list().page()).data;
  const seen = [await look(one.page), await look(other.page)];
  for (const { messages, seqs, lengths } of seen) {
    expect(messages).toEqual(stored);
    expect(seqs).toEqual(seqs.map((_, index) => (seqs[0] ?? 0) + index));
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
  }
  expect([...one.problems, ...other.problems]).toEqual([]);
});

test("a person's edit in one tab is what runs, and the question goes away in the other", async () => {
  const { session, openPage } = await openDesk();
  const { page } = await openPage();
  await show(page, "idle");
  await send(page, '/call refund_order {"order_id":"A-1001"}\n/say Done.');
  await show(page, "waiting");
  const other = await openPage();
  await show(other.page, "waiting");

  await other.page.locator("button").click();

  await show(page, "idle");
  await show(other.page, "idle");
  expect(await page.locator("button").count()).toBe(0);
  const stored = (await session.messages.list().page()).data;
  expect((await look(page)).messages).toEqual(stored);
  expect(JSON.stringify(stored[1])).toContain('{\\"order_id\\":\\"A-1001\\",\\"amount\\":10}');
});

test("a message that a page could not send before its reload is sent once by the next one", async () => {
  const { session, context, openPage } = await openDesk();
  const { page } = await openPage();
  await show(page, "idle");
  await context.route("**/replies", () => undefined);
  await send(page, "/say Kept.");
  await page.locator("p", { hasText: "/say Kept." }).waitFor();

  await context.unroute("**/replies");
  await page.reload();

  await page.locator("p", { hasText: /^Kept\.$/ }).waitFor();
  await show(page, "idle");
  const stored = (await session.messages.list().page()).data;
  expect((await look(page)).messages).toEqual(stored);
  expect(stored).toHaveLength(2);
});
