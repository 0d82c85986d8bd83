// As hostile-text.test.ts, of skills, hooks and groups of tools: their texts are a tenant's, a server's and a model's.
import { expect, onTestFinished, test } from "vitest";

import { startHookServer } from "../../support/hook-server.ts";
import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";
import { CORPUS, RUN, WHOLE } from "./hostile-corpus.ts";

const PICTURE = CORPUS[1] ?? "";
/** Texts of the corpus that names of files may hold: names with angle brackets are refused. */
const FOLDER = `'-${RUN}-'`;
const SCRIPT = `\${${RUN}}{{${RUN}}}.html`;
const DESCRIPTION = CORPUS.slice(0, 3).join(" ");

test("hostile texts of skills, hooks and tools are shown as the texts that they are", async () => {
  const server = await startHookServer(({ point }) =>
    point === "pre_acting" ? { action: "block", reason: PICTURE } : undefined,
  );
  onTestFinished(() => server.stop());
  const { reprise } = await makeTenant();
  const main = `---\nname: hostile\ndescription: |\n  ${DESCRIPTION}\n---\n${WHOLE}\n`;
  const skill = await reprise.skills.create({
    files: [
      { path: "SKILL.md", text: main },
      { path: `${FOLDER}/page.html`, text: WHOLE },
      { path: SCRIPT, base64: btoa(`\0${WHOLE.replaceAll(/[^\0-\xff]/g, "")}`) },
    ],
  });
  const agent = await reprise.agents.create({
    name: PICTURE,
    skills: [skill.id],
    tools: [{ type: "external", name: "lookup" }],
    tool_groups: [{ name: "web", description: PICTURE, notes: WHOLE, active: true }],
    hooks: [
      {
        name: "guard",
        point: "pre_acting",
        type: "http",
        url: `${server.url}/${encodeURIComponent(PICTURE)}?${PICTURE}`,
      },
    ],
  });
  const session = await reprise.sessions.create({
    agent_id: agent.id,
    tools: [{ type: "external", name: "own", description: PICTURE }],
  });
  await session.reply("/call lookup {}\n/say Through.").done();
  const opened = await openPage(await launch());
  const { page } = opened;
  await signIn(page, (await reprise.consoleLinks.create()).url);
  const shown = (text: string) => page.getByText(text).filter({ visible: true }).first().waitFor();

  await visit(page, "/console/skills");
  await shown(DESCRIPTION);
  await visit(page, `/console/skills/${skill.id}`);
  await page.getByRole("region", { name: "Text of SKILL.md" }).getByText(PICTURE).waitFor();
  await page.getByRole("button", { name: `${FOLDER}/page.html` }).click();
  await page.getByRole("region", { name: `Text of ${FOLDER}/page.html` }).waitFor();
  await page.getByRole("button", { name: SCRIPT }).click();
  await shown("A binary file");
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("link", { name: PICTURE }).waitFor();
  await visit(page, `/console/skills/${skill.id}/new-version`);
  await page.getByLabel("Path of file 2").waitFor();
  await visit(page, `/console/skills/${encodeURIComponent(PICTURE)}`);
  await shown("There is nothing here");
  await visit(page, `/console/sessions/${session.id}?tab=hooks`);
  await page.getByRole("region", { name: "Hooks of the agent" }).getByText("guard").waitFor();
  await visit(page, `/console/sessions/${session.id}?tab=events`);
  await shown(`Hook guard blocked before a tool call: ${PICTURE}`);
  await visit(page, `/console/sessions/${session.id}?tab=timeline`);
  await shown(`Hook guard blocked before a tool call: ${PICTURE}`);
  await visit(page, `/console/sessions/${session.id}?tab=tools`);
  await page.getByRole("region", { name: "Group web" }).getByText(PICTURE).first().waitFor();
  const own = page.getByRole("region", { name: "The session's own tools" });
  await own.getByText("own external").click();
  await own.getByText(JSON.stringify(PICTURE), { exact: true }).waitFor();
  const odd = await page.locator("main :is(img, iframe, script, style, form)").count();

  expect(odd).toBe(0);
  expectNoMisdeeds(opened);
});
