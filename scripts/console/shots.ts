// The pages and states that `npm run console:screenshots` takes pictures of.
import type { Page } from "playwright-core";

import type { AbilityIds } from "./fill-abilities.ts";
import type { MemoryIds } from "./fill-memory.ts";
import type { RoomIds } from "./fill-rooms.ts";
import type { WaitIds } from "./fill-waits.ts";
import type { Shot } from "./shot.ts";
import { memoryShots } from "./memory-shots.ts";
import { mcpShots, waitShots } from "./mcp-shots.ts";
import { roomShots } from "./room-shots.ts";
import type { ChangedDesk } from "./make-changed-desk.ts";
import { showMonthOfUsage } from "./month-of-usage.ts";

interface ShownIds extends AbilityIds, MemoryIds, RoomIds, WaitIds {
  readonly sessionId: string;
  readonly agentId: string;
  readonly emptyAgent: string;
  readonly endpointId: string;
  readonly tenantId: string;
  /** The session with a plan. */
  readonly planned: string;
  readonly changed: ChangedDesk;
  readonly mcpServerId: string;
}

/** All pictures, in the order in which they are taken: some of them change what is there. */
export function shotsOf({
  sessionId,
  agentId,
  emptyAgent,
  endpointId,
  tenantId,
  planned,
  changed,
  mcpServerId,
  asking,
  signingIn,
  ...others
}: ShownIds): readonly Shot[] {
  const table = (page: Page) => page.getByRole("table").waitFor();
  return [
    { name: "sessions", path: "/console/sessions", ready: table },
    {
      name: "no-sessions",
      path: `/console/sessions?agent_id=${emptyAgent}`,
      ready: (page) => page.getByText("No session fits").waitFor(),
    },
    {
      name: "session",
      path: `/console/sessions/${sessionId}`,
      ready: (page) => page.getByRole("list", { name: "Messages" }).waitFor(),
    },
    {
      name: "events",
      path: `/console/sessions/${sessionId}?tab=events`,
      ready: async (page) => {
        const events = page.getByRole("region", { name: "Events" });
        await events.getByRole("button").nth(2).click();
      },
    },
    {
      name: "timeline",
      path: `/console/sessions/${sessionId}?tab=timeline`,
      ready: (page) => page.getByRole("list", { name: "Timeline" }).waitFor(),
    },
    {
      name: "replay",
      path: `/console/sessions/${sessionId}?tab=replay`,
      ready: async (page) => {
        await page.getByRole("slider", { name: "Event" }).press("End");
        await page
          .getByRole("region", { name: /^Call of/ })
          .first()
          .waitFor();
      },
    },
    {
      name: "plan",
      path: `/console/sessions/${planned}?tab=plan`,
      ready: (page) => page.getByText("1 of 3 steps").waitFor(),
    },
    {
      name: "plan-editor",
      path: `/console/sessions/${planned}?tab=plan`,
      ready: async (page) => {
        await page.getByRole("button", { name: "Edit" }).click();
        await page.getByLabel("Step 3", { exact: true }).waitFor();
      },
    },
    {
      name: "replay-on-version",
      path: `/console/agents/${changed.agentId}?tab=replay&replay_session=${changed.sessionId}`,
      ready: async (page) => {
        await page.getByLabel("A question without a recorded answer").selectOption("allow");
        await page.getByRole("button", { name: "Replay", exact: true }).click();
        const result = page.getByRole("region", { name: "Result of the replay" });
        await result.getByRole("article").nth(1).waitFor();
        // The report is longer than the picture, and what is above it is not about it.
        await result.getByRole("heading").first().hover();
        await page.mouse.wheel(0, 440);
      },
    },
    {
      name: "tool",
      path: `/console/agents/${changed.agentId}?tab=tools`,
      ready: async (page) => {
        await page.getByLabel("Order id").fill("A-1002");
        await page.getByRole("button", { name: "Call the tool" }).click();
        await page.getByRole("region", { name: "Result" }).waitFor();
      },
    },
    {
      name: "event",
      path: `/console/sessions/${sessionId}?seq=12`,
      ready: (page) => page.locator(".event[data-marked]").waitFor(),
    },
    { name: "agents", path: "/console/agents", ready: table },
    {
      name: "playground-start",
      path: "/console/playground",
      ready: (page) => page.getByRole("heading", { name: "Talk to an agent" }).waitFor(),
    },
    {
      name: "playground",
      isStreaming: true,
      path: `/console/playground?session=${sessionId}`,
      ready: async (page) => {
        await page.getByText("Asks because").waitFor();
        await page.getByText(/^\d+ events$/).waitFor({ state: "attached" });
      },
    },
    {
      name: "playground-context",
      isStreaming: true,
      path: `/console/playground?session=${sessionId}&panel=context`,
      ready: async (page) => {
        await page.getByText(/of [\d,]+ tokens/).waitFor();
      },
    },
    {
      name: "inbox",
      path: "/console/inbox",
      ready: async (page) => {
        await page.getByText("Reading the conversation").first().waitFor({ state: "detached" });
        const approve = page.locator('[data-shortcut="a"]').first();
        await approve.scrollIntoViewIfNeeded();
        // A press counts on what has been in its place for a while, which the page says anew.
        await approve.evaluate("button => button.removeAttribute('data-steady')");
        await approve.and(page.locator("[data-steady]")).click();
        await page.getByText("sent in").waitFor();
      },
    },
    { name: "decisions", path: "/console/inbox/history", ready: table },
    {
      name: "rules",
      path: `/console/rules?agent_id=${agentId}`,
      ready: async (page) => {
        await page.getByLabel("Input").fill('{"order_id":"A-1001"}');
        await page.getByRole("button", { name: "What is decided?" }).click();
        await page.getByTestId("decision").waitFor();
      },
    },
    { name: "keys", path: "/console/keys", ready: table },
    {
      name: "new-key",
      path: "/console/keys",
      ready: async (page) => {
        await page.getByRole("button", { name: "Create a key" }).click();
        await page.getByRole("dialog").getByLabel("Name").fill("Shop back end");
      },
    },
    { name: "webhooks", path: "/console/webhooks", ready: table },
    { name: "webhook", path: `/console/webhooks/${endpointId}`, ready: table },
    {
      name: "new-agent",
      path: "/console/agents/new",
      ready: (page) => page.getByRole("list", { name: "Examples" }).waitFor(),
    },
    {
      name: "agent",
      path: `/console/agents/${emptyAgent}`,
      ready: (page) => page.getByText("Valid", { exact: true }).waitFor(),
    },
    {
      name: "not-found",
      path: "/console/sessions/ses_none",
      ready: (page) => page.getByRole("heading", { name: "There is nothing here" }).waitFor(),
    },
    { name: "tenants", path: "/operator/tenants", ready: table },
    ...reportShots(tenantId),
    ...abilityShots(others),
    ...memoryShots(others),
    ...roomShots(others),
    ...mcpShots(mcpServerId),
    ...waitShots({ asking, signingIn }),
    TOUR,
  ];
}

