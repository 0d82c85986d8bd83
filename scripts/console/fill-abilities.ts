// Content for the pictures of an agent's abilities: a skill with two versions, a session with hooks and groups of
// tools.
import { readString, type LocalApi } from "../local-api.ts";

export interface AbilityIds {
  readonly skillId: string;
  /** The session whose agent has hooks and groups of tools. */
  readonly equipped: string;
}

const SKILL_TEXT = `---
name: refund-policy
description: Decides refunds. Use it before you promise one.
---

# Refunds

1. Ask for the order number, and look the order up.
2. Orders of the last 30 days are refunded in full.
3. For gift cards, sales and broken parcels see references/exceptions.md.
`;
const EXCEPTIONS = "Gift cards are never refunded. Broken parcels always are.\n";

const TOOLS = ["lookup_order", "open_page", "search_web", "refund_order"];

/** @param hookUrl An address that answers hooks. */
export async function fillAbilities(api: LocalApi, hookUrl: string): Promise<AbilityIds> {
  const files = [
    { path: "SKILL.md", text: SKILL_TEXT },
    { path: "references/exceptions.md", text: EXCEPTIONS },
    { path: "references/stamp.bin", base64: btoa("\0stamp of the shop\0") },
  ];
  const skillId = readString(
    await api.call("POST", "/v1/skills", { files: files.slice(0, 2) }),
    "id",
  );
  await api.call("POST", `/v1/skills/${skillId}/versions`, { files });
  const hook = { type: "http", url: hookUrl, timeout_ms: 2_000 };
  const agent = await api.call("POST", "/v1/agents", {
    name: "Clerk",
    skills: [skillId],
    tools: TOOLS.map((name) => ({ type: "external", name })),
    tool_groups: [
      {
        name: "web",
        description: "Searches the web and reads its pages.",
        notes: "Name the page that you have something from.",
        active: true,
        tools: ["open_page", "search_web"],
      },
      { name: "money", description: "Moves money of customers.", tools: ["refund_order"] },
    ],
    meta_tool: true,
    hooks: [{ ...hook, name: "mask_names", point: "post_reply", on_failure: "open" }],
  });
  const body = { agent_id: readString(agent, "id"), title: "Refund of a gift card" };
  const equipped = readString(await api.call("POST", "/v1/sessions", body), "id");
  await api.call("PUT", `/v1/sessions/${equipped}/hooks`, {
    hooks: [
      { ...hook, name: "spending_guard", point: "pre_acting" },
      { ...hook, name: "greeting", point: "pre_reply", on_failure: "open" },
    ],
  });
  await api.call("PUT", `/v1/sessions/${equipped}/tool-groups`, {
    groups: [{ name: "money", switched: "on" }],
    tools: [{ name: "search_web", switched: "off" }],
  });
  return { skillId, equipped };
}
