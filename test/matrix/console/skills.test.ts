// Skills in the console: written, read, changed and deleted, in Chromium against the running platform.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";

import { launch } from "./browser-pages.ts";
import { expectNoMisdeeds, makeTenant, openPage, signIn, visit } from "./console-browser.ts";

const textOf = (name: string, body = "Ask first.\n") =>
  `---\nname: ${name}\ndescription: Decides refunds.\n---\n${body}`;

/** The first bytes of a PNG: they hold a zero and are no UTF-8. */
const PICTURE = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d]);

async function openShop(scopes?: readonly ["agents:read", "sessions:read"]) {
  const tenant = await makeTenant("Shop");
  const opened = await openPage(await launch());
  const { url } = await tenant.reprise.consoleLinks.create(scopes && { scopes: [...scopes] });
  await signIn(opened.page, url);
  return { ...tenant, opened, page: opened.page };
}

async function writeSkill(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "SKILL.md" }).fill(text);
  await page.getByRole("button", { name: "Create the skill" }).click();
}

test("a skill is made from its text, a written file and chosen ones, and is what the platform stores", async () => {
  const { page, opened, reprise } = await openShop();
  await visit(page, "/console/skills");
  await page.getByText("No skills yet").waitFor();
  await page.getByRole("link", { name: "New skill" }).click();
  await page.getByRole("button", { name: "Write a file" }).click();
  await page.getByLabel("Path of file 1").fill("references/exceptions.md");
  await page.getByLabel("Text of file 1").fill("Gift cards are never refunded.\n");
  await page.getByLabel("Files", { exact: true }).setInputFiles([
    { name: "logo.png", mimeType: "image/png", buffer: Buffer.from(PICTURE) },
    { name: "rates.csv", mimeType: "text/csv", buffer: Buffer.from("a,b\r\n1,2\r\n") },
  ]);
  await page.getByText("4 of 200 files").waitFor();
  await writeSkill(page, textOf("refund-policy"));
  await page.getByRole("heading", { name: "refund-policy" }).waitFor();
  const id = page.url().split("/").at(-1) ?? "";
  const { files } = await reprise.skills.version(id, 1);
  const picture = await (await reprise.skills.content(id, 1, "logo.png")).arrayBuffer();
  const rates = await (await reprise.skills.content(id, 1, "rates.csv")).text();
  const shown = page.getByRole("region", { name: "Text of SKILL.md" });
  const main = await shown.innerText();
  await page.getByRole("button", { name: "logo.png" }).click();
  await page.getByText("A binary file").waitFor();
  await page.reload();
  await page.getByText("A binary file").waitFor();
  await visit(page, "/console/skills");
  await page.getByRole("link", { name: "refund-policy" }).waitFor();

  expect(files.map(({ path, is_text }) => [path, is_text])).toEqual([
    ["SKILL.md", true],
    ["logo.png", false],
    ["rates.csv", true],
    ["references/exceptions.md", true],
  ]);
  expect(new Uint8Array(picture)).toEqual(PICTURE);
  expect(rates).toBe("a,b\r\n1,2\r\n");
  expect(main).toContain("name: refund-policy");
  expectNoMisdeeds(opened);
});

