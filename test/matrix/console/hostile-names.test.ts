// As hostile-text.test.ts, of the pages that show what tenants and end users have named.
import { expect, test } from "vitest";

import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, press, signIn, visit } from "./console-browser.ts";
import { CORPUS, WHOLE } from "./hostile-corpus.ts";

test("hostile names, arguments, rules and answers are text in the inbox, the rules, the keys and the webhooks", async () => {
  const { reprise } = await makeTenant();
  const [script = "", picture = ""] = CORPUS;
  const rules = CORPUS.map((rule_content) => ({
    tool_name: picture,
    rule_content,
    behavior: "ask" as const,
    source: script,
  }));
  const agent = await reprise.agents.create({
    name: picture,
    permission: { mode: "default", rules: [...rules, { tool_name: "danger", behavior: "ask" }] },
    tools: [
      {
        type: "http",
        name: "danger",
        description: WHOLE,
        url: "http://127.0.0.1:9/danger",
        rule_argument: "/text",
      },
    ],
  });
  const session = await reprise.sessions.create({ agent_id: agent.id, end_user_id: picture });
  const input = JSON.stringify({ text: script, [picture]: WHOLE });
  const denied = await reprise.sessions.create({ agent_id: agent.id, end_user_id: script });
  await denied.reply(`/call danger ${input}`).done();
  await denied.confirm(await denied.get(), { confirmed: false, reason: picture });
  await session.reply(`/call danger ${input}`).done();
  await reprise.apiKeys.create({ name: picture });
  const endpoint = await reprise.webhookEndpoints.create({
    url: `http://127.0.0.1:9/${encodeURIComponent(script)}`,
    description: picture,
    events: ["*"],
  });
  const opened = await openPage(await launch());
  const { page } = opened;
  await signIn(page, (await reprise.consoleLinks.create()).url);
  const shown = () =>
    page.getByRole("main").getByText(picture).filter({ visible: true }).first().waitFor();

  await visit(page, "/console/inbox");
  await shown();
  await page.getByRole("button", { name: "Edit, reason" }).click();
  await page.getByRole("region", { name: "Who may answer" }).getByText("API keys with").waitFor();
  const written = await page.getByLabel("Arguments").inputValue();
  await page.getByLabel("Reason of a denial").last().fill(picture);
  await press(page.getByRole("button", { name: "Deny with the reason" }));
  await page.getByRole("region", { name: "Your answers" }).getByText("denied").waitFor();
  await visit(page, "/console/inbox/history");
  await page.getByRole("table").getByText(script).first().waitFor();
  await visit(page, `/console/rules?agent_id=${agent.id}`);
  await shown();
  await page.getByLabel("Tool", { exact: true }).fill(picture);
  await page.getByLabel("Input").fill(input);
  await page.getByRole("button", { name: "What is decided?" }).click();
  await page.getByTestId("decision").or(page.getByRole("alert")).first().waitFor();
  await visit(page, "/console/keys");
  await shown();
  await page.getByRole("button", { name: `Revoke ${picture}` }).click();
  await page.getByRole("dialog").getByText(picture).waitFor();
  await visit(page, "/console/webhooks");
  await shown();
  await visit(page, `/console/webhooks/${endpoint.id}`);
  await shown();
  const elements = await page.locator("main :is(img, iframe, script, style)").count();

  expect(JSON.parse(written)).toEqual(JSON.parse(input));
  expect(elements).toBe(0);
  expectNoMisdeeds(opened);
});
