// The block types that each role may contain. No zod here: the SDK uses this file.
import type { ContentBlock, ContentBlockType } from "./blocks.ts";
import type { Role } from "./role.ts";

const ALLOWED_BLOCKS: Record<Role, readonly ContentBlockType[] | "any"> = {
  user: ["text", "data"],
  system: ["text"],
  assistant: "any",
};

/** The first block that `role` may not contain, or null when the content is valid. */
export function findRoleViolation(
  role: Role,
  content: readonly ContentBlock[],
): { index: number; detail: string } | null {
  const allowed = ALLOWED_BLOCKS[role];
  if (allowed === "any") return null;
  const index = content.findIndex((block) => !allowed.includes(block.type));
  const block = content[index];
  if (!block) return null;
  return {
    index,
    detail: `a ${role} message may hold ${allowed.join(" and ")} blocks, not ${block.type}`,
  };
}