test("what the platform refuses is said at its place, what is too large before it is sent, and nothing is lost", async () => {
  const { page, opened, reprise } = await openShop();
  await visit(page, "/console/skills/new");
  await page.getByRole("button", { name: "Write a file" }).click();
  await page.getByLabel("Path of file 1").fill("../secrets.md");
  await writeSkill(page, "No front matter.");
  const row = page.getByRole("list", { name: "Files of the skill" });
  const path = await row.getByText("holds no empty name").innerText();
  await page.getByLabel("Path of file 1").fill("notes.md");
  await writeSkill(page, "No front matter.");
  const main = page.getByRole("region", { name: "SKILL.md" });
  const front = await main.getByText("SKILL.md: ").innerText();
  const kept = await page.getByRole("textbox", { name: "SKILL.md" }).inputValue();
  await page.getByLabel("Files", { exact: true }).setInputFiles([
    { name: "large.bin", mimeType: "", buffer: Buffer.alloc(1_000_001) },
    { name: "SKILL.md", mimeType: "", buffer: Buffer.from(PICTURE) },
  ]);
  const refused = await page.getByRole("alert").innerText();
  await page.getByRole("textbox", { name: "SKILL.md" }).fill(textOf("big", "a".repeat(200_001)));
  await page.getByText("It may have 200 kB.").waitFor();
  const isOff = await page.getByRole("button", { name: "Create the skill" }).isDisabled();
  const { data } = await reprise.skills.list().page(null);

  expect(path).toMatch(/^A path holds/);
  expect(front).toMatch(/front matter/);
  expect(kept).toBe("No front matter.");
  expect(refused).toMatch(
    /large\.bin has 1 MB; a file may have 1 MB[^]*SKILL\.md is no UTF-8 text/,
  );
  expect([isOff, data]).toEqual([true, []]);
  expectNoMisdeeds(opened);
});

test("a new version begins with the newest one's files, bytes included, and old versions stay", async () => {
  const { page, opened, reprise } = await openShop();
  const logo = { path: "logo.png", base64: Buffer.from(PICTURE).toString("base64") };
  const { id } = await reprise.skills.create({
    files: [
      { path: "SKILL.md", text: textOf("refund-policy", "Ask first.\r\n") },
      { path: "old.md", text: "Old.\n" },
      logo,
    ],
  });
  await visit(page, `/console/skills/${id}`);
  await page.getByRole("link", { name: "New version" }).click();
  await page.getByRole("heading", { name: "New version of refund-policy" }).waitFor();
  await page.getByRole("button", { name: "Remove old.md" }).click();
  await page.getByRole("button", { name: "Write a file" }).click();
  await page.getByLabel("Text of file 2").fill("New.\n");
  await page.getByRole("button", { name: "Save as version 2" }).click();
  const versions = page.getByRole("list", { name: "Versions" });
  await versions.getByRole("button", { name: "v2 newest" }).waitFor();
  const stored = await reprise.skills.version(id, 2);
  const picture = await (await reprise.skills.content(id, 2, "logo.png")).arrayBuffer();
  const main = await (await reprise.skills.content(id, 2, "SKILL.md")).text();
  await versions.getByRole("button", { name: "v1" }).click();
  await page.getByRole("region", { name: "Version 1" }).getByText("old.md").click();
  await page.getByRole("region", { name: "Text of old.md" }).getByText("Old.").waitFor();

  expect(stored.files.map(({ path }) => path)).toEqual([
    "SKILL.md",
    "logo.png",
    "references/details.md",
  ]);
  expect(new Uint8Array(picture)).toEqual(PICTURE);
  expect(main).toContain("Ask first.\r\n");
  expectNoMisdeeds(opened);
});

