// Each role × each page of the console, in Chromium: made from the table of roles and the list of pages.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { type MemberRole, MemberRoleSchema, ROLE_SCOPES } from "../../../protocol/members/roles.ts";
import { readPages } from "../../../scripts/console/read-pages.ts";
import { addDevice } from "./add-device.ts";
import { launch } from "./browser-pages.ts";
import { makeTenant, openPage, visit } from "./console-browser.ts";

const PAGES = readPages().filter(({ path }) => path.startsWith("/console/"));

function mayRead(role: MemberRole, { scope }: (typeof PAGES)[number]): boolean {
  return scope === null || (ROLE_SCOPES[role] as readonly string[]).includes(scope);
}

/** Ids for the pages that have one in their address. */
async function fill({ reprise }: Awaited<ReturnType<typeof makeTenant>>) {
  const agent = await reprise.agents.create({ name: "Desk" });
  const session = await reprise.sessions.create({ agent_id: agent.id });
  await session.reply("Hello").done();
  const text = "---\nname: greet\ndescription: How to greet.\n---\nSay hello.\n";
  const skill = await reprise.skills.create({ files: [{ path: "SKILL.md", text }] });
  const store = await reprise.memoryStores.create({ agent_id: agent.id });
  const memory = await reprise.memoryStores.memories(store.id).create({ content: "Tea, please." });
  const asked = { name: "Daily", agent_id: agent.id, input: "Hello" };
  const trigger = await reprise.triggers.create(asked);
  const room = await reprise.rooms.create({ participants: [{ name: "desk", agent_id: agent.id }] });
  const url = "http://127.0.0.1:9/hook";
  const server = await reprise.mcpServers.create({ name: "shelf", url });
  const endpoint = await reprise.webhookEndpoints.create({ url, events: ["*"] });
  const delivery = await reprise.webhookEndpoints.test(endpoint.id);
  return new Map([
    ["$agentId", agent.id],
    ["$sessionId", session.id],
    ["$skillId", skill.id],
    ["$serverId", server.id],
    ["$roomId", room.id],
    ["$storeId", store.id],
    ["$triggerId", trigger.id],
    ["$memoryId", memory.id],
    ["$endpointId", endpoint.id],
    ["$deliveryId", delivery.id],
  ]);
}

/** Another page without loading the app again, as a link would open it. */
async function open(page: Page, path: string): Promise<void> {
  await page.evaluate(
    `history.pushState({}, "", ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent("popstate"))`,
  );
  await page.waitForURL((url) => url.pathname === path);
}

test.each(MemberRoleSchema.options)(
  "%s is shown the pages of the role, is told so at all others, and asks for nothing that is refused",
  async (role) => {
    const tenant = await makeTenant();
    const ids = await fill(tenant);
    const { url } = await tenant.reprise.members.invite({ name: "Ada Winter", role });
    const { page, misdeeds } = await openPage(await launch());
    const asked: string[] = [];
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (pathname.startsWith("/v1/")) asked.push(`${response.status()} ${pathname}`);
    });
    await addDevice(page);
    await page.goto(url);
    await page.getByRole("button", { name: "Make a passkey and sign in" }).click();
    await page.waitForURL(/\/console\/home/);
    const entries = page.getByRole("navigation", { name: "Pages" }).getByRole("link");
    await entries.first().waitFor();
    const labels = (await entries.allInnerTexts()).map((text) => text.trim());
    const own = PAGES.filter((one) => mayRead(role, one));

    expect(labels).toEqual(own.flatMap(({ label }) => label ?? []));
    const closed = [];
    for (const [index, listed] of PAGES.filter((one) => !mayRead(role, one)).entries()) {
      // The first one by its address, as from a bookmark.
      await (index === 0 ? visit(page, listed.path) : open(page, listed.path));
      await page.getByRole("heading", { name: "This page is not open to you" }).waitFor();
      await page.getByText(`whose role is ${role}`).waitFor();
      closed.push(await page.getByText(String(listed.scope), { exact: true }).innerText());
    }
    expect(closed).toEqual(PAGES.flatMap((one) => (mayRead(role, one) ? [] : one.scope)));
    for (const { path } of own) {
      await open(
        page,
        path.replace(/\$\w+/g, (name) => ids.get(name) ?? name),
      );
      await page.locator("main").getByRole("heading", { level: 1 }).first().waitFor();
      await page.getByRole("main").getByText("Loading").first().waitFor({ state: "hidden" });
      expect([path, await page.getByText("This page is not open to you").count()]).toEqual([
        path,
        0,
      ]);
    }

    expect(asked.filter((one) => one.startsWith("4"))).toEqual([]);
    expect(misdeeds).toEqual([]);
  },
);
