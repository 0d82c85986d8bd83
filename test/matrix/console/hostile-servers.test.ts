// As hostile-text.test.ts, of MCP servers, whose names, descriptions, schemas, results and errors are a stranger's, and of token
// issuers.
import { expect, onTestFinished, test } from "vitest";

import { startRawServer } from "../../support/mcp/raw-server.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";
import { CORPUS, WHOLE } from "./hostile-corpus.ts";

const [SCRIPT = "", PICTURE = ""] = CORPUS;
/** As much as a question may have. */
const QUESTION = WHOLE.slice(0, 2_000);

test("hostile texts of MCP servers and token issuers are shown as the texts that they are", async () => {
  const schema = { type: "object", properties: { [PICTURE]: { type: "string", title: SCRIPT } } };
  const tool = {
    name: PICTURE,
    title: SCRIPT,
    description: WHOLE,
    inputSchema: schema,
    _meta: { ui: { resourceUri: "ui://<script>alert(document.domain)</script>" } },
  };
  const unusable = { name: SCRIPT, inputSchema: { type: "object", pattern: `(${SCRIPT}` } };
  const mcp = await startRawServer({
    "tools/list": () => ({ tools: [tool, unusable] }),
    "tools/call": () => ({
      content: [
        { type: "text", text: WHOLE },
        { type: "image", mimeType: "image/svg+xml", data: btoa(`<svg onload="alert(1)"/>`) },
      ],
      structuredContent: { [SCRIPT]: PICTURE },
    }),
  });
  onTestFinished(() => mcp.stop());
  const { reprise } = await makeTenant();
  const url = `${mcp.url}?${encodeURIComponent(SCRIPT)}`;
  const { id } = await reprise.mcpServers.create({
    name: "hostile",
    url,
    headers: { "X-A": PICTURE },
  });
  const tools = [
    { type: "mcp" as const, server_id: id, permissions: { [PICTURE]: "ask" as const } },
  ];
  const agent = await reprise.agents.create({ name: PICTURE, tools });
  await reprise.tokenIssuers.create({
    name: PICTURE,
    issuer: "https://login.example/%3Cscript%3E",
    jwks_url: "https://login.example/keys",
    end_user_claim: SCRIPT,
    end_user_prefix: "<b>",
  });
  const opened = await openPage(await launch());
  const { page } = opened;
  await signIn(page, (await reprise.consoleLinks.create()).url);
  const shown = (text: string) =>
    page.getByRole("main").getByText(text).filter({ visible: true }).first().waitFor();

  await visit(page, `/console/mcp-servers/${id}`);
  await shown(PICTURE);
  await page.getByRole("button", { name: "Call the tool" }).click();
  const result = await page.getByRole("region", { name: "Result" }).locator("pre").innerText();
  await page.getByRole("button", { name: SCRIPT }).click();
  await shown("No model is offered it");
  mcp.on("tools/list", () => ({ tools: PICTURE }));
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.getByRole("alert").waitFor();
  mcp.on("tools/list", () => ({ tools: [tool] }));
  await visit(page, `/console/agents/${agent.id}`);
  await page.getByRole("list", { name: "Tools of the server" }).getByText(PICTURE).waitFor();
  await page.getByRole("tab", { name: "Connect" }).click();
  await shown(PICTURE);
  await visit(page, "/console/token-issuers");
  await shown(PICTURE);
  const elements = await page.locator("main :is(img, iframe, script, style)").count();

  expect(result).toBe(WHOLE);
  expect(elements).toBe(0);
  // The browser prints the refused answer of a server that lies.
  expect(opened.misdeeds.filter((one) => !one.includes("status of 502"))).toEqual([]);
});

test("a hostile question is text in the form, the approvals and its session, and its address does not lead astray", async () => {
  const label = SCRIPT.slice(0, 400);
  const form = {
    mode: "form",
    message: QUESTION,
    requestedSchema: {
      type: "object",
      properties: {
        [PICTURE]: { type: "string", title: label, description: PICTURE, default: SCRIPT },
        __proto__x: { type: "boolean", title: PICTURE },
        constructor: { type: "string", enum: [SCRIPT, PICTURE], enumNames: [PICTURE, SCRIPT] },
        many: {
          type: "array",
          title: SCRIPT,
          items: { anyOf: [{ const: PICTURE, title: SCRIPT }] },
        },
      },
      required: ["constructor"],
    },
  };
  const url = `https://good.example.evil.example/good.example?${encodeURIComponent(SCRIPT)}`;
  const page = { mode: "url", message: QUESTION, url, elicitationId: "one" };
  const inputRequests = {
    [PICTURE]: { method: "elicitation/create", params: form },
    page: { method: "elicitation/create", params: page },
  };
  const asked: object[] = [];
  const mcp = await startRawServer({
    "server/discover": () => ({
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {} },
      serverInfo: { name: "raw", version: "1" },
    }),
    "tools/call": (message) => {
      const { inputResponses } = (message as { params: { inputResponses?: object } }).params;
      if (!inputResponses)
        return { resultType: "input_required", inputRequests, requestState: "s" };
      asked.push(inputResponses);
      return { content: [{ type: "text", text: "done" }] };
    },
  });
  onTestFinished(() => mcp.stop());
  const { reprise } = await makeTenant();
  const { id } = await reprise.mcpServers.create({ name: "hostile", url: mcp.url });
  const tools = [{ type: "mcp" as const, server_id: id, permissions: { "*": "allow" as const } }];
  const agent = await reprise.agents.create({ name: "Desk", tools });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  await session.reply("/call mcp__hostile__act {}\n/say Done.").done();
  const opened = await openPage(await launch());
  const { page: shown } = opened;
  await signIn(shown, (await reprise.consoleLinks.create()).url);
  const elements = () => shown.locator("main :is(img, iframe, script, style)").count();
  await visit(shown, `/console/sessions/${session.id}`);
  await shown
    .getByRole("note", { name: "Waits for an answer" })
    .getByText(PICTURE)
    .first()
    .waitFor();
  const inSession = await elements();
  await visit(shown, "/console/inbox");
  await shown.getByRole("button", { name: "Answer the question…" }).click();
  await shown.getByRole("form", { name: "Question of hostile" }).waitFor();
  const inInbox = await elements();
  await visit(shown, `/console/playground?session=${session.id}`);
  const question = shown.getByRole("form", { name: "Question of hostile" });
  await question.getByRole("group", { name: "constructor" }).getByLabel(PICTURE).check();
  const host = await question.locator(".address strong").innerText();
  const link = await question.getByRole("link", { name: "Open the page" }).getAttribute("href");
  await question.getByRole("radiogroup").last().getByLabel("Decline").check();
  await question.getByRole("button", { name: "Send all answers" }).click();
  await shown.getByText("Done.", { exact: true }).waitFor();

  expect([inSession, inInbox, await elements()]).toEqual([0, 0, 0]);
  expect([host, link]).toEqual(["good.example.evil.example", new URL(url).href]);
  expect(asked).toEqual([
    {
      [PICTURE]: { action: "accept", content: { [PICTURE]: SCRIPT, constructor: SCRIPT } },
      page: { action: "decline" },
    },
  ]);
  expectNoMisdeeds(opened);
});