test("a version that was saved elsewhere meanwhile is not written over, and leaving asks before text is lost", async () => {
  const { page, opened, reprise } = await openShop();
  const text = textOf("refund-policy");
  const { id } = await reprise.skills.create({ files: [{ path: "SKILL.md", text }] });
  await visit(page, `/console/skills/${id}/new-version`);
  await page.getByRole("textbox", { name: "SKILL.md" }).fill(`${text}Mine.\n`);
  await reprise.skills.addVersion(id, { files: [{ path: "SKILL.md", text: `${text}Theirs.\n` }] });
  await page.getByRole("button", { name: "Save as version 2" }).click();
  const said = await page.getByRole("alert").innerText();
  await page.getByRole("link", { name: "refund-policy" }).click();
  const question = page.getByRole("alertdialog", { name: "Leave without saving?" });
  await question.getByRole("button", { name: "Stay" }).click();
  const kept = await page.getByRole("textbox", { name: "SKILL.md" }).inputValue();
  await page.getByRole("link", { name: "refund-policy" }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("region", { name: "Text of SKILL.md" }).getByText("Theirs.").waitFor();
  await page.getByRole("link", { name: "New version" }).click();
  await page.getByRole("button", { name: "Save as version 3" }).waitFor();

  expect(said).toMatch(/newest version of the skill is 2.*Nothing was written/);
  expect(kept).toBe(`${text}Mine.\n`);
  expect((await reprise.skills.get(id)).version).toBe(2);
  expectNoMisdeeds({
    ...opened,
    misdeeds: opened.misdeeds.filter((message) => !/ 412 /.test(message)),
  });
});

test("deleting a skill names the agents that have it, and takes it from the list", async () => {
  const { page, opened, reprise } = await openShop();
  const files = [{ path: "SKILL.md", text: textOf("refund-policy") }];
  const { id } = await reprise.skills.create({ files });
  await reprise.agents.create({ name: "Refund clerk", skills: [{ id, version: 1 }] });
  await reprise.agents.create({ name: "Other" });
  await visit(page, `/console/skills/${id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  const question = page.getByRole("alertdialog", { name: "Delete the skill refund-policy?" });
  await question.getByRole("link", { name: "Refund clerk" }).waitFor();
  const words = await question.innerText();
  await question.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No skills yet").waitFor();
  await visit(page, `/console/skills/${id}`);
  await page.getByRole("heading", { name: "There is nothing here" }).waitFor();

  expect(words).not.toContain("Other");
  expect(words).toContain("not available any more");
  expectNoMisdeeds(opened);
});

test("a console that only reads shows skills without buttons, and nothing of another tenant's", async () => {
  const { page, opened, reprise } = await openShop(["agents:read", "sessions:read"]);
  const files = [{ path: "SKILL.md", text: textOf("refund-policy") }];
  const { id } = await reprise.skills.create({ files });
  const other = await makeTenant("Other");
  const foreign = await other.reprise.skills.create({ files });
  await visit(page, `/console/skills/${id}`);
  await page.getByRole("region", { name: "Text of SKILL.md" }).waitFor();
  const writes = await page.getByText(/New version|Delete/).count();
  await visit(page, "/console/skills/new");
  await page.getByText("This console may not write skills").waitFor();
  for (const path of [foreign.id, `${foreign.id}/new-version`, "skl_none"]) {
    await visit(page, `/console/skills/${path}`);
    await page.getByRole("heading", { name: "There is nothing here" }).waitFor();
  }

  expect(writes).toBe(0);
  expectNoMisdeeds(opened);
});

test("a chosen folder is the skill's own: its SKILL.md is the text, its name no part of paths; dropped files are added", async () => {
  const { page, opened, reprise } = await openShop();
  const folder = join(mkdtempSync(join(tmpdir(), "reprise-skill-")), "refund-policy");
  onTestFinished(() => rmSync(join(folder, ".."), { recursive: true }));
  mkdirSync(join(folder, "references"), { recursive: true });
  writeFileSync(join(folder, "SKILL.md"), textOf("refund-policy", "From the disk.\n"));
  writeFileSync(join(folder, "references", "exceptions.md"), "Gift cards.\n");
  await visit(page, "/console/skills/new");
  await page.getByLabel("Folder", { exact: true }).setInputFiles(folder);
  await page.getByLabel("Path of file 1").waitFor();
  const dropped = await page.evaluateHandle<DataTransfer>(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["Dropped.\\n"], "notes.md"));
    return transfer;
  })()`);
  await page
    .getByRole("region", { name: "Further files" })
    .dispatchEvent("drop", { dataTransfer: dropped });
  await page.getByLabel("Path of file 2").waitFor();
  await page.getByRole("button", { name: "Create the skill" }).click();
  await page
    .getByRole("region", { name: "Text of SKILL.md" })
    .getByText("From the disk.")
    .waitFor();
  const id = page.url().split("/").at(-1) ?? "";

  expect((await reprise.skills.version(id, 1)).files.map(({ path }) => path)).toEqual([
    "SKILL.md",
    "notes.md",
    "references/exceptions.md",
  ]);
  expectNoMisdeeds(opened);
});