/** The last one: its steps stay below each page that is opened behind it. */
const TOUR: Shot = {
  name: "tour",
  path: "/console/home",
  ready: async (page) => {
    await page.getByRole("button", { name: "Start the tour" }).click();
    await page.getByRole("complementary", { name: "Tour" }).waitFor();
  },
};

/** Skills, and what else an agent can do beside its tools. */
function abilityShots({ skillId, equipped }: AbilityIds): readonly Shot[] {
  return [
    { name: "skills", path: "/console/skills", ready: (page) => page.getByRole("table").waitFor() },
    {
      name: "skill",
      path: `/console/skills/${skillId}`,
      ready: (page) => page.getByRole("region", { name: "Text of SKILL.md" }).waitFor(),
    },
    {
      name: "skill-editor",
      path: `/console/skills/${skillId}/new-version`,
      ready: async (page) => {
        await page.getByRole("button", { name: "Edit the text of" }).first().click();
        await page.getByLabel("Text of file 1").waitFor();
      },
    },
    {
      name: "tools",
      path: `/console/sessions/${equipped}?tab=tools`,
      ready: (page) => page.getByRole("region", { name: "Group web" }).waitFor(),
    },
    {
      name: "hooks",
      path: `/console/sessions/${equipped}?tab=hooks`,
      ready: (page) => page.getByRole("region", { name: "Hooks of this session" }).waitFor(),
    },
    {
      name: "new-hook",
      path: `/console/sessions/${equipped}?tab=hooks`,
      ready: async (page) => {
        await page.getByRole("button", { name: "Add a hook" }).click();
        await page.getByRole("dialog").getByLabel("Name").fill("guard");
      },
    },
  ];
}

/** Home, numbers, files, the audit, and the operator's pages. */
function reportShots(tenantId: string): readonly Shot[] {
  const table = (page: Page) => page.getByRole("table").first().waitFor();
  const quotas = (page: Page) => page.getByRole("list", { name: "Quotas" }).waitFor();
  const noFailure = (page: Page) => page.getByText("Nothing has failed").waitFor();
  return [
    {
      name: "home",
      path: "/console/home",
      ready: (page) => page.getByRole("region", { name: "Newest sessions" }).waitFor(),
    },
    {
      name: "usage",
      path: "/console/usage?by=model",
      ready: async (page) => {
        await showMonthOfUsage(page);
        await page.reload();
        await page.getByRole("group", { name: "Tokens by day and model" }).focus();
        await page.keyboard.press("End");
      },
    },
    {
      name: "plots",
      path: "/console/plots?span=24h",
      ready: (page) => page.getByRole("group", { name: "Replies", exact: true }).waitFor(),
    },
    { name: "failures", path: "/console/failures", ready: noFailure },
    { name: "members", path: "/console/members", ready: table },
    { name: "files", path: "/console/files", ready: table },
    {
      name: "file",
      path: "/console/files",
      ready: async (page) => {
        await page.getByRole("button", { name: "cup.png" }).click();
        await page.getByRole("img", { name: "cup.png" }).waitFor();
      },
    },
    { name: "quotas", path: "/console/quotas", ready: quotas },
    { name: "audit", path: "/console/audit", ready: table },
    { name: "tenant", path: `/operator/tenants/${tenantId}`, ready: quotas },
    {
      name: "tenant-usage",
      path: `/operator/tenants/${tenantId}/usage?span=24h`,
      ready: (page) => page.getByText("No reply has ended in this time").waitFor(),
    },
    { name: "health", path: "/operator/health", ready: table },
    { name: "people", path: "/operator/members", ready: table },
  ];
}
